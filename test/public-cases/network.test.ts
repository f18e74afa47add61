import { describe, expect, it } from 'vitest';
import { objectsOf } from '../../src/core/kube/json.ts';
import { type Case, cases, hostObject, planCase, valueAt } from './case.ts';
import { deployment, service } from './pods.ts';

const SCOPE = { 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': 'default' };
const PORTS = 'ports: [{port: 80}]';
const WEB = `selector: {app: web}\n${PORTS}`;

const SERVICES: readonly Case[] = [
  {
    id: 'S15 T-S4 E30',
    refs: 'k3k service syncer, vcluster#2887, MTB-PL1-CC-TI-2',
    wrong: 'a Service selects pods of another namespace or tenant that happen to have the label',
    input: service(WEB),
    fields: { 'spec selector': { app: 'web', ...SCOPE } },
  },
  {
    id: 'S15',
    refs: 'k3k service syncer',
    wrong: 'a Service without a selector becomes one that selects pods',
    profile: '  allow: {selectorlessServices: true}\n',
    input: service(PORTS),
    fields: { 'spec selector': undefined },
  },
  {
    id: 'S15',
    refs: 'the API server reads an empty selector as none',
    wrong: 'an empty selector becomes every pod of the tenant',
    profile: '  allow: {selectorlessServices: true}\n',
    input: service(`selector: {}\n${PORTS}`),
    fields: { 'spec selector': {} },
  },
  {
    id: 'T-S5 E34',
    refs: 'CVE-2021-25740',
    wrong: 'a Service without a selector points wherever its endpoints say',
    input: service(PORTS),
    refused: 'SelectorlessServiceBlocked',
  },
  {
    id: 'T-S1 E31',
    refs: 'CVE-2020-8554',
    wrong: 'traffic of others to an address is taken over',
    input: service(`externalIPs: [1.1.1.1]\n${WEB}`),
    refused: 'ExternalIPsBlocked',
    pointer: 'spec.externalIPs',
  },
  {
    id: 'T-S2',
    refs: 'MTB-PL1-BC-HI-1 (b)',
    wrong: 'a Service opens a port on every node',
    input: service(`type: NodePort\n${WEB}`),
    refused: 'ServiceTypeBlocked',
    pointer: 'spec.type',
  },
  {
    id: 'T-S2',
    refs: 'MTB-PL1-BC-HI-1 (b)',
    wrong: 'a load balancer, wanted or not, opens node ports and obeys annotations of the cloud',
    profile: '  allow: {serviceTypes: [LoadBalancer]}\n',
    input: service(
      `type: LoadBalancer\nloadBalancerIP: 203.0.113.7\nselector: {app: web}\nports: [{port: 80, nodePort: 31000}]`,
      's',
      'annotations: {service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing}',
    ),
    fields: {
      'spec allocateLoadBalancerNodePorts': false,
      'spec loadBalancerIP': undefined,
      'spec ports 0 nodePort': undefined,
      'metadata annotations service.beta.kubernetes.io/aws-load-balancer-scheme': undefined,
    },
    notes: ['AnnotationMissed'],
  },
  {
    id: 'S2',
    refs: 'vcluster#2248, vcluster#2728, vcluster#4154, vcluster PR#4178',
    wrong: 'a Service that was a load balancer keeps its status, and the host forbids it on a ClusterIP',
    input: `${service(`type: ClusterIP\n${WEB}`)}status: {loadBalancer: {ingress: [{ip: 203.0.113.7}]}}\n`,
    fields: { status: undefined, 'spec type': 'ClusterIP' },
  },
  {
    id: 'S23',
    refs: 'k3k PR#1104, k3k#497, k3k#451',
    wrong: 'families and addresses that the tenant’s API allocated fight with those of a dual-stack host',
    input: service(`clusterIP: 10.43.0.9\nclusterIPs: [10.43.0.9]\nipFamilies: [IPv4]\nipFamilyPolicy: PreferDualStack\n${WEB}`),
    fields: { 'spec clusterIP': undefined, 'spec clusterIPs': undefined, 'spec ipFamilies': undefined, 'spec ipFamilyPolicy': undefined },
  },
  {
    id: 'T-S6',
    refs: 'session hijack by a fixed address',
    wrong: 'a tenant takes the cluster address of a Service of the host',
    input: service(`clusterIP: 10.96.0.10\nhealthCheckNodePort: 30000\n${WEB}`),
    fields: { 'spec clusterIP': undefined, 'spec healthCheckNodePort': undefined },
  },
  {
    id: 'S41',
    refs: 'vcluster#1401, vcluster#901',
    wrong: 'a headless Service gets an address, and clients no longer see its pods',
    input: service(`clusterIP: None\n${WEB}`),
    fields: { 'spec clusterIP': 'None' },
  },
  {
    id: 'T-S3 E32',
    refs: 'CVE-2020-8562',
    wrong: 'a name of the tenant leads to the cloud’s metadata service',
    input: service('type: ExternalName\nexternalName: metadata.google.internal'),
    refused: 'ExternalNameBlocked',
    pointer: 'spec.externalName',
  },
  {
    id: 'T-S3',
    refs: 'CVE-2020-8562',
    wrong: 'a name of the tenant leads to the DNS server of the host, which has a namesake in the tenant',
    input: service('type: ExternalName\nexternalName: kube-dns.kube-system.svc.cluster.local'),
    fields: { 'spec externalName': 'kube-dns-x-kube-system-x-dev.team-dev.svc.cluster.local' },
    notes: ['ReferenceUnresolved'],
  },
  {
    id: 'T-S3',
    refs: 'CVE-2021-25737',
    wrong: 'an address stands where a name should, and is followed',
    input: service('type: ExternalName\nexternalName: 169.254.169.254'),
    profile: '  allow: {externalNames: [example.com]}\n',
    refused: 'ExternalNameBlocked',
  },
  {
    id: 'T-S5 E35',
    refs: 'CVE-2021-25740, CVE-2021-25737',
    wrong: 'endpoints written by hand lead to a pod of another tenant',
    input:
      'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: e, labels: {kubernetes.io/service-name: s}}\naddressType: IPv4\nendpoints: [{addresses: [10.0.0.5]}]\nports: [{port: 80}]\n',
    refused: 'OptInNeeded',
    says: /allow\.endpoints/,
  },
  {
    id: 'T-S5',
    refs: 'CVE-2021-25737',
    wrong: 'with endpoints allowed, the node itself is a legal destination',
    profile: '  allow: {endpoints: true, selectorlessServices: true}\n',
    input:
      'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: e, labels: {kubernetes.io/service-name: s}}\naddressType: IPv4\nendpoints: [{addresses: [169.254.169.254]}]\nports: [{port: 80}]\n',
    beside: service(PORTS),
    refused: 'EndpointAddressBlocked',
  },
  {
    id: 'T-S5',
    refs: 'vcluster slices of long Service names',
    wrong: 'a slice names its Service by another cut of a long name, so the two never meet',
    profile: '  allow: {endpoints: true, selectorlessServices: true}\n',
    input: `apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: e, labels: {kubernetes.io/service-name: ${'a'.repeat(60)}, endpointslice.kubernetes.io/managed-by: mine}}\naddressType: IPv4\nendpoints: [{addresses: [192.0.2.10], nodeName: n1}]\nports: [{port: 80}]\n`,
    beside: service(PORTS, 'a'.repeat(60)),
    fields: {
      'metadata labels kubernetes.io/service-name': expect.stringMatching(/^a{20,}-.{10,}$/),
      'metadata labels endpointslice.kubernetes.io/managed-by': 'tenantplane',
      'endpoints 0 nodeName': undefined,
    },
  },
];

const networkPolicy = (spec: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: np}\nspec:\n${spec.replace(/^/gm, '  ')}\n`;
const OWN = { matchLabels: { 'tenantplane.io/tenant': 'dev' } };

const POLICIES: readonly Case[] = [
  {
    id: 'T-N1 E40',
    refs: 'vcluster shared-node guide, MTB-PL1-BC-CPI-2',
    wrong: 'a policy that lets everyone in opens the tenant to the whole host',
    input: networkPolicy('podSelector: {}\ningress: [{}]'),
    fields: { 'spec ingress': [{ from: [{ podSelector: OWN }] }] },
    notes: ['NetworkPolicyWidens'],
  },
  {
    id: 'T-N1',
    refs: 'vcluster shared-node guide',
    wrong: 'a policy that lets everything out reaches the host’s network and its metadata service',
    input: networkPolicy('podSelector: {}\npolicyTypes: [Egress]\negress: [{}]'),
    fields: { 'spec egress': [{ to: [{ podSelector: OWN }] }] },
    notes: ['NetworkPolicyWidens'],
  },
  {
    id: 'T-N1',
    refs: 'vcluster shared-node guide',
    wrong: 'a range of addresses opens what the profile closes; the last peer gone, the empty list means everyone',
    input: networkPolicy('podSelector: {}\npolicyTypes: [Egress]\negress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]'),
    fields: { 'spec egress': [] },
    notes: ['NetworkPolicyWidens'],
  },
  {
    id: 'T-N1',
    refs: 'vcluster shared-node guide',
    wrong: 'the range of all addresses opens what the profile closes, or closes what is the tenant’s own',
    input: networkPolicy('podSelector: {}\npolicyTypes: [Egress]\negress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]'),
    fields: { 'spec egress': [{ to: [{ podSelector: OWN }] }] },
    notes: ['NetworkPolicyWidens'],
  },
  {
    id: 'T-N1',
    refs: 'vcluster shared-node guide',
    wrong: 'all namespaces means all of the host’s',
    input: networkPolicy('podSelector: {}\ningress: [{from: [{namespaceSelector: {}}]}]'),
    fields: { 'spec ingress': [{ from: [{ podSelector: OWN }] }] },
  },
  {
    id: 'T-N1',
    refs: 'the API stores an absent list of peers as everyone',
    wrong: 'a rule of ports only, which says no peer, admits the whole host',
    input: networkPolicy('podSelector: {}\ningress: [{ports: [{port: 80}]}]'),
    fields: { 'spec ingress': [{ ports: [{ port: 80 }], from: [{ podSelector: OWN }] }] },
    notes: ['NetworkPolicyWidens'],
  },
  {
    id: 'T-N1',
    refs: 'a namespace of the host that has a namesake in the tenant',
    wrong: 'kube-system in a tenant’s policy means that of the host',
    input: networkPolicy(
      'podSelector: {}\ningress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}}]}]',
    ),
    fields: { 'spec ingress': [] },
  },
  {
    id: 'E41',
    refs: 'MTB-PL2-BC-OPS-4',
    wrong: 'a policy of labels only selects, and admits, pods of others with the same labels',
    input: networkPolicy('podSelector: {matchLabels: {app: web}}\ningress: [{from: [{podSelector: {matchLabels: {app: api}}}]}]'),
    fields: {
      'spec podSelector': { matchLabels: { app: 'web', ...SCOPE } },
      'spec ingress': [{ from: [{ podSelector: { matchLabels: { app: 'api', ...SCOPE } } }] }],
      'spec policyTypes': ['Ingress'],
    },
  },
];

const OTHERS: readonly Case[] = [
  {
    id: 'S14',
    refs: 'vcluster#4151, k3k PR#1149',
    wrong: 'a disruption budget guards the pods of another namespace',
    input:
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b, namespace: a}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}\n',
    fields: {
      'spec selector': { matchLabels: { app: 'web', 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': 'a' } },
      'spec unhealthyPodEvictionPolicy': 'AlwaysAllow',
    },
  },
  {
    id: 'S14 T-K5',
    refs: 'vcluster#4151',
    wrong: 'a budget with an empty selector guards every pod of the host namespace',
    input: 'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {maxUnavailable: 1, selector: {}}\n',
    fields: { 'spec selector': { matchLabels: SCOPE } },
  },
  {
    id: 'T-K5 S61',
    refs: 'vcluster#273',
    wrong: 'a budget that allows no disruption keeps a node from ever being drained',
    input:
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}\n',
    refused: 'DrainBlocked',
  },
  {
    id: 'S61',
    refs: 'vcluster#273',
    wrong: 'a budget of as many pods as there are blocks the drain as well',
    input:
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {minAvailable: 1, selector: {matchLabels: {app: web}}}\n',
    beside: deployment(),
    refused: 'DrainBlocked',
  },
  {
    id: 'T-K5',
    refs: 'autoscalers read by name',
    wrong: 'an autoscaler scales a workload of the host by its raw name',
    input:
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: argocd-server}, maxReplicas: 9}\n',
    refused: 'TargetNotProjected',
  },
  {
    id: 'T-K5',
    refs: 'external.metrics.k8s.io is not per tenant',
    wrong: 'an autoscaler reads the numbers of others',
    beside: deployment(),
    input:
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 9, metrics: [{type: External, external: {metric: {name: q}, target: {type: Value, value: 1}}}]}\n',
    refused: 'ExternalMetricBlocked',
  },
];

describe('a Service', () => cases(SERVICES));
describe('a NetworkPolicy', () => cases(POLICIES));
describe('what acts on pods by label or name', () => cases(OTHERS));

describe('selectors of our own', () => {
  it('S69 k3k service of the control plane: a pod takes the labels of the control plane or of the DNS server and becomes its endpoint', () => {
    const spec = '  networking: {dns: server, dnsServiceIP: 10.96.5.5}\n';
    const config = { host: { serviceCIDRs: ['10.96.0.0/16'] } };
    const plain = planCase({ id: '', refs: '', wrong: '', input: deployment(), spec, config });
    const own = plain.tenants
      .flatMap(({ files }) => files)
      .filter(({ decision, object }) => decision.source === undefined && object['kind'] === 'Service');
    expect(own.length).toBeGreaterThan(0);
    for (const { object } of own) {
      const wanted = valueAt(object, 'spec selector') as Readonly<Record<string, string>>;
      const labels = Object.entries({ ...wanted, cluster: 'other', role: 'server', app: 'web' })
        .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
        .join(', ');
      const spoof = hostObject(planCase({ id: '', refs: '', wrong: '', input: deployment('', labels, 'app: web'), spec, config }));
      const template = valueAt(spoof, 'spec template metadata labels') as Readonly<Record<string, string>>;
      expect(template['app']).toBe('web');
      const selected = Object.entries(wanted).every(([key, value]) => template[key] === value);
      expect(selected, `${valueAt(object, 'metadata name')} selects ${JSON.stringify(wanted)}`).toBe(false);
    }
  });

  it('S64 vcluster#2465, vcluster#2568, vcluster#2452: with isolation on, pods cannot reach the tenant’s DNS, or the DNS the host’s', () => {
    for (const spec of ['', '  networking: {dns: server, dnsServiceIP: 10.96.5.5}\n']) {
      const result = planCase({
        id: '',
        refs: '',
        wrong: '',
        input: deployment(),
        spec,
        config: { host: { serviceCIDRs: ['10.96.0.0/16'] } },
      });
      const rules = result.tenants
        .flatMap(({ files }) => files)
        .filter(({ object }) => object['kind'] === 'NetworkPolicy' && valueAt(object, 'metadata namespace') === 'team-dev')
        .flatMap(({ object }) => objectsOf(valueAt(object, 'spec egress')));
      const toHost = rules.filter((row) => JSON.stringify(row['to']).includes('"kube-system"'));
      expect(toHost.flatMap((row) => objectsOf(row['ports']).map(({ protocol, port }) => `${protocol}/${port}`)).sort()).toEqual([
        'TCP/53',
        'UDP/53',
      ]);
      if (spec === '') continue;
      const toServer = rules.filter((row) => !toHost.includes(row) && JSON.stringify(row['ports'] ?? '').includes('UDP'));
      expect(toServer).toHaveLength(1);
    }
  });
});
