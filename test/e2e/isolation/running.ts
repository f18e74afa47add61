import { at, type JsonObject, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { kindOf, labelsOf, nameOf } from '../../../src/core/kube/object.ts';
import { type Host, must } from './host.ts';

export async function list(host: Host, kind: string, namespace: string): Promise<JsonObject[]> {
  return [...(await host.read.list(kind, namespace))];
}

/** Polls until a look gives nothing more to wait for; what it last waited for is the error. */
export async function until(look: () => Promise<readonly string[]>): Promise<void> {
  const end = Date.now() + 50_000;
  for (;;) {
    const missing = await look();
    if (missing.length === 0) return;
    if (Date.now() > end) throw new Error(`still waiting for ${missing.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Plays the provisioner of storage, which no process of the bed is: a volume for each claim that waits for one. */
async function provision(host: Host, namespace: string): Promise<void> {
  const claims = (await list(host, 'pvc', namespace)).filter((claim) => stringAt(claim, 'spec', 'volumeName') === undefined);
  const volumes = claims.map((claim) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pv-${stringAt(claim, 'metadata', 'uid')}` },
    spec: {
      capacity: at(claim, 'spec', 'resources', 'requests'),
      accessModes: at(claim, 'spec', 'accessModes'),
      storageClassName: at(claim, 'spec', 'storageClassName'),
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: nameOf(claim) },
      csi: { driver: 'example.com', volumeHandle: nameOf(claim) },
    },
  }));
  if (volumes.length > 0) await must(host, ['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: volumes }));
}

const WORKLOADS = ['deployments', 'statefulsets', 'daemonsets', 'jobs'];

/** Workloads whose pods do not all run, with what their controller says. */
export async function notRunning(host: Host, namespace: string): Promise<string[]> {
  await provision(host, namespace);
  const waiting: string[] = [];
  for (const kind of WORKLOADS) {
    for (const workload of await list(host, kind, namespace)) {
      const wanted = Number(at(workload, 'spec', 'replicas') ?? at(workload, 'status', 'desiredNumberScheduled') ?? 1);
      const status = at(workload, 'status');
      const running = Number(
        at(status, 'readyReplicas') ?? at(status, 'numberReady') ?? at(status, 'active') ?? at(status, 'succeeded') ?? 0,
      );
      const updated = Number(at(status, 'updatedReplicas') ?? running);
      const seen = Number(at(status, 'observedGeneration') ?? at(workload, 'metadata', 'generation'));
      const conditions = objectsOf(at(status, 'conditions')).flatMap((row) => stringAt(row, 'message') ?? []);
      if (running < wanted || updated < wanted || seen !== Number(at(workload, 'metadata', 'generation')))
        waiting.push(`${kindOf(workload)} ${nameOf(workload)} (${running}/${wanted}) ${conditions.join('; ')}`);
    }
  }
  return waiting;
}

/** Services whose EndpointSlices do not hold just the addresses of the running pods that they select. */
export async function wrongEndpoints(host: Host, namespace: string): Promise<string[]> {
  const [services, slices, pods] = [
    await list(host, 'services', namespace),
    await list(host, 'endpointslices', namespace),
    await list(host, 'pods', namespace),
  ];
  return services.flatMap((service) => {
    const selector = Object.entries((at(service, 'spec', 'selector') ?? {}) as JsonObject);
    if (selector.length === 0) return [];
    const selected = pods
      .filter((pod) => stringAt(pod, 'status', 'phase') === 'Running' && selector.every(([key, value]) => labelsOf(pod).get(key) === value))
      .flatMap((pod) => stringAt(pod, 'status', 'podIP') ?? []);
    const found = slices
      .filter((slice) => labelsOf(slice).get('kubernetes.io/service-name') === nameOf(service))
      .flatMap((slice) => objectsOf(at(slice, 'endpoints')).flatMap((endpoint) => at(endpoint, 'addresses') ?? []));
    const same = JSON.stringify(selected.sort()) === JSON.stringify(found.flat().sort());
    return same && selected.length > 0 ? [] : [`Service ${nameOf(service)}: pods ${selected.join(' ')}, endpoints ${found.join(' ')}`];
  });
}
