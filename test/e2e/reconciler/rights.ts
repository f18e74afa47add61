import { type Json, type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import type { AuditEntry } from '../../bed/audit.ts';

/** One thing that RBAC lets somebody do, and that can be asked for: a verb, a resource, and the only name, where a rule has names. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
}

export function rightsOf(role: JsonObject | undefined): readonly Right[] {
  return objectsOf(role?.['rules']).flatMap((rule) =>
    texts(rule['apiGroups']).flatMap((group) =>
      texts(rule['resources']).flatMap((resource) =>
        texts(rule['verbs']).flatMap((verb): Right[] => {
          const names = texts(rule['resourceNames']);
          return names.length === 0 ? [{ verb, group, resource }] : names.map((name) => ({ verb, group, resource, name }));
        }),
      ),
    ),
  );
}

/** A server-side apply that made an object was asked for as a patch, and allowed as a creation as well. */
export function isAskedFor(right: Right, entries: readonly AuditEntry[]): boolean {
  return entries.some(
    ({ verb, group, resource, name, code }) =>
      (verb === right.verb || (verb === 'patch' && code === 201 && right.verb === 'create')) &&
      group === right.group &&
      resource === right.resource &&
      (right.name === undefined || right.name === name),
  );
}

/** The role without one right: rules that give it have the verb no more. */
export function without(role: JsonObject, { verb, resource }: Pick<Right, 'verb' | 'resource'>): JsonObject {
  const rules = objectsOf(role['rules']).flatMap((rule): JsonObject[] => {
    if (!texts(rule['resources']).includes(resource)) return [rule];
    const others = texts(rule['resources']).filter((each) => each !== resource);
    const verbs = texts(rule['verbs']).filter((each) => each !== verb);
    return [
      ...(others.length === 0 ? [] : [{ ...rule, resources: others }]),
      ...(verbs.length === 0 ? [] : [{ ...rule, resources: [resource], verbs }]),
    ];
  });
  return { ...role, rules };
}

export const tell = ({ verb, group, resource, name }: Right): string =>
  `${verb} ${group === '' ? '' : `${group}/`}${resource}${name === undefined ? '' : ` ${name}`}`;

const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value : []).filter((each) => typeof each === 'string');
