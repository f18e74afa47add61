import type { ReasonName } from '../decision/reasons.ts';
import { equal, type Json, type JsonObject, type Path, put } from '../kube/json.ts';
import type { RuleId } from './rules.ts';

/** One difference between the tenant's object and the host's. Values of Secrets are never in here. */
export interface Change {
  readonly path: Path;
  readonly op: 'Add' | 'Replace' | 'Remove';
  readonly before?: Json;
  readonly after?: Json;
  readonly rule: RuleId;
}

/** Something a person should know although the object is rendered. */
export interface Note {
  readonly reason: ReasonName;
  readonly params: Readonly<Record<string, string>>;
  readonly path?: Path;
  /** overrides the registry's remedy where the case allows a better one */
  readonly remedy?: string;
}

/** Why an object is not rendered. The first refusal of an object is its decision; the others are listed with it. */
export interface Refusal extends Note {
  /** the field of the profile's spec that refuses, `controls.podSecurity`, where one does by name */
  readonly control?: string;
}

/** A name-typed reference that was rewritten; the planner warns when its target is not projected. */
export interface Reference {
  readonly path: Path;
  readonly targetKind: string;
  readonly name: string;
  readonly virtualNamespace: string;
  readonly optional: boolean;
  /** without its target the object does nothing (an autoscaler), so it is skipped instead of warned about */
  readonly required?: boolean;
}

/** Edits of one host object, recorded. The object starts as a deep copy of the tenant's. */
export interface Edit {
  readonly object: JsonObject;
  readonly changes: readonly Change[];
  readonly notes: readonly Note[];
  readonly refusals: readonly Refusal[];
  readonly references: readonly Reference[];
  /** sets `path`, making objects on the way; no change is recorded where the value is there already */
  set(path: Path, value: Json, rule: RuleId): void;
  remove(path: Path, rule: RuleId): void;
  note(reason: ReasonName, params: Readonly<Record<string, string>>, path?: Path, remedy?: string): void;
  refuse(reason: ReasonName, params: Readonly<Record<string, string>>, path?: Path, remedy?: string): void;
  refer(reference: Reference): void;
}

/**
 * @param secret true for a Secret: changes of its data then say which key, never which value. Values of removed annotations are
 *   never recorded for any kind, since last-applied configuration and the like may hold anything.
 */
export function createEdit(object: JsonObject, secret = false): Edit {
  const changes: Change[] = [];
  const notes: Note[] = [];
  const refusals: Refusal[] = [];
  const references: Reference[] = [];

  return {
    object,
    changes,
    notes,
    refusals,
    references,
    set(path, value, rule) {
      const before = write(object, path, value);
      const hidden = secret && isSecretPath(path);
      if (before === undefined) changes.push(hidden ? { path, op: 'Add', rule } : { path, op: 'Add', after: value, rule });
      else if (!equal(before, value))
        changes.push(hidden ? { path, op: 'Replace', rule } : { path, op: 'Replace', before, after: value, rule });
    },
    remove(path, rule) {
      const before = drop(object, path);
      if (before === undefined) return;
      const hidden = path.includes('annotations') || (secret && isSecretPath(path));
      changes.push(hidden ? { path, op: 'Remove', rule } : { path, op: 'Remove', before, rule });
    },
    note(reason, params, path, remedy) {
      notes.push({ reason, params, ...(path !== undefined && { path }), ...(remedy !== undefined && { remedy }) });
    },
    refuse(reason, params, path, remedy) {
      refusals.push({ reason, params, ...(path !== undefined && { path }), ...(remedy !== undefined && { remedy }) });
    },
    refer(reference) {
      references.push(reference);
    },
  };
}

function isSecretPath(path: Path): boolean {
  return path[0] === 'data' || path[0] === 'stringData';
}

/** Writes and returns what was there. A step of another shape than the path needs is replaced by an object. */
function write(root: JsonObject, path: Path, value: Json): Json | undefined {
  let holder: Json = root;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index];
    const last = index === path.length - 1;
    if (typeof step === 'number') {
      if (!Array.isArray(holder)) throw new Error(`no list at step ${index} of ${path.join('.')}`);
      const before: Json | undefined = holder[step];
      if (last) {
        holder[step] = value;
        return before;
      }
      holder = before ?? {};
    } else if (step !== undefined) {
      const object: JsonObject = holder as JsonObject;
      const before: Json | undefined = Object.hasOwn(object, step) ? object[step] : undefined;
      if (last) {
        put(object, step, value);
        return before;
      }
      if (typeof before === 'object' && before !== null) holder = before;
      else {
        const made: JsonObject = {};
        put(object, step, made);
        holder = made;
      }
    }
  }
  return undefined;
}

function drop(root: JsonObject, path: Path): Json | undefined {
  let holder: Json | undefined = root;
  for (const step of path.slice(0, -1)) {
    if (Array.isArray(holder)) holder = holder[step as number];
    else if (typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)) holder = holder[step as string];
    else return undefined;
  }
  const step = path.at(-1);
  if (Array.isArray(holder) && typeof step === 'number') return holder.splice(step, 1)[0];
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder) || typeof step !== 'string') return undefined;
  if (!Object.hasOwn(holder, step)) return undefined;
  const before = holder[step];
  delete holder[step];
  return before;
}
