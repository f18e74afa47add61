import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type JsonObject, objectAt, objectsOf } from '../../../src/core/kube/json.ts';
import { kindOf, labelsOf } from '../../../src/core/kube/object.ts';
import { callsOf } from '../../support/calls.ts';
import { EXAMPLES, type Rendered, renderPackage } from '../../support/example.ts';
import { type HostPod, hostTree, virtualNameOf } from '../../support/host-tree.ts';
import { BOUTIQUE_PRESENT, boutique, type EgressPolicy } from '../../support/microservices-demo.ts';
import { podsBehind, targetPort } from '../../support/services.ts';
import { type Engine, type Port, startEngine } from './network/engine.ts';
import { hostCluster, namespaceLabels } from './network/host-cluster.ts';

/** Real applications under our policies: which of their calls the engine lets through, and what the render says of the others. */
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

interface Application {
  readonly name: string;
  readonly present: boolean;
  render(egressPolicy: EgressPolicy, more?: readonly JsonObject[]): Promise<Rendered>;
  /** a caller and the one it may call, as policies of the tenant's own */
  readonly admitted: { readonly caller: JsonObject; readonly called: JsonObject; readonly namespace: string; readonly service: string };
}

const SHOP: Application['render'] = (egressPolicy, more = []) =>
  renderPackage(join(EXAMPLES, 'shop'), {}, (inputs) => [
    ...inputs.map((input) => ({ ...input, object: withEgressPolicy(input.object, egressPolicy) })),
    ...more.map((object, document) => ({ object, source: { path: 'tenants/shop/objects/more.yaml', document } })),
  ]);

const APPLICATIONS: readonly Application[] = [
  {
    name: 'microservices-demo',
    present: BOUTIQUE_PRESENT,
    render: async (egressPolicy, more) => boutique('restricted', egressPolicy, more),
    admitted: { caller: { app: 'frontend' }, called: { app: 'adservice' }, namespace: 'default', service: 'default/adservice' },
  },
  {
    name: 'examples/shop',
    present: true,
    render: SHOP,
    admitted: {
      caller: { 'app.kubernetes.io/name': 'web' },
      called: { 'app.kubernetes.io/name': 'api' },
      namespace: 'shop',
      service: 'shop/api',
    },
  },
];

function withEgressPolicy(object: JsonObject, egressPolicy: EgressPolicy): JsonObject {
  if (kindOf(object) !== 'TenantCluster') return object;
  const spec = objectAt(object, 'spec') ?? {};
  return { ...object, spec: { ...spec, networking: { ...objectAt(spec, 'networking'), egressPolicy } } };
}

/** Egress of the one pod and ingress of the other, since deny-by-default closes both. */
function admittingPolicies({ admitted: { caller, called, namespace } }: Application): JsonObject[] {
  const policy = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec,
  });
  return [
    policy('caller', {
      podSelector: { matchLabels: caller },
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: { matchLabels: called } }] }],
    }),
    policy('called', {
      podSelector: { matchLabels: called },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: caller } }] }],
    }),
  ];
}

interface OnHost {
  readonly pods: readonly HostPod[];
  readonly services: readonly JsonObject[];
  readonly tree: ReturnType<typeof hostTree>;
  /** whether packets pass from one pod of the tree, or from the gateway or to the host's DNS, to another */
  passes(source: HostPod | 'gateway', destination: HostPod | 'dns', port: number, protocol?: Port['protocol']): boolean;
}

const GATEWAYS = 'ingress-nginx';

async function onHost({ objects }: Rendered): Promise<OnHost> {
  const rendered = hostCluster(objects, (index) => `10.244.0.${index + 1}`);
  const tree = hostTree(objects);
  const beside = [
    { name: 'gateway', namespace: GATEWAYS, labels: {}, address: '10.244.1.1' },
    { name: 'coredns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' }, address: '10.244.1.2' },
  ];
  const pods = [...rendered.pods, ...beside];
  const namespaces = new Map([...rendered.namespaces, ...beside.map(({ namespace }) => [namespace, namespaceLabels(namespace)] as const)]);
  const numbers = [53, ...tree.pods.flatMap(({ spec }) => portsOf(spec)), ...tree.all('Service').flatMap((each) => portsOf(each['spec']))];
  const ports = [...new Set(numbers)].flatMap((port): Port[] => [
    { protocol: 'TCP', port },
    { protocol: 'UDP', port },
  ]);
  const verdicts = await engine.ask({ namespaces, pods, policies: rendered.policies, addresses: [], ports });
  const numberOf = (pod: HostPod | 'gateway' | 'dns'): number =>
    pod === 'gateway' ? rendered.pods.length : pod === 'dns' ? rendered.pods.length + 1 : tree.pods.indexOf(pod);
  return {
    tree,
    pods: tree.pods.filter(({ owner }) => virtualNameOf(owner) !== undefined),
    services: tree.all('Service').filter((service) => labelsOf(service).get('tenantplane.io/kind') === 'service'),
    passes(source, destination, port, protocol = 'TCP') {
      const which = ports.findIndex((each) => each.port === port && each.protocol === protocol);
      if (which < 0) throw new Error(`port ${port} was not asked about`);
      const [from, to] = [numberOf(source), numberOf(destination)];
      return verdicts.out(from, to, which) && verdicts.in(from, to, which);
    },
  };
}

/** Every number that stands as a port, whatever it means there. */
function portsOf(value: unknown): number[] {
  return [
    ...JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)).matchAll(
      /"(?:containerPort|port|targetPort)":(\d+)/g,
    ),
  ].map((match) => Number(match[1]));
}

const nameOfService = (service: JsonObject): string => {
  const made = virtualNameOf(service);
  return `${made?.namespace}/${made?.name}`;
};

/** Services that some pod of the tenant's reaches on some port, and those that none does. */
function reached({ tree, pods, services, passes }: OnHost): { open: string[]; shut: string[] } {
  const open = services.filter((service) =>
    podsBehind(tree, service).some((server) =>
      objectsOf(at(service, 'spec', 'ports')).some((entry) => {
        const port = targetPort(entry, server);
        return port !== undefined && pods.some((client) => client !== server && passes(client, server, port));
      }),
    ),
  );
  return {
    open: open.map(nameOfService).sort(),
    shut: services
      .filter((each) => !open.includes(each))
      .map(nameOfService)
      .sort(),
  };
}

const denied = ({ plan }: Rendered): string[] =>
  plan.findings.flatMap(({ reason, message }) => (reason === 'EgressDenied' ? [message] : []));

/** The sentence that the render should have for Services of which no call passes: five by name, the rest by number. */
const sentence = (services: readonly string[]): string => {
  const more = services.length > 5 ? ` and ${services.length - 5} more` : '';
  return `Default deny applies and no rule admits calls from the tenant’s pods to its Services ${services.slice(0, 5).join(', ')}${more}.`;
};

describe.each(APPLICATIONS)('$name at level restricted', (application) => {
  test.skipIf(!application.present)('makes all its calls with allow-same-tenant', async () => {
    const rendered = await application.render('allow-same-tenant');
    const host = await onHost(rendered);
    const calls = host.pods.flatMap((client) => callsOf(host.tree, client).calls.map((call) => ({ client, ...call })));
    console.info(`${application.name}: ${calls.length} calls of ${host.pods.length} pods, all let through`);
    expect(calls.length).toBeGreaterThan(3);
    expect(calls.filter(({ client, server, port }) => !host.passes(client, server, port)).map(({ what }) => what)).toEqual([]);
    expect(host.pods.every((pod) => host.passes(pod, 'dns', 53, 'UDP') && host.passes(pod, 'dns', 53))).toBe(true);
    expect(denied(rendered)).toEqual([]);
  });

  test.skipIf(!application.present)('makes none with deny-by-default, and the render says so', async () => {
    const rendered = await application.render('deny-by-default');
    const host = await onHost(rendered);
    const calls = host.pods.flatMap((client) => callsOf(host.tree, client).calls.map((call) => ({ client, ...call })));
    expect(calls.length).toBeGreaterThan(3);
    expect(calls.filter(({ client, server, port }) => host.passes(client, server, port)).map(({ what }) => what)).toEqual([]);
    expect(reached(host).open).toEqual([]);
    expect(denied(rendered)).toEqual([sentence(reached(host).shut)]);
  });

  test.skipIf(!application.present)('makes the one that a policy of its own admits, and the render names the others', async () => {
    const rendered = await application.render('deny-by-default', admittingPolicies(application));
    const { open, shut } = reached(await onHost(rendered));
    expect(open).toEqual([application.admitted.service]);
    expect(denied(rendered)).toEqual([sentence(shut)]);
  });

  test.skipIf(!application.present)('makes none where a policy admits one half of it', async () => {
    for (const policy of admittingPolicies(application)) {
      const rendered = await application.render('deny-by-default', [policy]);
      const { open, shut } = reached(await onHost(rendered));
      expect(open).toEqual([]);
      expect(denied(rendered)).toEqual([sentence(shut)]);
    }
  });
});

test('examples/shop is called by the gateway where its Ingress leads, and nowhere else', async () => {
  const host = await onHost(await SHOP('allow-same-tenant'));
  const [web] = host.services.filter((service) => nameOfService(service) === 'shop/web');
  const front = web === undefined ? [] : podsBehind(host.tree, web);
  expect(front).toHaveLength(1);
  expect(host.pods.filter((pod) => portsOf(pod.spec).some((port) => host.passes('gateway', pod, port)))).toEqual(front);
});
