import { decide } from '../../core/decision/decide.ts';
import type { Decision, ObjectRef } from '../../core/decision/decision.ts';
import { everything } from '../../core/explain/find-subjects.ts';
import { KEY } from '../../core/identity/metadata.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import { PLATFORM_FOLDER } from '../../core/plan/platform-files.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { type OpenPackage, readText } from './open-package.ts';
import type { PlanPart } from './plan-part.ts';
import { fixOf, remedyFor } from './thaw.ts';

interface Standing {
  readonly path: string;
  readonly object: KubeObject;
}

/**
 * A plan in which frozen tenants have what the tree has of them: their own decisions say where the object stands, and what no
 * decision accounts for, since its source cannot be read, has one that says that it stays.
 */
export async function withStanding(part: PlanPart, open: OpenPackage): Promise<PlanPart> {
  const { plan } = part;
  if (plan.tenants.every(({ frozen }) => frozen === undefined)) return part;
  const standing = standingOf(part, open);
  const tenants: TenantPlan[] = [];
  for (const tenant of plan.tenants) {
    const files = standing.get(`${tenant.namespace}/${tenant.name}`);
    tenants.push(tenant.frozen === undefined ? tenant : told(tenant, files ?? [], await fixOf(tenant, part.texts)));
  }
  return { ...part, plan: { ...plan, tenants } };
}

/** Files of frozen tenants that no decision accounts for, by `namespace/name`. */
function standingOf({ plan }: PlanPart, open: OpenPackage): ReadonlyMap<string, readonly Standing[]> {
  const frozen = new Set(plan.tenants.filter((tenant) => tenant.frozen !== undefined).map(({ namespace, name }) => `${namespace}/${name}`));
  const homes = open.clusters.filter(({ key }) => frozen.has(key)).flatMap(({ namespace, controlPlane }) => [namespace, controlPlane]);
  const folders = new Set([...homes, PLATFORM_FOLDER]);
  const known = new Set(everything(plan).flatMap(({ decision }) => decision.host?.file ?? []));
  const found = new Map<string, Standing[]>();
  for (const path of open.hostFiles) {
    if (known.has(path) || !folders.has(path.slice(0, Math.max(0, path.indexOf('/'))))) continue;
    const text = readText(open, `${HOST_FOLDER}/${path}`);
    // only what names a tenant is worth parsing
    if (text?.includes(KEY.tenantCluster) !== true) continue;
    const object = readDocuments(text, path).objects[0]?.object;
    const key = object === undefined ? undefined : annotationsOf(object).get(KEY.tenantCluster);
    if (object === undefined || key === undefined || !frozen.has(key) || !isOurs(object)) continue;
    found.set(key, [...(found.get(key) ?? []), { path, object }]);
  }
  return found;
}

function told(tenant: TenantPlan, files: readonly Standing[], fix: string | undefined): TenantPlan {
  const left = new Map(files.map((file) => [sourceKey(sourceOf(file.object) ?? hostOf(file.object)), file]));
  const planned = tenant.decisions.map((decision): Decision => {
    const mended = (found: Decision): Decision =>
      found.reason === 'TenantFrozen' && fix !== undefined ? { ...found, remedy: remedyFor(found, fix) } : found;
    if (decision.source === undefined || decision.host !== undefined || decision.action !== 'Skip') return mended(decision);
    const key = sourceKey(decision.source);
    const file = left.get(key);
    left.delete(key);
    return mended(file === undefined ? decision : { ...decision, host: { ...hostOf(file.object), file: file.path } });
  });
  return { ...tenant, decisions: [...planned, ...[...left.values()].map((file) => staying(file, tenant, fix))] };
}

/** What stands in the tree of a frozen tenant, and is in nothing of the package that can be read. */
function staying({ path, object }: Standing, { namespace, name, frozen }: TenantPlan, fix: string | undefined): Decision {
  const source = sourceOf(object);
  const file = { path: annotationsOf(object).get(KEY.sourcePath) ?? '', document: 0 };
  const decision = decide({
    tenant: { namespace, name },
    ...(source !== undefined && file.path !== '' && { source: { ...source, file } }),
    host: { ...hostOf(object), file: path },
    flow: 'None',
    action: 'Skip',
    reason: 'TenantFrozen',
    params: { tenant: `${namespace}/${name}`, why: frozen?.replace(/\.$/, '') ?? '' },
    causes: [`TenantCluster/${name}`],
  });
  return fix === undefined ? decision : { ...decision, remedy: remedyFor(decision, fix) };
}

function hostOf(object: KubeObject): ObjectRef {
  return { apiVersion: apiVersionOf(object), kind: kindOf(object), namespace: namespaceOf(object) ?? '', name: nameOf(object) };
}

/** The tenant's object that a rendered one was made from, as its identity has it. */
function sourceOf(object: KubeObject): ObjectRef | undefined {
  const annotations = annotationsOf(object);
  const name = annotations.get(KEY.virtualName);
  return name === undefined ? undefined : { ...hostOf(object), namespace: annotations.get(KEY.virtualNamespace) ?? '', name };
}

function sourceKey({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return `${kindKey(apiVersion, kind)}|${namespace}|${name}`;
}
