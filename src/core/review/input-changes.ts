import { equal, type Json, type JsonObject } from '../kube/json.ts';
import { apiVersionOf, kindKey, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { type Assignment, assign, isFunctionConfig, isHostFacts, objectsFolder } from '../plan/assign.ts';
import type { Finding, InputObject, Plan, RenderConfig } from '../plan/plan-types.ts';
import { compare, sourceRef } from '../plan/subjects.ts';
import type { Source } from '../plan/tenant-context.ts';
import { compareFields } from './field-changes.ts';
import type { InputChange } from './review.ts';
import type { PlanInput, Sides } from './sides.ts';

export const CONFIG_ID = 'RenderTenant';

interface Input {
  readonly role: InputChange['role'];
  readonly tenant?: string;
  readonly ref: InputChange['ref'];
  /** more than one where the package defines it more than once */
  readonly inputs: InputObject[];
}

/** What was edited, and which object of the input stands at a place. */
export interface InputChanges {
  readonly changes: ReadonlyMap<string, InputChange>;
  idAt(side: keyof Sides<unknown>, source: Source): string | undefined;
}

/** Objects of the input that are not the same on both sides, by what they are; a file that only moved, or a comment, is nothing. */
export function inputChanges(sides: Sides<PlanInput>): InputChanges {
  const [before, after] = [inputsById(sides.before), inputsById(sides.after)];
  const changes = new Map<string, InputChange>();
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort(compare)) {
    const change = changeOf(id, before.get(id), after.get(id));
    if (change !== undefined) changes.set(id, change);
  }
  // A field of the config object is a change of that object already; what flags say is a change all the same.
  if (!changes.has(CONFIG_ID) && !equal(configJson(sides.before.config), configJson(sides.after.config)))
    changes.set(CONFIG_ID, configChange(sides));
  const places = { before: placesOf(before), after: placesOf(after) };
  return { changes, idAt: (side, source) => places[side].get(placeKey(source)) };
}

/** Files that one side cannot read and the other can, or that are wrong in another way: what they hold is in no object. */
export function fileChanges(plans: Sides<Plan>, input: Sides<PlanInput>): InputChange[] {
  const keys = ({ findings }: Plan, { unreadable = [] }: PlanInput): ReadonlyMap<string, Finding> => {
    const unread = new Set(unreadable.map(findingKey));
    return new Map(findings.filter((found) => unread.has(findingKey(found))).map((found) => [findingKey(found), found]));
  };
  const [was, is] = [keys(plans.before, input.before), keys(plans.after, input.after)];
  const changed = [...was, ...is].filter(([key]) => was.has(key) !== is.has(key)).map(([, found]) => found);
  const byPath = new Map(changed.map((found) => [found.source.path, found]));
  return [...byPath].map(([path, { source, tenant }]) => ({
    id: `file:${path}`,
    verb: 'changed',
    role: tenant === undefined ? 'config' : 'object',
    ref: { apiVersion: '', kind: 'File', namespace: '', name: path },
    ...(tenant !== undefined && { tenant }),
    file: path,
    document: source.document,
    ...(source.line !== undefined && { line: source.line }),
    fields: [],
  }));
}

function findingKey({ source, message }: Finding): string {
  return `${source.path} ${message}`;
}

function inputsById({ inputs, config }: PlanInput): Map<string, Input> {
  const found = new Map<string, Input>();
  const assignment = assign(inputs, config);
  const add = (input: InputObject, id: string, role: Input['role'], tenant?: string): void => {
    const known = found.get(id);
    if (known === undefined) found.set(id, { role, ref: refOf(input, role), inputs: [input], ...(tenant !== undefined && { tenant }) });
    else known.inputs.push(input);
  };
  for (const input of inputs) {
    if (isFunctionConfig(input.object) && !isHostFacts(input.object) && !input.source.path.includes('/'))
      add(input, configId(input), 'config');
  }
  for (const [input, role] of configObjects(assignment)) {
    const { object } = input;
    const name = nameOf(object);
    if (role === 'tenant') add(input, `TenantCluster/${namespaceOf(object) ?? ''}/${name}`, role, `${namespaceOf(object) ?? ''}/${name}`);
    else add(input, `${kindOf(object)}/${name}`, role);
  }
  for (const [tenant, owned] of assignment.owned) for (const input of owned) add(input, `${tenant}:${subjectId(input)}`, 'object', tenant);
  for (const input of assignment.orphans) add(input, `${objectsFolder(input.source.path) ?? ''}/objects:${subjectId(input)}`, 'object');
  return found;
}

function configObjects({ tenantClusters, profiles, policies, platform }: Assignment): readonly (readonly [InputObject, Input['role']])[] {
  const as =
    (role: Input['role']) =>
    (input: InputObject): readonly [InputObject, Input['role']] => [input, role];
  return [
    ...tenantClusters.map(as('tenant')),
    ...profiles.map(as('profile')),
    ...policies.map(as('policy')),
    ...platform.map((input) => as(isHostFacts(input.object) ? 'facts' : 'config')(input)),
  ];
}

function configId({ object }: InputObject): string {
  return kindOf(object) === 'RenderTenant' ? CONFIG_ID : `${kindOf(object)}/${nameOf(object)}`;
}

function subjectId(input: InputObject): string {
  const { apiVersion, kind, namespace, name } = sourceRef(input);
  return `${kindKey(apiVersion, kind)}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function refOf(input: InputObject, role: Input['role']): InputChange['ref'] {
  const { object } = input;
  const { namespace } = sourceRef(input);
  return {
    apiVersion: apiVersionOf(object),
    kind: kindOf(object),
    namespace: role === 'object' ? namespace : (namespaceOf(object) ?? ''),
    name: nameOf(object),
  };
}

function changeOf(id: string, before: Input | undefined, after: Input | undefined): InputChange | undefined {
  const side = after ?? before;
  // Where an object is defined more than once, definitions that both sides have are no change.
  const gone = without(before?.inputs ?? [], after?.inputs ?? []);
  const come = without(after?.inputs ?? [], before?.inputs ?? []);
  const [was, is] = [gone[0], come[0]];
  const fields = was === undefined || is === undefined ? [] : compareFields(was.object, is.object);
  const meant = was === undefined || is === undefined || fields.length > 0 || gone.length !== come.length;
  const standing = is ?? was;
  if (side === undefined || standing === undefined || !meant) return undefined;
  const { source } = standing;
  return {
    id,
    verb: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    role: side.role,
    ref: side.ref,
    ...(side.tenant !== undefined && { tenant: side.tenant }),
    file: source.path,
    document: source.document,
    ...(source.line !== undefined && { line: source.line }),
    fields,
  };
}

function without(inputs: readonly InputObject[], others: readonly InputObject[]): readonly InputObject[] {
  return inputs.filter(({ object }) => !others.some((other) => equal(object, other.object)));
}

function configChange({ before, after }: Sides<PlanInput>): InputChange {
  const ref = { apiVersion: 'fn.tenantplane.io/v1alpha1', kind: CONFIG_ID, namespace: '', name: '' };
  return {
    id: CONFIG_ID,
    verb: 'changed',
    role: 'config',
    ref,
    file: '',
    document: 0,
    fields: compareFields(configJson(before.config), configJson(after.config)),
  };
}

/** The config without what is a tenant's name only: as the fields of a RenderTenant. */
function configJson({ host, output, allowEmpty, maxDeletions, scope }: RenderConfig): JsonObject {
  const spec: Record<string, Json | undefined> = {
    host: Object.fromEntries(Object.entries(host).filter(([, value]) => value !== undefined)) as JsonObject,
    output: { ...output },
    allowEmpty,
    scope,
    ...(maxDeletions !== undefined && { maxDeletions }),
  };
  return { spec };
}

function placesOf(inputs: ReadonlyMap<string, Input>): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [id, { inputs: all }] of inputs) for (const { source } of all) places.set(placeKey(source), id);
  return places;
}

function placeKey({ path, document }: Source): string {
  return `${path}#${document}`;
}
