import type { Port } from './engine.ts';
import type { Kind } from './fleet.ts';

export const PORTS: readonly Port[] = [
  { protocol: 'UDP', port: 53 },
  { protocol: 'TCP', port: 53 },
  { protocol: 'TCP', port: 443 },
  { protocol: 'TCP', port: 2379 },
  { protocol: 'TCP', port: 6443 },
  { protocol: 'TCP', port: 8080 },
  { protocol: 'SCTP', port: 8080 },
];

const EVERY: readonly string[] = PORTS.map(({ protocol, port }) => `${protocol} ${port}`);
const DNS = ['UDP 53', 'TCP 53'];
const API = ['TCP 6443'];

type Row = readonly [whose: Kind, direction: 'out' | 'in', peer: Kind | 'anyone', ports: readonly string[]];

/**
 * What isolation promises for each kind of pod, in and out (`docs/fields.md`: levels, `egressPolicy`, `gatewayNamespaces`,
 * `hostCIDRs`). What stands in no row is shut. A packet passes where its source may send it *and* its destination may take it.
 */
const PROMISES: readonly Row[] = [
  // Sandboxed, deny-by-default: names and its own API, and nothing comes in, not even from pods of its own.
  ['vault', 'out', 'host DNS', DNS],
  ['vault', 'out', 'vault control plane', API],
  // Restricted, allow-same-tenant: its own pods, of all its virtual namespaces; gateways where its Ingress leads. Its pods ask its own
  // DNS server, a pod among them, which alone asks the host's.
  ['shop', 'out', 'shop', EVERY],
  ['shop', 'in', 'shop', EVERY],
  ['shop', 'out', 'shop control plane', API],
  ['shop DNS', 'out', 'host DNS', DNS],
  ['shop web', 'in', 'gateway', ['TCP 8080']],
  // Baseline, unrestricted: out to the internet, which is not the host, its nodes or a cloud's metadata; ingress is not closed.
  ['lab', 'out', 'lab', EVERY],
  ['lab', 'out', 'internet', EVERY],
  ['lab', 'out', 'host DNS', DNS],
  ['lab', 'out', 'lab control plane', API],
  ['lab', 'in', 'anyone', EVERY],
  // Control planes: called by their own tenant and the reconciler, calling nobody but DNS, whatever a tenant tells them to call.
  ['vault control plane', 'in', 'vault', API],
  ['vault control plane', 'in', 'reconciler', API],
  ['vault control plane', 'out', 'host DNS', DNS],
  ['shop control plane', 'in', 'shop', API],
  ['shop control plane', 'in', 'reconciler', API],
  ['shop control plane', 'out', 'host DNS', DNS],
  // one of several members
  ['shop control plane', 'out', 'shop control plane', [...API, 'TCP 2379']],
  ['shop control plane', 'in', 'shop control plane', [...API, 'TCP 2379']],
  // behind a load balancer
  ['lab control plane', 'in', 'anyone', API],
  ['lab control plane', 'out', 'host DNS', DNS],
  // We write no policy for what is not a tenant's.
  ['not a tenant’s', 'out', 'anyone', EVERY],
  ['not a tenant’s', 'in', 'anyone', EVERY],
];

export function promised(direction: 'out' | 'in', whose: readonly Kind[], peer: readonly Kind[], port: Port): boolean {
  const asked = `${port.protocol} ${port.port}`;
  return PROMISES.some(
    ([kind, way, other, ports]) =>
      way === direction && whose.includes(kind) && (other === 'anyone' || peer.includes(other)) && ports.includes(asked),
  );
}
