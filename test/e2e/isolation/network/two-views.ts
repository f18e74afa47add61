import type { JsonObject } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { plan } from '../../../../src/core/plan/plan.ts';
import type { InputObject, Plan } from '../../../../src/core/plan/plan-types.ts';
import { readDocuments } from '../../../../src/krm/yaml/read.ts';
import { virtualNameOf } from '../../../support/host-tree.ts';
import { CONFIG, policy, profile, tenant } from '../../../support/observe.ts';
import type { Cluster, Pod } from './engine.ts';
import { podSpec } from './fleet.ts';
import { hostCluster, namespaceLabels } from './host-cluster.ts';
import { NAMESPACES, type PolicySet, UNDECLARED } from './policy-sets.ts';

export type View = Pick<Cluster, 'namespaces' | 'pods' | 'policies'>;

export interface HostView extends View {
  /** `Ingress front`: unselected pods of the virtual namespace that get no allowance, since it would take too many selectors */
  readonly closed: ReadonlySet<string>;
}

const address = (index: number): string => `10.244.0.${index + 1}`;

/** A cluster of the tenant's own, in which nothing stands but its objects. */
export function tenantView({ pods, policies }: PolicySet): View {
  return {
    namespaces: new Map(Object.entries(NAMESPACES).map(([name, labels]) => [name, namespaceLabels(name, Object.entries(labels))])),
    pods: pods.map(
      ({ namespace, labels, ports }, index): Pod => ({ name: `pod-${index}`, namespace, labels, ports, address: address(index) }),
    ),
    policies: policies.map(({ namespace, spec }, index) => networkPolicy(namespace, spec, index)),
  };
}

/** What the planner makes of it: the same pods in their order, then the tenant's DNS server, its control plane and a stranger. */
export function hostView(set: PolicySet): HostView {
  const planned = planSet(set);
  const rendered = hostCluster(
    planned.tenants.flatMap(({ files }) => files.map(({ object }) => object)),
    address,
  );
  const pods = set.pods.map(({ namespace }, index) => {
    const found = rendered.pods.find(({ made }) => made === `${namespace}/pod-${index}`);
    if (found === undefined) throw new Error(`pod-${index} is not on the host`);
    return { ...found, address: address(index) };
  });
  const dns = rendered.pods.find(({ made }) => made === undefined);
  const projected = rendered.policies.filter((each) => virtualNameOf(each) !== undefined);
  if (dns === undefined || rendered.pods.length !== pods.length + 1) throw new Error('other pods than the tenant’s and its DNS server');
  if (projected.length !== set.policies.length) throw new Error(`${projected.length} of ${set.policies.length} policies are on the host`);
  const server = { namespace: 'cp-x-dev-x-team-dev', labels: { 'app.kubernetes.io/name': 'tenantplane-control-plane' } };
  return {
    namespaces: new Map([...rendered.namespaces, ['team-other', namespaceLabels('team-other')]]),
    policies: rendered.policies,
    pods: [
      ...pods,
      { ...dns, address: address(pods.length) },
      { name: 'server', ...server, address: address(pods.length + 1) },
      { name: 'stranger', namespace: 'team-other', labels: pods[0]?.labels ?? {}, address: address(pods.length + 2) },
    ],
    closed: closedParts(planned),
  };
}

function closedParts({ tenants }: Plan): Set<string> {
  const notes = tenants.flatMap(({ decisions }) => decisions.flatMap((decision) => decision.notes));
  return new Set(
    notes.flatMap(({ reason, params }) => (reason === 'AllowancesTooComplex' ? [`${params['direction']} ${params['namespace']}`] : [])),
  );
}

function networkPolicy(namespace: string, spec: JsonObject, index: number): KubeObject {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: `policy-${index}`, namespace }, spec };
}

function planSet({ level, egressPolicy, pods, policies }: PolicySet): Plan {
  const platform = [
    profile('given', level),
    policy(['v1/Pod', 'networking.k8s.io/v1/NetworkPolicy']),
    tenant('dev', { profile: 'given', spec: `  networking: {egressPolicy: ${egressPolicy}, dns: server, dnsServiceIP: 10.96.200.53}\n` }),
  ];
  const own: KubeObject[] = [
    ...Object.entries(NAMESPACES).flatMap(([name, labels]): KubeObject[] =>
      name === UNDECLARED ? [] : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { ...labels } } }],
    ),
    ...pods.map(
      ({ namespace, labels, ports }, index): KubeObject => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${index}`, namespace, labels },
        spec: podSpec([...ports]),
      }),
    ),
    ...policies.map(({ namespace, spec }, index) => networkPolicy(namespace, spec, index)),
  ];
  const inputs: InputObject[] = [
    ...platform.flatMap((text, index) => readDocuments(text, index === 2 ? 'tenants/dev/tenant.yaml' : `platform/${index}.yaml`).objects),
    ...own.map((object, document) => ({ object, source: { path: 'tenants/dev/objects/app.yaml', document } })),
  ];
  return plan({ inputs, unreadable: [], config: { ...CONFIG, host: { version: '1.34', serviceCIDRs: ['10.96.0.0/16'] } } });
}
