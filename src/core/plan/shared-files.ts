import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, apiVersionOf, groupOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { CONFIG_FOLDER } from './config-files.ts';
import { configOf, heldBy, heldProfiles, isConfigOf, keptPolicies, levelsOf, movedOn } from './held-profiles.ts';
import { identityOf, isOurs, type OldTree } from './old-tree.ts';
import { type Finding, type HostFile, type PreviousObject, type Printer, type TenantPlan, writesBoundary } from './plan-types.ts';
import { isAdmissionFile, profileOf } from './platform-files.ts';
import { removal } from './removal.ts';
import { settleFile } from './settle.ts';

export interface SettledShared {
  readonly files: readonly HostFile[];
  /** of the shared files, and of what leaves the tree outside any tenant's folder */
  readonly decisions: readonly Decision[];
  readonly removed: readonly string[];
  /** files of ours outside present tenants' folders that stay for tenants whose tree does, or for what cannot be used */
  readonly stays: readonly string[];
  /** what tenants whose tree stays have to do with shared files that change */
  readonly findings: readonly Finding[];
}

/** What must not be touched although the input does not ask for it, or not in a way that can be used. */
export interface Standing {
  /** configuration that cannot be used, as `kind name` */
  readonly broken: ReadonlySet<string>;
  /** host namespaces of tenants that are missing but not gone */
  readonly missing: ReadonlySet<string>;
}

/** The folders that belong to no tenant: what is shared, and what tenants that are gone have left. */
export function settleShared(
  shared: readonly HostFile[],
  tenants: readonly TenantPlan[],
  old: OldTree,
  { broken, missing }: Standing,
  printer: Printer | undefined,
): SettledShared {
  const owned = new Set(tenants.map(({ namespace }) => namespace));
  const frozen = new Set([...missing, ...tenants.filter((tenant) => tenant.frozen !== undefined).map(({ namespace }) => namespace)]);
  const wanted = new Set([...shared, ...tenants.flatMap(({ files }) => files)].map(({ path }) => path));
  const others = [...old.folders]
    .filter((folder) => !owned.has(folder) && !missing.has(folder))
    .flatMap((folder) => old.folder(folder))
    .filter(({ source }) => !wanted.has(source.path));
  const relabelled = tenants.filter(writesBoundary).map(({ namespace, profile }): [string, string] => [namespace, profile]);
  const held = heldProfiles(frozen, old, new Map(relabelled));
  // no profile is left, and trees are: what guards them all stays with them
  const unguarded = frozen.size > 0 && !shared.some(({ path, object }) => isGuard(path, object));
  const referred = configOf(frozen, old.folder(CONFIG_FOLDER));
  const staysAnyway = ({ object, source }: PreviousObject): boolean =>
    !isOurs(object) ||
    isFrozen(object, frozen) ||
    isOfBroken(object, broken) ||
    isConfigOf(object, referred) ||
    (unguarded && isGuard(source.path, object));
  // a profile that is still there says itself which policies it needs
  const present = new Set(shared.map(({ object }) => profileOf(object)));
  const kept = others.filter(
    (entry) => !staysAnyway(entry) && !present.has(profileOf(entry.object)) && heldBy(entry.source.path, entry.object, held) !== undefined,
  );
  const stays = (entry: PreviousObject): boolean => staysAnyway(entry) || kept.includes(entry);
  const levels = levelsOf(others.filter(stays));
  const leaving = others.filter(
    (entry) => !stays(entry) && !(kindOf(entry.object) === 'PriorityLevelConfiguration' && levels.has(nameOf(entry.object))),
  );
  const foreign = new Map<string, PreviousObject>(
    others.filter(({ object, broken }) => broken !== true && !isOurs(object)).map((entry) => [identityOf(entry.object), entry]),
  );
  const goes = leaving.map(({ source, object }) => ({ path: source.path, object }));
  const settled = shared.map((file) => {
    if (isFrozen(file.object, frozen)) return { ...file, decision: heldDecision(file, 'TenantFrozen') };
    if (broken.has(`${kindOf(file.object)} ${nameOf(file.object)}`)) return { ...file, decision: heldDecision(file, 'ConfigHeld') };
    return settleFile(file, old, { foreign, replace: false, printer });
  });
  return {
    files: settled.filter(({ decision }) => decision.action !== 'Skip'),
    decisions: [
      ...settled.map(({ decision }) => decision),
      ...leaving.map((entry) => {
        const tenant = tenants.find(({ namespace, name }) => annotationsOf(entry.object).get(KEY.tenantCluster) === `${namespace}/${name}`);
        return removal(entry, { known: owned.has(namespaceOf(entry.object) ?? ''), ...(tenant !== undefined && { tenant }) });
      }),
    ],
    removed: leaving.map(({ source }) => source.path),
    stays: [
      ...others.filter((entry) => !leaving.includes(entry) && isOurs(entry.object)).map(({ source }) => source.path),
      ...settled.flatMap(({ path, decision }) => (decision.reason === 'TenantFrozen' || decision.reason === 'ConfigHeld' ? [path] : [])),
    ],
    findings: [...movedOn([...shared, ...goes], old, held), ...keptPolicies(kept, held)],
  };
}

/** An admission policy of the whole fleet, or its binding. */
function isGuard(path: string, object: KubeObject): boolean {
  return isAdmissionFile(path) && profileOf(object) === undefined;
}

/** What stands in a shared folder for a tenant whose tree stays as it was: it stays too, since they must fit together. */
function isFrozen(object: KubeObject, frozen: ReadonlySet<string>): boolean {
  const tenant = annotationsOf(object).get(KEY.tenantCluster)?.split('/')[0];
  return frozen.has(kindOf(object) === 'TenantCluster' ? (namespaceOf(object) ?? '') : (tenant ?? ''));
}

/** What a profile that is broken or missing needs on the host: its tenants still run there. What no profile names is all of theirs. */
function isOfBroken(object: KubeObject, broken: ReadonlySet<string>): boolean {
  if (groupOf(apiVersionOf(object)) === 'tenantplane.io') return false;
  const profile = profileOf(object);
  return profile === undefined ? broken.size > 0 : broken.has(`IsolationProfile ${profile}`);
}

function heldDecision({ object, decision: { tenant, source, causes } }: HostFile, reason: 'TenantFrozen' | 'ConfigHeld'): Decision {
  const why = 'the copy of its TenantCluster waits for the rest';
  const params = { tenant: `${tenant.namespace}/${tenant.name}`, why, kind: kindOf(object), name: nameOf(object) };
  const from = source === undefined ? {} : { source };
  return decide({ tenant, ...from, flow: 'None', action: 'Skip', reason, params, causes });
}
