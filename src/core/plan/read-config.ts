import { checkConfig } from '../../schema/check-config.ts';
import { nearest } from '../../schema/nearest.ts';
import { finding } from '../decision/finding.ts';
import { dnsProblems } from '../dns/dns-problems.ts';
import type { JsonObject } from '../kube/json.ts';
import { kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { type Assignment, tenantKeyOf } from './assign.ts';
import { contradictions, policyProblems, profileProblems, tenantProblems } from './check-platform.ts';
import { policyHostFindings, profileHostFindings } from './host-findings.ts';
import { misnamedConfig } from './misnamed-config.ts';
import type { Finding, InputObject, Place } from './plan-types.ts';
import { resolvePolicy, resolveProfile, resolveTenant } from './resolve-settings.ts';
import type { HostFacts, PolicySettings, ProfileSettings, TenantSettings } from './settings.ts';
import { compare } from './subjects.ts';

/** One tenant whose configuration is complete: it can be planned. `frozen` says why its tree must stay all the same. */
export interface ReadyTenant {
  readonly input: InputObject;
  readonly tenant: TenantSettings;
  readonly profile: ProfileSettings;
  readonly policy: PolicySettings;
  readonly frozen?: string;
  readonly frozenAt?: Place;
}

/** A tenant that cannot be planned at all: its configuration, profile or policy is missing or not legal. */
export interface FrozenTenant {
  readonly name: string;
  readonly namespace: string;
  readonly policy: string;
  readonly profile: string;
  readonly frozen: string;
  readonly frozenAt?: Place;
}

export interface PlatformConfig {
  readonly ready: readonly ReadyTenant[];
  readonly frozen: readonly FrozenTenant[];
  readonly findings: readonly Finding[];
  /** profiles that can be used, by name */
  readonly profiles: readonly Usable<ProfileSettings>[];
  /** profiles and policies that cannot be used or are missing, as `kind name`: what stands of them in the tree stays as it is */
  readonly broken: ReadonlySet<string>;
  /** platform input contradicts itself, or cannot be told what it is */
  readonly stopped: boolean;
}

/** Configuration that can be used. */
export interface Usable<T> {
  readonly input: InputObject;
  readonly settings: T;
}

interface Resolved<T> extends Usable<T> {
  /** false where the schema refuses it; its settings are then the defaults of its kind */
  readonly legal: boolean;
  /** the first thing that is wrong with it, where something is */
  readonly broken?: string;
  readonly brokenAt?: Place;
}

/** Checks and resolves everything that a package says about tenants, profiles and policies. */
export function readConfig(assignment: Assignment, host: HostFacts): PlatformConfig {
  const { tenantClusters } = assignment;
  const findings: Finding[] = [...assignment.findings];
  const contradicting = [...assignment.findings, ...contradictions(tenantClusters, [...assignment.profiles, ...assignment.policies])];
  findings.push(...contradicting.slice(assignment.findings.length));
  const misnamed = misnamedConfig(assignment);
  findings.push(...misnamed);

  const profiles = resolveAll(assignment.profiles, resolveProfile, profileProblems, findings);
  const policies = resolveAll(assignment.policies, resolvePolicy, policyProblems, findings);
  for (const { input, settings } of usable(profiles)) findings.push(...profileHostFindings(settings, host, input.source));
  for (const { input, settings } of usable(policies)) findings.push(...policyHostFindings(settings, host, input.source));
  const ready: ReadyTenant[] = [];
  const frozen: FrozenTenant[] = [];
  for (const input of tenantClusters) {
    if (nameOf(input.object) === '' || (namespaceOf(input.object) ?? '') === '') continue;
    const key = tenantKeyOf(input.object);
    const checked = legal(input, findings, key);
    const draft = resolveTenant(checked.value ?? input.object);
    const base = { name: draft.name, namespace: draft.namespace, policy: draft.policy, profile: draft.profile };
    const profile = profiles.get(draft.profile);
    const policy = policies.get(draft.policy);
    if (profile === undefined && draft.profile !== '') {
      findings.push(
        finding('ProfileMissing', { profile: draft.profile, near: nearWords(draft.profile, profiles) }, input.source, {
          pointer: '/spec/isolationProfileRef/name',
          tenant: key,
        }),
      );
    }
    if (policy === undefined && draft.policy !== '') {
      findings.push(
        finding('PolicyMissing', { policy: draft.policy, near: nearWords(draft.policy, policies) }, input.source, {
          pointer: '/spec/syncPolicyRef/name',
          tenant: key,
        }),
      );
    }
    if (checked.value === undefined || profile === undefined || policy === undefined || !profile.legal || !policy.legal) {
      const why =
        checked.value === undefined
          ? 'its TenantCluster is not legal'
          : profile === undefined
            ? `IsolationProfile ${draft.profile} does not exist`
            : policy === undefined
              ? `SyncPolicy ${draft.policy} does not exist`
              : profile.legal
                ? policy.broken
                : profile.broken;
      // its own mistakes first, as above
      const own = findings.find((found) => found.tenant === key && found.severity === 'error');
      const at = own ?? (profile?.legal === false ? profile.brokenAt : policy?.brokenAt);
      frozen.push({ ...base, frozen: why ?? '', ...(at !== undefined && { frozenAt: at }) });
      continue;
    }
    const tenant = resolveTenant(checked.value, profile.settings.ingressHostSuffixes);
    const problems = tenantProblems(tenant, profile.settings, input);
    findings.push(...problems);
    const own = problems.find(({ severity }) => severity === 'error');
    const why = own?.message ?? profile.broken ?? policy.broken;
    const at = own ?? (profile.broken === undefined ? policy.brokenAt : profile.brokenAt);
    ready.push({
      input,
      tenant,
      profile: profile.settings,
      policy: policy.settings,
      ...(why !== undefined && { frozen: why }),
      ...(at !== undefined && { frozenAt: at }),
    });
  }
  const conflicts = dnsConflicts(ready, host);
  findings.push(...conflicts);
  const held = new Map(conflicts.map((found) => [found.tenant, found]));
  const checked = ready.map((row): ReadyTenant => {
    const conflict = held.get(tenantKeyOf(row.input.object));
    return row.frozen !== undefined || conflict === undefined ? row : { ...row, frozen: conflict.message, frozenAt: conflict };
  });
  const broken = new Set(
    [...profiles.values(), ...policies.values()].filter((row) => row.broken !== undefined).map(({ input }) => configId(input)),
  );
  for (const tenant of frozen) if (!profiles.has(tenant.profile)) broken.add(`IsolationProfile ${tenant.profile}`);
  return {
    ready: checked,
    frozen,
    findings,
    profiles: usable(profiles).sort((a, b) => compare(a.settings.name, b.settings.name)),
    broken,
    stopped: [...contradicting, ...misnamed].some(({ severity }) => severity === 'error'),
  };
}

function usable<T>(rows: ReadonlyMap<string, Resolved<T>>): Resolved<T>[] {
  return [...rows.values()].filter(({ broken }) => broken === undefined);
}

function configId({ object }: InputObject): string {
  return `${kindOf(object)} ${nameOf(object)}`;
}

/** Addresses of tenants' DNS servers, over the whole fleet. */
function dnsConflicts(ready: readonly ReadyTenant[], host: HostFacts): Finding[] {
  const problems = dnsProblems(
    ready.map(({ tenant }) => tenant),
    host,
  );
  return problems.flatMap(({ tenant, pointer, what, fix }) => {
    const row = ready.find((candidate) => candidate.tenant === tenant);
    const where = { pointer, tenant: `${tenant.namespace}/${tenant.name}` };
    return row === undefined ? [] : [finding('DnsAddressConflict', { problem: `${what}.`, fix }, row.input.source, where)];
  });
}

/** Problems of the schema as findings with the object's own place. */
function legal(input: InputObject, findings: Finding[], tenant?: string): { readonly value?: JsonObject } {
  const check = checkConfig(input.object);
  for (const { pointer, message, remedy } of check.problems) {
    const params = { problem: `${kindOf(input.object)} ${nameOf(input.object)}: ${message}`, fix: remedy };
    findings.push(finding('InputInvalid', params, input.source, { pointer, ...(tenant !== undefined && { tenant }) }));
  }
  return check.value === undefined ? {} : { value: check.value as unknown as JsonObject };
}

function resolveAll<T>(
  inputs: readonly InputObject[],
  resolve: (object: JsonObject) => T,
  problemsOf: (settings: T, input: InputObject) => readonly Finding[],
  findings: Finding[],
): ReadonlyMap<string, Resolved<T>> {
  const resolved = new Map<string, Resolved<T>>();
  for (const input of inputs) {
    const start = findings.length;
    const { value } = legal(input, findings);
    const name = nameOf(input.object);
    const what = configId(input);
    // One that is not legal still exists: its tenants are frozen with that reason, not with a missing one.
    const settings = resolve(value ?? { metadata: { name } });
    const problems = value === undefined ? [] : problemsOf(settings, input);
    findings.push(...problems);
    const problem = findings.slice(start).find(({ severity }) => severity === 'error');
    const broken = value === undefined ? `${what} is not legal` : problem?.message;
    const row = { input, settings, legal: value !== undefined };
    if (!resolved.has(name))
      resolved.set(name, { ...row, ...(broken !== undefined && { broken }), ...(problem !== undefined && { brokenAt: problem }) });
  }
  return resolved;
}

/** The name that a missing one was mistyped for, where one of the package is like it. */
function nearWords(name: string, known: ReadonlyMap<string, unknown>): string {
  const near = nearest(name, known.keys());
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
