import { TENANT_API_PORT } from '../../core/controlplane/endpoint.ts';
import { KEY } from '../../core/identity/metadata.ts';
import { dnsPeers, internetPeers } from '../../core/isolation/peers.ts';
import { parseAddress, parseCidr } from '../../core/kube/cidr.ts';
import { asArray, objectAt, stringAt } from '../../core/kube/json.ts';
import { type AddressSet, addresses, EVERY_ADDRESS, union } from '../../core/reach/address-set.ts';
import { declaredPorts } from '../../core/reach/ports.ts';
import { hostPods } from '../../core/reach/world.ts';
import { tenantId } from '../../report/tally.ts';
import type { Atlas } from './atlas.ts';
import type { EndWord } from './end-words.ts';
import { addressTarget, podTarget, type Target } from './target.ts';

/** Ends that are no objects of a tenant, by the words that people have for them. `tenant` is whose view is meant, where there is one. */
export const KEYWORDS: Readonly<Record<EndWord, (atlas: Atlas, tenant: string | undefined) => readonly Target[] | undefined>> = {
  internet: (atlas) => [addressTarget('internet', internet(atlas), 'all')],
  dns: (atlas, tenant) => [...(ownDns(atlas, tenant) ?? hostDns(atlas, tenant))],
  'host-dns': hostDns,
  'control-plane': (atlas, tenant) => {
    const end = tenant === undefined ? undefined : atlas.world.controlPlanes.get(tenant);
    if (end === undefined || tenant === undefined) return undefined;
    return [podTarget(`${atlas.label(tenant)}:control-plane`, end, [{ protocol: 'TCP', port: TENANT_API_PORT }], { tenant })];
  },
  'api-server': () => [
    addressTarget('api-server', EVERY_ADDRESS, 'one', [
      { protocol: 'TCP', port: 443 },
      { protocol: 'TCP', port: 6443 },
    ]),
  ],
  node: () => [{ ...addressTarget('node', EVERY_ADDRESS, 'one'), node: true }],
};

/** Everything outside the host, its nodes and private ranges: what `unrestricted` opens at most, in the fleet as a whole. */
function internet({ profiles }: Atlas): AddressSet {
  const ranges = [...profiles.values()].flatMap(({ network }) => network.hostCIDRs);
  const blocks = internetPeers(ranges).map((peer) => {
    const read = (text: unknown): ReturnType<typeof parseCidr> => parseCidr(typeof text === 'string' ? text : '');
    const cidr = read(stringAt(peer, 'ipBlock', 'cidr'));
    const except = (asArray(objectAt(peer, 'ipBlock')?.['except']) ?? []).flatMap((each) => read(each) ?? []);
    return cidr === undefined ? [] : addresses([cidr], except);
  });
  return union(...blocks);
}

/** The tenant's own DNS server, which its pods ask where it has one. */
function ownDns(atlas: Atlas, tenant: string | undefined): readonly Target[] | undefined {
  const server = atlas.world.workloads.find(
    (workload) =>
      workload.tenant === tenant && workload.virtualNamespace === undefined && workload.end.labels.known.get(KEY.role) === 'dns',
  );
  if (server === undefined || tenant === undefined) return undefined;
  return [podTarget(`${atlas.label(tenant)}:dns`, server.end, declaredPorts(atlas.world, server), { tenant })];
}

function hostDns({ tenants, profiles, podAddresses }: Atlas, tenant: string | undefined): readonly Target[] {
  const profile = profiles.get(tenants.find((known) => tenantId(known) === tenant)?.profile ?? '');
  return dnsPeers(profile?.network ?? { hostCIDRs: [], dnsPeers: [] }).map(({ namespace, podLabels, port }) => {
    const ports = [
      { protocol: 'UDP', port },
      { protocol: 'TCP', port },
    ];
    return podTarget(`dns (${namespace})`, hostPods(namespace, podLabels, podAddresses), ports);
  });
}

/** An address or a range of them; undefined where the word is neither. */
export function addressesNamed(word: string): Target | undefined {
  const address = parseAddress(word);
  const cidr = address === undefined ? parseCidr(word) : { ...address, prefix: address.bits };
  return cidr === undefined ? undefined : addressTarget(word, addresses([cidr]), 'all');
}

/** Pods of a namespace of the host that is no tenant's: `ns/ingress-nginx`. */
export function hostNamespaceNamed(word: string, { podAddresses }: Atlas): Target | undefined {
  const [, namespace] = /^(?:ns|namespace|namespaces|host)[/:](.+)$/.exec(word) ?? [];
  return namespace === undefined ? undefined : podTarget(`ns/${namespace}`, hostPods(namespace, {}, podAddresses), [{}]);
}
