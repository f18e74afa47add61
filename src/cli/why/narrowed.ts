import type { Decision, ObjectRef } from '../../core/decision/decision.ts';
import type { Found } from '../../core/explain/find-subjects.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { CONFIG_FOLDER } from '../../core/plan/config-files.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import { plan } from '../../core/plan/plan.ts';
import type { InputObject, TenantPlan } from '../../core/plan/plan-types.ts';
import { compareFields } from '../../core/review/field-changes.ts';
import type { FieldChange } from '../../core/review/review.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { type OpenPackage, readText } from './open-package.ts';
import { type FilePlace, placeAt } from './places.ts';
import type { PlanPart } from './plan-part.ts';

/** That the tree still has what a render would take out, since its source is refused now. */
export interface Leaving {
  /** by which the host object leaves */
  readonly removal: Decision;
  /** configuration that changed since the tree was rendered, and but for which the object would still be projected */
  readonly narrowedBy: readonly Narrowing[];
  /** what of it changed where the object, as it is now, was not projected before either */
  readonly changed: readonly Narrowing['object'][];
  /** kinds of configuration of which the tree has no copy to compare with */
  readonly unknown: readonly string[];
}

export interface Narrowing {
  readonly object: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>;
  readonly place: FilePlace;
  /** what is not as the tree has it */
  readonly fields: readonly FieldChange[];
}

/** @returns undefined where nothing of the object stands in the tree, or nothing that a refusal takes out */
export async function leavingOf({ decision, tenant }: Found, open: OpenPackage, part: PlanPart): Promise<Leaving | undefined> {
  const pair = tenant === undefined ? undefined : pairOf(decision, tenant);
  if (tenant === undefined || pair === undefined) return undefined;
  const { refused, removal } = pair;
  const changes: Change[] = [];
  const unknown: string[] = [];
  for (const input of configOf(tenant, part.inputs)) {
    const copy = copyOf(input.object, open);
    if (copy === undefined) unknown.push(kindOf(input.object));
    const fields = copy === undefined ? [] : compareFields(copy, input.object).filter(({ path }) => path.startsWith('spec'));
    if (copy !== undefined && fields.length > 0) changes.push({ input, copy, fields });
  }
  const projects = (which: readonly Change[]): boolean => projectedUnder(which, refused, part);
  const alone = changes.filter((change) => projects([change]));
  const narrowing = alone.length > 0 || changes.length < 2 || !projects(changes) ? alone : changes;
  const narrowedBy: Narrowing[] = [];
  for (const { input, fields } of narrowing) {
    const [first] = fields;
    narrowedBy.push({ object: refOf(input.object), place: await placeAt(input.source, placePointer(first), part.texts), fields });
  }
  return { removal, narrowedBy, changed: narrowing.length > 0 ? [] : changes.map(({ input }) => refOf(input.object)), unknown };
}

interface Change {
  readonly input: InputObject;
  readonly copy: KubeObject;
  readonly fields: readonly FieldChange[];
}

/** The refusal of an object and the removal of what the tree has of it, whichever of them was asked for. */
function pairOf(decision: Decision, { decisions }: TenantPlan): { readonly refused: Decision; readonly removal: Decision } | undefined {
  const isRemoval = ({ action, reason }: Decision): boolean => action === 'Delete' && reason === 'ScopeRemoved';
  if (isRemoval(decision)) {
    const refused = decisions.find((other) => other.action === 'Skip' && isSourceOf(other, decision));
    return refused === undefined ? undefined : { refused, removal: decision };
  }
  const removal = decision.action === 'Skip' ? decisions.find((other) => isRemoval(other) && isSourceOf(decision, other)) : undefined;
  return removal === undefined ? undefined : { refused: decision, removal };
}

function isSourceOf({ source }: Decision, { host, params }: Decision): boolean {
  if (source === undefined || host === undefined) return false;
  const same = kindKey(source.apiVersion, source.kind) === kindKey(host.apiVersion, host.kind);
  return same && params['source'] === `${source.kind} ${source.namespace}/${source.name}`;
}

/** TenantCluster, policy and profile of a tenant. */
function configOf({ namespace, name, policy, profile }: TenantPlan, inputs: readonly InputObject[]): readonly InputObject[] {
  return inputs.filter(({ object }) => {
    if (!apiVersionOf(object).startsWith('tenantplane.io/')) return false;
    const kind = kindOf(object);
    if (kind === 'TenantCluster') return nameOf(object) === name && namespaceOf(object) === namespace;
    return nameOf(object) === (kind === 'SyncPolicy' ? policy : kind === 'IsolationProfile' ? profile : undefined);
  });
}

/** As the tree has it, which is as it was when that was last rendered. */
function copyOf(object: KubeObject, open: OpenPackage): KubeObject | undefined {
  const { kind, namespace, name } = refOf(object);
  for (const path of open.hostFiles) {
    if (!path.startsWith(`${CONFIG_FOLDER}/${kind.toLowerCase()}.`)) continue;
    const text = readText(open, `${HOST_FOLDER}/${path}`) ?? '';
    const copy = text.includes(name) ? readDocuments(text, path).objects[0]?.object : undefined;
    if (copy === undefined || !isOurs(copy)) continue;
    const other = refOf(copy);
    if (other.kind === kind && other.namespace === namespace && other.name === name) return copy;
  }
  return undefined;
}

/** Whether the object would be projected, had these not changed: only the planner knows. */
function projectedUnder(changes: readonly Change[], { source }: Decision, { observed }: PlanPart): boolean {
  const before = new Map(changes.map(({ input, copy }) => [input, { ...input, object: { ...input.object, spec: copy['spec'] ?? {} } }]));
  const { tenants } = plan({ ...observed, inputs: observed.inputs.map((input) => before.get(input) ?? input) });
  const isSame = (other: Decision['source']): boolean =>
    other?.file.path === source?.file.path && other?.file.document === source?.file.document && other?.name === source?.name;
  return tenants.some(({ decisions }) => decisions.some(({ action, source: other }) => action === 'Create' && isSame(other)));
}

/** Where a field was taken away, what held it. */
function placePointer(field: FieldChange | undefined): string {
  if (field === undefined) return '';
  return field.op === 'Remove' ? field.pointer.slice(0, field.pointer.lastIndexOf('/')) : field.pointer;
}

function refOf(object: KubeObject): ObjectRef {
  return { apiVersion: apiVersionOf(object), kind: kindOf(object), namespace: namespaceOf(object) ?? '', name: nameOf(object) };
}
