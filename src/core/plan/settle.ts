import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { finding } from '../decision/finding.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, kindOf, nameOf } from '../kube/object.ts';
import { isOpening, isProjected } from './frozen-boundary.ts';
import { holdsData, identityOf, isOurs, type OldTree } from './old-tree.ts';
import type { Finding, HostFile, PreviousObject, Printer, TenantPlan } from './plan-types.ts';
import { removal } from './removal.ts';
import { withReplacement } from './replacement.ts';
import type { TenantSettings } from './settings.ts';

/** One tenant's tree beside the one that stands. */
export interface SettledTenant {
  readonly tenant: TenantPlan;
  readonly removed: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Compares a tenant's files with its folder as it stands: what is gone gets a decision, what cannot be changed in place a note,
 * and what is somebody else's is never overwritten. Objects that are known to be the same are not even looked at.
 * @param trees what this render answers for (`old`), and all that stands (`known`), which says whose the namespace was
 */
export function settleTenant(
  tenant: TenantPlan,
  settings: TenantSettings,
  trees: { readonly old: OldTree; readonly known: OldTree },
  printer: Printer | undefined,
): SettledTenant {
  const { old, known } = trees;
  if (tenant.frozen !== undefined) return { tenant, removed: [], findings: [] };
  const wanted = new Set(tenant.files.map(({ path }) => path));
  const others = old.folder(tenant.namespace).filter(({ source }) => !wanted.has(source.path));
  const leaving = others.filter(({ object }) => isOurs(object));
  const rename =
    findRename(
      tenant,
      settings,
      known.folder(tenant.namespace).filter(({ source }) => !wanted.has(source.path)),
    ) ??
    findRenamedClaim(tenant, settings, leaving) ??
    findMove(tenant, settings, known);
  if (rename !== undefined)
    return { tenant: { ...tenant, frozen: rename.message, frozenAt: rename, files: [] }, removed: [], findings: [rename] };

  return settleFiles(tenant, settings, { others, leaving, old, printer });
}

/**
 * The boundary of a frozen tenant beside what stands: openings that are asked for no more leave, and nothing that bounds it.
 * @param tenant with the files of its boundary, and no others
 */
export function settleBoundary(tenant: TenantPlan, settings: TenantSettings, old: OldTree, printer: Printer | undefined): SettledTenant {
  const wanted = new Set(tenant.files.map(({ path }) => path));
  const moved = new Set(tenant.files.map(({ object }) => identityOf(object)));
  const others = old.folder(tenant.namespace).filter(({ source }) => !wanted.has(source.path));
  const leaving = others.filter(
    ({ object }) => isOurs(object) && !isProjected(object) && (isOpening(object) || moved.has(identityOf(object))),
  );
  return settleFiles(tenant, settings, { others, leaving, old, printer });
}

interface Settling {
  /** what lies in the tenant's folder beside its files */
  readonly others: readonly PreviousObject[];
  /** what of it leaves */
  readonly leaving: readonly PreviousObject[];
  readonly old: OldTree;
  readonly printer: Printer | undefined;
}

function settleFiles(tenant: TenantPlan, settings: TenantSettings, { others, leaving, old, printer }: Settling): SettledTenant {
  const foreign = new Map(
    others.filter(({ object, broken }) => broken !== true && !isOurs(object)).map((entry) => [identityOf(entry.object), entry]),
  );
  const replaced = new Map<Decision, Decision>();
  const files: HostFile[] = [];
  for (const file of tenant.files) {
    const settled = settleFile(file, old, { foreign, replace: settings.replaceImmutable, printer });
    if (settled.decision !== file.decision) replaced.set(file.decision, settled.decision);
    if (settled.decision.action !== 'Skip') files.push(settled);
  }
  const decisions = replaced.size === 0 ? tenant.decisions : tenant.decisions.map((decision) => replaced.get(decision) ?? decision);
  const gone = leaving.length === 0 ? [] : withoutMoved(leaving, files, old).map((entry) => removal(entry, { tenant, settings }));
  return {
    tenant: { ...tenant, files, decisions: [...decisions, ...gone] },
    removed: leaving.map(({ source }) => source.path),
    findings: [],
  };
}

/** What leaves the host: an object whose file lies elsewhere from now on, since the tree is spread otherwise, stays on it. */
function withoutMoved(leaving: readonly PreviousObject[], files: readonly HostFile[], old: OldTree): readonly PreviousObject[] {
  const added = new Set(files.filter(({ path }) => old.at(path) === undefined).map(({ object }) => identityOf(object)));
  return added.size === 0 ? leaving : leaving.filter(({ object }) => !added.has(identityOf(object)));
}

interface SettleOptions {
  /** objects of others by identity, wherever they lie in the folder */
  readonly foreign: ReadonlyMap<string, PreviousObject>;
  readonly replace: boolean;
  readonly printer: Printer | undefined;
}

/** The file as it is to be written; one whose decision is a Skip is not to be written at all. */
export function settleFile(file: HostFile, tree: OldTree, { foreign, replace, printer }: SettleOptions): HostFile {
  const old = tree.at(file.path);
  const elsewhere = foreign.size === 0 ? undefined : foreign.get(identityOf(file.object));
  if (elsewhere !== undefined) return { ...file, decision: foreignDecision(file, elsewhere) };
  const text = printer?.print(file.object);
  if (old === undefined || old.matches?.(file.object, text) === true) return printed(file, text, printer);
  if (old.broken === true) return printed(file, text, printer);
  if (!isOurs(old.object)) return { ...file, decision: foreignDecision(file, old) };
  const changed = withReplacement(file, old.object, replace);
  return printed(changed, changed.object === file.object ? text : printer?.print(changed.object), printer);
}

/** A file that holds its text alone; whoever wants the object parses it. */
function printed({ path, object, decision }: HostFile, text: string | undefined, printer: Printer | undefined): HostFile {
  if (text === undefined || printer === undefined) return { path, object, decision };
  return {
    path,
    text,
    decision,
    get object() {
      return printer.parse(text);
    },
  };
}

/** A namespace whose tree belonged to a tenant of another name and holds data: under the new name every volume starts empty. */
function findRename(tenant: TenantPlan, settings: TenantSettings, leaving: readonly PreviousObject[]): Finding | undefined {
  for (const { source, object } of leaving) {
    const [namespace, old] = (annotationsOf(object).get(KEY.tenantCluster) ?? '').split('/');
    if (namespace !== tenant.namespace || old === undefined || old === tenant.name || !isOurs(object) || !holdsData(object)) continue;
    if (settings.confirmedRenameFrom === old) continue;
    return finding('RenameLosesData', { namespace, old, name: tenant.name }, source, { tenant: `${namespace}/${tenant.name}` });
  }
  return undefined;
}

/** A claim that stays in Git under the same name, and would be another object on the host: its name depends on the tenant's sets. */
function findRenamedClaim(tenant: TenantPlan, settings: TenantSettings, leaving: readonly PreviousObject[]): Finding | undefined {
  const key = `${tenant.namespace}/${tenant.name}`;
  const gone = leaving.filter(
    ({ object }) => kindOf(object) === 'PersistentVolumeClaim' && annotationsOf(object).get(KEY.tenantCluster) === key,
  );
  if (gone.length === 0) return undefined;
  const claims = new Map<string, HostFile>();
  for (const file of tenant.files) {
    const { source } = file.decision;
    if (source?.kind === 'PersistentVolumeClaim') claims.set(`${source.namespace}/${source.name}`, file);
  }
  for (const { object } of gone) {
    const annotations = annotationsOf(object);
    const source = `${annotations.get(KEY.virtualNamespace)}/${annotations.get(KEY.virtualName)}`;
    const now = claims.get(source);
    if (now?.decision.source === undefined || settings.confirmedRenameFrom === nameOf(object)) continue;
    // its file moved, as with another number of shards: on the host it is the same
    if (now.decision.host?.name === nameOf(object)) continue;
    const params = { source, now: now.decision.host?.name ?? '', old: nameOf(object) };
    return finding('ClaimRenamed', params, now.decision.source.file, { tenant: key });
  }
  return undefined;
}

/** A tenant of this name whose tree holds data in another namespace that no tenant has any more. */
function findMove(tenant: TenantPlan, settings: TenantSettings, old: OldTree): Finding | undefined {
  if (old.folder(tenant.namespace).length > 0) return undefined;
  const namespace = old.homeOfData(tenant.name);
  if (namespace === undefined || namespace === tenant.namespace || settings.confirmedRenameFrom === namespace) return undefined;
  const params = { name: tenant.name, old: namespace, namespace: tenant.namespace };
  return finding('TenantMoved', params, tenant.decisions[0]?.source?.file ?? { path: 'host', document: 0 }, {
    tenant: `${tenant.namespace}/${tenant.name}`,
  });
}

function foreignDecision(file: HostFile, old: PreviousObject): Decision {
  const { tenant, source, causes } = file.decision;
  const params = { host: `${kindOf(file.object)} ${nameOf(file.object)}`, file: `host/${old.source.path}` };
  const from = source === undefined ? {} : { source };
  return decide({ tenant, ...from, flow: 'None', action: 'Skip', reason: 'HostObjectForeign', params, causes });
}
