import { shellWord } from '../../core/decision/shell-word.ts';
import { KEY } from '../../core/identity/metadata.ts';
import type { PolicyDirection } from '../../core/isolation/covered-pods.ts';
import type { Call, Party } from '../../core/reach/call.ts';
import type { CallPort } from '../../core/reach/endpoint.ts';
import type { Missing } from '../../core/reach/judge.ts';
import type { Miss } from '../../core/reach/near.ts';
import type { World } from '../../core/reach/world.ts';
import { TRY_PLUGIN } from '../facts/try-plugin.ts';

/** Who the other end is to a tenant's pod. */
type Relation = 'same tenant' | 'other tenant' | 'host' | 'outside';

/** What opens a call that no rule admits. `{tenant}` is whose pod stops it. */
const OPENERS: Readonly<Record<PolicyDirection, Readonly<Record<Relation, string>>>> = {
  Egress: {
    'same tenant':
      'Write a NetworkPolicy of the tenant whose egress admits it, or, where none of its own selects these pods, set networking.egressPolicy of TenantCluster {tenant} to allow-same-tenant.',
    'other tenant': 'No field opens this: tenants are kept apart. Call an Ingress of the other tenant instead.',
    host: 'Of the host’s pods a tenant reaches its DNS servers alone (network.dnsPeers of the profile).',
    outside:
      'networking.egressPolicy: unrestricted of TenantCluster {tenant} opens the internet, but no private range; a sandboxed profile refuses it.',
  },
  Ingress: {
    'same tenant':
      'Write a NetworkPolicy of the tenant whose ingress admits it, or, where none of its own selects these pods, set networking.egressPolicy of TenantCluster {tenant} to allow-same-tenant.',
    'other tenant': 'No field opens this: tenants are kept apart. Let it come through an Ingress.',
    host: 'Name the namespace under allow.gatewayNamespaces of the profile, and lead there with an Ingress: its gateways reach those pods.',
    outside: 'Let it come through an Ingress and a gateway (allow.gatewayNamespaces of the profile).',
  },
};
const CONTROL_PLANE = 'No field opens this: a control plane calls DNS and its own members, and answers its tenant and the reconciler.';

/** @param subject whose policies stop the call, and `other` the end that they stop it from */
export function opener(direction: PolicyDirection, subject: Party, other: Party, world: World, label: (tenant: string) => string): string {
  const { tenant } = subject;
  if (tenant === undefined) return '';
  if (world.controlPlanes.get(tenant) === subject.end) return CONTROL_PLANE;
  return OPENERS[direction][relation(tenant, other)].replaceAll('{tenant}', label(tenant));
}

function relation(tenant: string, other: Party): Relation {
  if (other.tenant !== undefined) return other.tenant === tenant ? 'same tenant' : 'other tenant';
  return other.end.is === 'pod' ? 'host' : 'outside';
}

/** What a rule that nearly admits a call wants instead. */
export function missText(miss: Miss, other: Party, { protocol, port }: CallPort): string {
  if (miss.what === 'port') return `its ports lack {protocol: ${protocol}, port: ${port}}`;
  if (miss.key === KEY.virtualNamespace) return `it is for pods of ${miss.wanted.replace(KEY.virtualNamespace, 'namespace')}`;
  const has = miss.has === undefined ? `has no label ${miss.key}` : `has ${miss.key}=${miss.has}`;
  return `it is for pods with ${miss.wanted}, and ${other.name} ${has}`;
}

/** A fact that is not in the package, and what to do about it. */
export const FACTS: Readonly<Record<Missing | 'enforcement', (call: Call) => readonly [what: string, fix: string]>> = {
  labels: () => [
    'a label that a controller gives the pods, or that somebody else gives their namespace',
    'Select by labels that the template has.',
  ],
  address: () => [
    'where the pods have their addresses, on which a rule for ranges depends',
    'Say it with --pod-cidr RANGE, or ask for an address.',
  ],
  part: () => ['which of the addresses is meant: a part of them is admitted', 'Ask for one of them.'],
  port: () => ['which port is meant: the rules name some, and the target declares none', 'Say it with --port.'],
  hostNetwork: () => [
    'what the network plugin makes of pods on the node’s own network',
    'Take hostNetwork off, or ask the plugin’s manual.',
  ],
  otherPolicies: ({ from, to }) => {
    const names = [from, to].flatMap(({ end }) => (end.is === 'pod' && !end.rendered ? [end.namespace] : []));
    return [
      `the policies of namespace ${names.join(' and ')}, which is not rendered from here`,
      `Look at them: kubectl get networkpolicy -n ${shellWord(names[0] ?? '')}`,
    ];
  },
  enforcement: () => ['whether the host’s network plugin enforces NetworkPolicies', TRY_PLUGIN],
};
