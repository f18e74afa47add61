import { decide, decisionNote } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { finding } from '../decision/finding.ts';
import type { ReasonName } from '../decision/reasons.ts';
import { KEY, labelValue, MANAGED_BY } from '../identity/metadata.ts';
import { at, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, labelsOf, nameOf, namespaceOf } from '../kube/object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import type { Note } from '../translate/edit.ts';
import { keptOnPrune, REPLACE } from './delivery.ts';
import { immutableChanges } from './immutable.ts';
import type { Finding, HostFile, PreviousObject, TenantPlan } from './plan-types.ts';
import type { TenantSettings } from './settings.ts';
import { compare } from './subjects.ts';

/** The tree as it stands beside the tree as it should be. */
export interface Settled {
  readonly tenants: readonly TenantPlan[];
  readonly shared: readonly HostFile[];
  readonly decisions: readonly Decision[];
  readonly removed: readonly string[];
  readonly findings: readonly Finding[];
}

/** What is ours to replace or remove: our label and our identity, and nothing that a controller made (projection rules, section 1). */
export function isOurs(object: KubeObject): boolean {
  const annotations = annotationsOf(object);
  const labels = labelsOf(object);
  return (
    labels.get(KEY.managedBy) === MANAGED_BY &&
    annotations.get(KEY.origin) === 'git' &&
    sameTenant(annotations.get(KEY.tenantCluster), labels.get(KEY.tenant)) &&
    !Array.isArray(objectAt(object, 'metadata')?.['ownerReferences'])
  );
}

/** Label and annotation name one tenant; copies of configuration carry neither. Anything else was written by someone else. */
function sameTenant(cluster: string | undefined, label: string | undefined): boolean {
  if (cluster === undefined) return label === undefined;
  const [namespace, name, ...more] = cluster.split('/');
  return namespace !== undefined && namespace !== '' && name !== undefined && more.length === 0 && label === labelValue(name);
}

/**
 * Compares with the old tree: what is gone gets a decision, what cannot be changed in place a note, and a file that is somebody
 * else's is never overwritten. Objects that are known to be the same are not even looked at.
 */
export function settle(
  planned: readonly TenantPlan[],
  shared: readonly HostFile[],
  previous: readonly PreviousObject[],
  settingsOf: ReadonlyMap<string, TenantSettings>,
): Settled {
  const byPath = new Map<string, PreviousObject>();
  for (const entry of previous) if (!byPath.has(entry.source.path)) byPath.set(entry.source.path, entry);
  const wanted = new Set<string>(shared.map(({ path }) => path));
  for (const tenant of planned) for (const { path } of tenant.files) wanted.add(path);
  const unwanted = [...byPath.values()].filter(({ source }) => !wanted.has(source.path));
  const extra = unwanted.filter(({ object }) => isOurs(object));
  const old: OldTree = {
    byPath,
    foreign: new Map(unwanted.filter(({ object }) => !isOurs(object)).map((entry) => [identityOf(entry.object), entry])),
  };

  const renames = findRenames(planned, extra, settingsOf);
  const frozen = new Set(planned.filter((tenant) => tenant.frozen !== undefined).map((tenant) => tenant.namespace));
  for (const namespace of renames.keys()) frozen.add(namespace);
  const tenants = planned.map((tenant) => {
    const rename = renames.get(tenant.namespace);
    return rename === undefined
      ? settleTenant(tenant, old, settingsOf.get(tenant.namespace))
      : { ...tenant, frozen: rename.message, files: [] };
  });

  const leaving = extra.filter(({ source, object }) => !frozen.has(folderOf(source.path)) && !isFrozenConfig(object, frozen));
  const gone = leaving.map((entry) => removal(entry, tenants, settingsOf.get(folderOf(entry.source.path))));
  return {
    ...attach(tenants, gone),
    shared: shared.map((file) => (isFrozenConfig(file.object, frozen) ? held(file) : settleFile(file, old, undefined))),
    removed: leaving.map(({ source }) => source.path).sort(compare),
    findings: [...renames.values()],
  };
}

/** The reconciler's TenantCluster of a tenant whose tree stays as it was: it stays too, since the two must fit together. */
function isFrozenConfig(object: KubeObject, frozen: ReadonlySet<string>): boolean {
  return kindOf(object) === 'TenantCluster' && frozen.has(namespaceOf(object) ?? '');
}

function held(file: HostFile): HostFile {
  const { tenant, source, causes } = file.decision;
  const params = { tenant: `${tenant.namespace}/${tenant.name}`, why: 'its other files do' };
  const decision = decide({
    tenant,
    ...(source !== undefined && { source }),
    flow: 'None',
    action: 'Skip',
    reason: 'TenantFrozen',
    params,
    causes,
  });
  return { ...file, decision };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf('/')));
}

/** What stands in the tree, and what of it is somebody else's wherever it lies. */
interface OldTree {
  readonly byPath: ReadonlyMap<string, PreviousObject>;
  readonly foreign: ReadonlyMap<string, PreviousObject>;
}

function identityOf(object: KubeObject): string {
  return `${kindKey(apiVersionOf(object), kindOf(object))}|${namespaceOf(object) ?? ''}|${nameOf(object)}`;
}

function settleTenant(tenant: TenantPlan, old: OldTree, settings: TenantSettings | undefined): TenantPlan {
  const replaced = new Map<Decision, Decision>();
  const files: HostFile[] = [];
  for (const file of tenant.files) {
    const settled = settleFile(file, old, settings);
    if (settled.decision !== file.decision) replaced.set(file.decision, settled.decision);
    if (settled.decision.action !== 'Skip') files.push(settled);
  }
  return replaced.size === 0
    ? tenant
    : { ...tenant, files, decisions: tenant.decisions.map((decision) => replaced.get(decision) ?? decision) };
}

/** The file as it is to be written; one whose decision is a Skip is not to be written at all. */
function settleFile(file: HostFile, tree: OldTree, settings: TenantSettings | undefined): HostFile {
  const old = tree.byPath.get(file.path);
  const elsewhere = tree.foreign.size === 0 ? undefined : tree.foreign.get(identityOf(file.object));
  if (elsewhere !== undefined) return { ...file, decision: foreign(file, elsewhere) };
  if (old === undefined || old.matches?.(file.object) === true) return file;
  return isOurs(old.object) ? withReplacement(file, old.object, settings) : { ...file, decision: foreign(file, old) };
}

/** A namespace whose tree belonged to a tenant of another name and holds data: under the new name every volume starts empty. */
function findRenames(
  tenants: readonly TenantPlan[],
  extra: readonly PreviousObject[],
  settingsOf: ReadonlyMap<string, TenantSettings>,
): ReadonlyMap<string, Finding> {
  const findings = new Map<string, Finding>();
  const byNamespace = new Map(tenants.map((tenant) => [tenant.namespace, tenant]));
  for (const { source, object } of extra) {
    const tenant = byNamespace.get(folderOf(source.path));
    const [namespace, old] = (annotationsOf(object).get(KEY.tenantCluster) ?? '').split('/');
    if (tenant === undefined || namespace !== tenant.namespace || old === undefined || old === tenant.name || !holdsData(object)) continue;
    if (settingsOf.get(tenant.namespace)?.confirmedRenameFrom === old) continue;
    const key = `${tenant.namespace}/${tenant.name}`;
    findings.set(tenant.namespace, finding('RenameLosesData', { namespace, old, name: tenant.name }, source, { tenant: key }));
  }
  return findings;
}

function holdsData(object: KubeObject): boolean {
  const kind = kindOf(object);
  return (
    kind === 'PersistentVolumeClaim' || (kind === 'StatefulSet' && objectsOf(objectAt(object, 'spec')?.['volumeClaimTemplates']).length > 0)
  );
}

function attach(tenants: readonly TenantPlan[], gone: readonly Decision[]): Pick<Settled, 'tenants' | 'decisions'> {
  const owned = new Map<string, Decision[]>(tenants.map(({ namespace }) => [namespace, []]));
  const decisions: Decision[] = [];
  for (const decision of gone) (owned.get(decision.tenant.namespace) ?? decisions).push(decision);
  return {
    tenants: tenants.map((tenant) => {
      const more = owned.get(tenant.namespace) ?? [];
      return more.length === 0 ? tenant : { ...tenant, decisions: [...tenant.decisions, ...more] };
    }),
    decisions,
  };
}

function foreign(file: HostFile, old: PreviousObject): Decision {
  const { tenant, source, causes } = file.decision;
  const params = { host: `${kindOf(old.object)} ${nameOf(old.object)}`, file: `host/${old.source.path}` };
  return decide({
    tenant,
    ...(source !== undefined && { source }),
    flow: 'None',
    action: 'Skip',
    reason: 'HostObjectForeign',
    params,
    causes,
  });
}

function withReplacement(file: HostFile, before: JsonObject, tenant: TenantSettings | undefined): HostFile {
  const changes = immutableChanges(before, file.object);
  const handedOver = at(before, 'spec', 'replicas') !== undefined && at(file.object, 'spec', 'replicas') === undefined;
  if (changes.length === 0 && !handedOver) return file;
  const notes: Note[] = handedOver
    ? [{ reason: 'ReplicasHandedOver', params: { host: `${kindOf(file.object)} ${nameOf(file.object)}` }, path: ['spec', 'replicas'] }]
    : [];
  const replaced: Note[] = changes.map(({ path, before: was, after, fix }) => ({
    reason: 'ReplaceNeeded',
    params: { host: `${kindOf(file.object)} ${nameOf(file.object)}`, before: was, after, fix },
    path,
  }));
  const decision: Decision = { ...file.decision, notes: [...file.decision.notes, ...[...notes, ...replaced].map(decisionNote)] };
  if (changes.length === 0 || tenant?.replaceImmutable !== true || !changes.every(({ replaceable }) => replaceable))
    return { ...file, decision };
  const object: JsonObject = { ...file.object };
  stampMetadata(object, {}, REPLACE);
  return { ...file, object, decision };
}

function removal(
  { object, source: { path } }: PreviousObject,
  tenants: readonly TenantPlan[],
  settings: TenantSettings | undefined,
): Decision {
  const annotations = annotationsOf(object);
  const cluster = annotations.get(KEY.tenantCluster);
  // A copy of configuration belongs to no tenant, but for that of a TenantCluster.
  const ofCluster = kindOf(object) === 'TenantCluster' ? `${namespaceOf(object) ?? ''}/${nameOf(object)}` : '';
  const [namespace = '', name = ''] = (cluster ?? ofCluster).split('/');
  const virtualNamespace = annotations.get(KEY.virtualNamespace);
  const virtualName = annotations.get(KEY.virtualName);
  const host = {
    apiVersion: apiVersionOf(object),
    kind: kindOf(object),
    namespace: namespaceOf(object) ?? '',
    name: nameOf(object),
    file: path,
  };
  const owner = tenants.find((tenant) => tenant.namespace === namespace && tenant.name === name);
  const source = virtualName === undefined ? `${host.kind} ${host.name}` : `${host.kind} ${virtualNamespace}/${virtualName}`;
  const skipped = owner?.decisions.find(
    (decision) =>
      decision.action === 'Skip' &&
      decision.source !== undefined &&
      decision.source.name === virtualName &&
      decision.source.namespace === virtualNamespace &&
      kindKey(decision.source.apiVersion, decision.source.kind) === kindKey(host.apiVersion, host.kind),
  );
  const [reason, params]: [ReasonName, Readonly<Record<string, string>>] =
    cluster === undefined && (owner !== undefined || name === '')
      ? ['ScopeRemoved', { source, why: 'the package no longer holds it, or output.config leaves it out' }]
      : owner === undefined
        ? ['TenantRemoved', { tenant: `${namespace}/${name}` }]
        : skipped === undefined
          ? ['SourceRemoved', { source }]
          : ['ScopeRemoved', { source, why: `${skipped.code} ${skipped.reason}` }];
  const kept = keptOnPrune(object, settings ?? { pruneVolumes: false });
  return decide({
    tenant: { namespace, name },
    host,
    flow: 'ToHost',
    action: 'Delete',
    reason,
    params,
    causes: [cluster === undefined ? 'output.config' : `TenantCluster/${name}`],
    ...(kept && {
      notes: [{ reason: 'DataLeftBehind', params: { host: `${host.kind} ${host.name}`, why: 'it is kept on prune' } }],
    }),
  });
}
