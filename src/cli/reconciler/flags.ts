/** One flag of `tenantplane reconciler`: help, docs and environment variables are made of these rows. */
export interface ReconcilerFlag {
  readonly name: string;
  /** what stands behind it */
  readonly value: string;
  readonly help: string;
  /** as it would be written; undefined where there is none */
  readonly fallback?: string;
}

export const RECONCILER_FLAGS: readonly ReconcilerFlag[] = [
  {
    name: 'kubeconfig',
    value: 'file',
    help: 'kubeconfig of the host (default: the pod’s own account in a cluster, else as kubectl finds it)',
  },
  { name: 'context', value: 'name', help: 'context of the kubeconfig (default: the current one)' },
  { name: 'workers', value: 'number', help: 'tenants that are worked on at once', fallback: '4' },
  { name: 'pass-timeout', value: 'duration', help: 'after this a pass over one tenant is told to end', fallback: '2m' },
  { name: 'resync', value: 'duration', help: 'every tenant has a pass at least so often, whatever happens', fallback: '10m' },
  { name: 'drain-timeout', value: 'duration', help: 'passes under way get so long to end when the process is told to', fallback: '25s' },
  { name: 'leader-elect', value: 'boolean', help: 'work only while holding a Lease; false where nobody else runs', fallback: 'true' },
  {
    name: 'leader-elect-namespace',
    value: 'name',
    help: 'namespace of the Lease (default: the pod’s own, else tenantplane-system)',
  },
  {
    name: 'shard-selector',
    value: 'selector',
    help: 'label selector, as for kubectl -l, of the TenantClusters that this process is for, with a Lease of its own (default: all)',
  },
  { name: 'releases', value: 'file', help: 'YAML list of {version, image}: what control planes may run (default: those tested)' },
  { name: 'facts', value: 'file', help: 'HostFacts of the host, as `tenantplane facts` prints them' },
  {
    name: 'trusted-writers',
    value: 'users',
    help: 'the render’s host.trustedWriters, parted by commas: admission policies must trust these users (default: what most of them say)',
  },
  { name: 'trusted-groups', value: 'groups', help: 'the render’s host.trustedGroups, in the same way' },
  { name: 'metrics-bind-address', value: 'address', help: 'serves /metrics there; 0 for not at all', fallback: ':8080' },
  { name: 'health-probe-bind-address', value: 'address', help: 'serves /healthz and /readyz there; 0 for not at all', fallback: ':8081' },
  { name: 'metrics-tenant-label', value: 'boolean', help: 'a series for each tenant, in place of the least of all', fallback: 'false' },
  { name: 'log-format', value: 'format', help: 'json or text, on stderr', fallback: 'json' },
  { name: 'log-level', value: 'level', help: 'debug, info, warn or error', fallback: 'info' },
];

/** `TENANTPLANE_PASS_TIMEOUT`: what holds where the flag is not given. */
export function variableOf({ name }: ReconcilerFlag): string {
  return `TENANTPLANE_${name.replaceAll('-', '_').toUpperCase()}`;
}
