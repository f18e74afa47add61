import { type HostName, hostName, type NamedHost, type NameLimits } from '../identity/host-name.ts';
import { labelValue } from '../identity/metadata.ts';
import { at, objectsOf, stringAt } from '../kube/json.ts';
import { type KindRow, kindRow } from '../kube/kinds.ts';
import { labelsOf } from '../kube/object.ts';
import { nameLimitsOf } from '../translate/workloads/name-limits.ts';
import type { HostFacts, PolicySettings, ProfileSettings, TenantSettings } from './settings.ts';
import type { Subject, TenantContext } from './tenant-context.ts';

const OWN_LIMITS: ReadonlySet<string> = new Set(['Job.batch', 'CronJob.batch']);
const CUSTOM: NameLimits = { nameLimit: 63, dots: true };
/** The name of every namespace, as the API server labels it (KEP-2161). */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

export interface ContextInput {
  readonly tenant: TenantSettings;
  readonly profile: ProfileSettings;
  readonly policy: PolicySettings;
  readonly host: HostFacts;
  readonly subjects: readonly Subject[];
  /** whether scope and policy let an object through, before any look at its content */
  covered(subject: Subject): boolean;
  /** whether nothing in the object itself keeps it off the host; asked only once the context is there */
  sound(subject: Subject): boolean;
}

/** Everything about one tenant that checks and translations may read, with indexes. */
export function createContext(input: ContextInput): TenantContext {
  const { tenant, profile, policy, host, subjects } = input;
  const byKind = new Map<string, Subject[]>();
  const byName = new Map<string, Map<string, Subject>>();
  for (const subject of subjects) {
    const list = byKind.get(subject.key);
    if (list === undefined) byKind.set(subject.key, [subject]);
    else list.push(subject);
    const place = `${subject.key}|${subject.virtualNamespace}`;
    const names = byName.get(place);
    if (names === undefined) byName.set(place, new Map([[subject.name, subject]]));
    else names.set(subject.name, subject);
  }
  const find = (kind: string, virtualNamespace: string, name: string): Subject | undefined =>
    byName.get(`${kind}|${virtualNamespace}`)?.get(name);

  const named = (kind: string, virtualNamespace: string, name: string): NamedHost => {
    // Only Indexed Jobs have limits of their own; every other kind's stand in the table.
    const subject = OWN_LIMITS.has(kind) ? find(kind, virtualNamespace, name) : undefined;
    return hostName(name, virtualNamespace, tenant.name, subject === undefined ? rowLimits(kindRow(kind)) : nameLimitsOf(subject));
  };
  // Both are worked out when first asked for, since they look at which objects are sound, and checks read this context.
  let claims: ReturnType<typeof claimPrefixes> | undefined;
  const claimOf = (virtualNamespace: string, name: string): HostName | undefined => {
    claims ??= claimPrefixes(
      (byKind.get('StatefulSet.apps') ?? []).filter((set) => input.covered(set) && input.sound(set)),
      (set) => named(set.key, set.virtualNamespace, set.name).name,
    );
    return claims(virtualNamespace, name);
  };
  let main = tenant.mainNamespace;

  return {
    tenant,
    profile,
    policy,
    host,
    tenantLabel: labelValue(tenant.name),
    get mainNamespace() {
      main ??= soleNamespaceWithPods(subjects, input) ?? 'default';
      return main;
    },
    namespaces: namespaceLabels(subjects),
    hostName: named,
    claimName: (virtualNamespace, name) => claimOf(virtualNamespace, name) ?? named('PersistentVolumeClaim', virtualNamespace, name).name,
    find,
    all: (kind) => byKind.get(kind) ?? [],
    covered: input.covered,
  };
}

function rowLimits(row: KindRow | undefined): NameLimits {
  return row?.namedAs === undefined ? (row ?? CUSTOM) : (kindRow(row.namedAs) ?? CUSTOM);
}

/** The one virtual namespace that holds pods, where there is exactly one. A refused workload has none on the host. */
function soleNamespaceWithPods(
  subjects: readonly Subject[],
  { covered, sound }: Pick<ContextInput, 'covered' | 'sound'>,
): string | undefined {
  const workloads = subjects.filter((subject) => subject.row.podSpec !== undefined && covered(subject));
  const named = new Set(workloads.map(({ virtualNamespace }) => virtualNamespace));
  if (named.size < 2) return [...named][0];
  const running = new Set(workloads.filter(sound).map(({ virtualNamespace }) => virtualNamespace));
  return running.size === 1 ? [...running][0] : undefined;
}

function namespaceLabels(subjects: readonly Subject[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const namespaces = new Map<string, Map<string, string>>();
  for (const subject of subjects) {
    const name = subject.key === 'Namespace' ? subject.name : subject.virtualNamespace;
    const labels = namespaces.get(name) ?? new Map<string, string>([[NAMESPACE_NAME, name]]);
    if (subject.key === 'Namespace')
      for (const [key, value] of labelsOf(subject.object)) if (key !== NAMESPACE_NAME) labels.set(key, value);
    namespaces.set(name, labels);
  }
  return new Map([...namespaces].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Claims are found by the StatefulSet controller under `<template>-<set>-<ordinal>`, so a claim that is meant for a set of the
 * tenant takes the name that the set on the host looks for, whatever the ordinal.
 */
function claimPrefixes(
  sets: readonly Subject[],
  hostNameOf: (set: Subject) => string,
): (virtualNamespace: string, name: string) => HostName | undefined {
  const prefixes = new Map<string, string>();
  for (const set of sets) {
    for (const template of objectsOf(at(set.object, 'spec', 'volumeClaimTemplates'))) {
      const name = stringAt(template, 'metadata', 'name');
      if (name !== undefined) prefixes.set(`${set.virtualNamespace}|${name}-${set.name}`, `${name}-${hostNameOf(set)}`);
    }
  }
  return (virtualNamespace, name) => {
    const match = /^(.+)-(0|[1-9]\d*)$/.exec(name);
    const prefix = match?.[1] === undefined ? undefined : prefixes.get(`${virtualNamespace}|${match[1]}`);
    return prefix === undefined ? undefined : (`${prefix}-${match?.[2]}` as HostName);
  };
}
