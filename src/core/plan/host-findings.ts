import { finding } from '../decision/finding.ts';
import { BACKSTOP_SINCE } from '../isolation/admission/compile.ts';
import type { Finding } from './plan-types.ts';
import type { HostFacts, PolicySettings, ProfileSettings } from './settings.ts';
import type { Source } from './tenant-context.ts';

/** Names of host objects that a profile relies on: where they stand in it, and what happens where the host has none of the name. */
interface Reliance {
  readonly fact: 'runtimeClasses' | 'storageClasses' | 'ingressClasses' | 'priorityClasses';
  readonly kind: string;
  readonly pointer: string;
  names(profile: ProfileSettings): readonly string[];
  readonly effect: string;
}

const RELIANCES: readonly Reliance[] = [
  {
    fact: 'runtimeClasses',
    kind: 'RuntimeClass',
    pointer: '/spec/controls/runtimeClassName',
    names: ({ runtimeClassName }) => (runtimeClassName === undefined ? [] : [runtimeClassName]),
    effect: 'the API server would refuse every pod',
  },
  {
    fact: 'storageClasses',
    kind: 'StorageClass',
    pointer: '/spec/allow/storageClasses',
    names: ({ allow }) => allow.storageClasses,
    effect: 'claims that name it would wait for ever',
  },
  {
    fact: 'ingressClasses',
    kind: 'IngressClass',
    pointer: '/spec/allow/ingressClasses',
    names: ({ allow }) => allow.ingressClasses,
    effect: 'no controller would serve an Ingress of it',
  },
  {
    fact: 'priorityClasses',
    kind: 'PriorityClass',
    pointer: '/spec/allow/priorityClasses',
    names: ({ allow }) => allow.priorityClasses,
    effect: 'the API server would refuse pods that name it',
  },
];

/** Where a profile and what is known of the host do not fit; what is not known is said. */
export function profileHostFindings(profile: ProfileSettings, host: HostFacts, source: Source): Finding[] {
  const findings: Finding[] = [];
  for (const { fact, kind, pointer, names, effect } of RELIANCES) {
    const known = host[fact];
    for (const [index, name] of names(profile).entries()) {
      const where = { pointer: pointer.startsWith('/spec/allow/') ? `${pointer}/${index}` : pointer };
      const what = `${kind} ${name}, which IsolationProfile ${profile.name} names,`;
      if (known === undefined) findings.push(finding('HostFieldUnknown', { what: `Whether ${kind} ${name} exists`, fact }, source, where));
      else if (!known.has(name)) {
        const fix = `Create ${kind} ${name} on the host, or name another; if it is there, write the facts anew: tenantplane facts.`;
        findings.push(finding('HostLacks', { what, effect, fix }, source, where));
      }
    }
  }
  if (host.minor !== undefined && host.minor < BACKSTOP_SINCE)
    findings.push(finding('BackstopUnavailable', { control: `IsolationProfile ${profile.name}` }, source));
  return findings;
}

/** Kinds that a policy projects and the host does not serve: an applier would stop at the first object of them. */
export function policyHostFindings(policy: PolicySettings, host: HostFacts, source: Source): Finding[] {
  return policy.entries.flatMap(({ apiVersion, kind }, index) => {
    if (host.apiVersions === undefined || host.apiVersions.has(apiVersion)) return [];
    const what = `API version ${apiVersion}, of which SyncPolicy ${policy.name} projects ${kind},`;
    const effect = 'an applier would stop at the first object of it';
    const fix = 'Install what serves it, or take the entry out; if it is there, write the facts anew: tenantplane facts.';
    return [finding('HostLacks', { what, effect, fix }, source, { pointer: `/spec/resources/${index}` })];
  });
}
