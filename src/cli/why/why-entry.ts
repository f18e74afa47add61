import type { Decision, ObjectRef } from '../../core/decision/decision.ts';
import type { Found } from '../../core/explain/find-subjects.ts';
import type { ControlRow } from '../../core/isolation/controls.ts';
import { stringAt } from '../../core/kube/json.ts';
import { kindOf, nameOf } from '../../core/kube/object.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import { onDisk } from '../render/on-disk.ts';
import { type LastChange, type Lines, lastChange } from './git-facts.ts';
import { type Held, heldOf, mended } from './held.ts';
import { type HostFileState, hostFileState } from './host-file-state.ts';
import { type Leaving, leavingOf } from './narrowed.ts';
import type { OpenPackage } from './open-package.ts';
import { type FilePlace, linesOf, type PlacedCause, placedCause } from './places.ts';
import type { PlanPart } from './plan-part.ts';
import { sourcelessWords } from './sourceless.ts';

/** All that is known of one subject, found once for every printer. */
export interface WhyEntry {
  readonly found: Found;
  readonly decision: Decision;
  readonly source?: FilePlace;
  readonly causes: readonly PlacedCause[];
  readonly file?: HostFileState;
  /** why a render leaves the tree as it is */
  readonly held?: Held;
  /** that nothing can be read any more of what it was made from, in words */
  readonly sourceless?: string;
  /** of what is refused: what still stands of it in the tree, and what narrowed it */
  readonly leaving?: Leaving;
  /** declared controls that a compiled object enforces, each with its tenant */
  readonly enforces: readonly Enforced[];
  /** tenants whose profile a shared object is made for, by their TenantClusters */
  readonly users: readonly string[];
  readonly git?: GitFacts;
  /** the tenant's object, where it has one */
  readonly input?: InputObject;
}

export interface Enforced {
  readonly tenant: string;
  readonly control: ControlRow;
}

export interface GitFacts {
  readonly source?: LastChange;
  readonly rule?: LastChange;
  readonly file?: LastChange;
}

export interface EntryOptions {
  readonly git: boolean;
  readonly platform?: string;
}

export async function whyEntry(found: Found, open: OpenPackage, part: PlanPart, options: EntryOptions): Promise<WhyEntry> {
  const { decision } = found;
  const source = decision.source?.file;
  const input =
    source === undefined
      ? undefined
      : part.inputs.find(
          ({ source: { path, document }, object }) =>
            path === source.path && document === source.document && nameOf(object) === decision.source?.name,
        );
  const causes: PlacedCause[] = [];
  for (const text of decision.causes) causes.push(await placedCause(text, decision.tenant, open));
  const held = await mended(heldOf(part.plan, found.tenant, decision), found.tenant, decision, part.texts);
  const leaving = await leavingOf(found, open, part);
  const file = hostFileState(leaving === undefined ? found : { ...found, decision: leaving.removal }, open, held);
  const sourceless = sourcelessWords(decision, part);
  const entry: WhyEntry = {
    found,
    decision,
    ...(source !== undefined && { source: { path: source.path, ...(source.line !== undefined && { line: source.line }) } }),
    causes,
    ...(file !== undefined && { file }),
    ...(held !== undefined && { held }),
    ...(sourceless !== undefined && { sourceless }),
    ...(leaving !== undefined && { leaving }),
    enforces: source === undefined && decision.host !== undefined ? enforced(decision.host, part) : [],
    users: decision.tenant.name === '' && decision.source === undefined ? usersOf(decision.params['profile'] ?? '', open) : [],
    ...(input !== undefined && { input }),
  };
  if (!options.git) return entry;
  const git = await gitFacts(entry, open, part, options);
  return { ...entry, git, ...(file !== undefined && { file: toldApart(file, git) }) };
}

/** Whether a file that differs is stale or was edited, where the dates of its last change and of its causes say so. */
function toldApart(file: HostFileState, { file: own, source, rule }: GitFacts): HostFileState {
  if (file.state !== 'differs' || own === undefined) return file;
  const edited = { ...file, state: 'edited' as const };
  if (own.commit === undefined) return { ...file, words: 'differs from a render, and is not as it was committed' };
  const causes = [source, rule].flatMap((change) => (change === undefined ? [] : [change]));
  if (causes.some(({ commit }) => commit === undefined))
    return { ...file, words: 'is stale: its source or rule has changes that are not committed' };
  const newest = Math.max(...causes.map(({ date }) => Date.parse(date ?? '')));
  const last = Date.parse(own.date ?? '');
  if (last < newest) return { ...file, words: 'is stale: its source or rule was changed after it' };
  return last > newest ? { ...edited, words: 'was edited by hand: it was changed after its source and rule' } : file;
}

function enforced({ kind, name }: ObjectRef, part: PlanPart): readonly Enforced[] {
  // a binding enforces what its policy says
  const ref = `${kind.replace(/^ValidatingAdmissionPolicyBinding$/, 'ValidatingAdmissionPolicy')}/${name}`;
  return part.plan.tenants.flatMap(({ namespace, name: tenant, controls }) =>
    controls.filter((control) => control.enforcedBy.includes(ref)).map((control) => ({ tenant: `${namespace}/${tenant}`, control })),
  );
}

function usersOf(profile: string, open: OpenPackage): readonly string[] {
  return open.config
    .filter(({ object }) => kindOf(object) === 'TenantCluster' && stringAt(object, 'spec', 'isolationProfileRef', 'name') === profile)
    .map(({ object }) => `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`)
    .sort();
}

/** @param path as sources have it, also of another package (`--platform`) */
export function changeOf(path: string, open: OpenPackage, platform: string | undefined, lines?: Lines): Promise<LastChange> {
  const { folder, file } = onDisk(path, { root: open.root, ...(platform !== undefined && { platform }) });
  return lastChange(folder, file, lines);
}

async function gitFacts(
  { decision, causes, leaving }: WhyEntry,
  open: OpenPackage,
  part: PlanPart,
  { platform }: EntryOptions,
): Promise<GitFacts> {
  const last = (path: string, lines?: Lines): Promise<LastChange> => changeOf(path, open, platform, lines);
  const source = decision.source?.file;
  const rule = causes.find(({ place }) => place !== undefined)?.place;
  const host = (leaving?.removal ?? decision).host?.file;
  return {
    ...(source !== undefined && { source: await last(source.path, linesOf(source, part)) }),
    ...(rule !== undefined && { rule: await last(rule.path) }),
    ...(host !== undefined && { file: await last(`host/${host}`) }),
  };
}
