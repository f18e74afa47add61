import { compileIsolation } from '../../../src/core/isolation/compile.ts';
import { controlPlaneNamespace } from '../../../src/core/isolation/control-plane-namespace.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type KubeObject, nameOf } from '../../../src/core/kube/object.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import type { Cluster } from '../../bed/cluster.ts';
import { testContext } from '../../core/context.ts';
import { POOLED, type ProfileName, TENANT } from '../../support/admission-cases/case.ts';
import { namespaceName, namespaceOf, PROFILE_NAMES, profileSettings } from '../../support/admission-cases/evaluate.ts';

const RESOURCES: JsonObject = {
  '': [
    'pods',
    'pods/ephemeralcontainers',
    'pods/status',
    'pods/eviction',
    'pods/exec',
    'pods/attach',
    'pods/portforward',
    'pods/proxy',
    'services',
    'services/proxy',
    'secrets',
    'configmaps',
    'endpoints',
    'replicationcontrollers',
    'persistentvolumeclaims',
    'serviceaccounts',
    'resourcequotas',
    'limitranges',
  ],
  apps: ['deployments', 'deployments/scale', 'statefulsets', 'daemonsets', 'replicasets'],
  autoscaling: ['horizontalpodautoscalers'],
  batch: ['jobs', 'cronjobs'],
  policy: ['poddisruptionbudgets'],
  'networking.k8s.io': ['networkpolicies', 'ingresses'],
  'discovery.k8s.io': ['endpointslices'],
  'rbac.authorization.k8s.io': ['roles'],
};

/** What the cases' identities may do: the intruder the usual kinds in the tenants' namespaces, the editor namespaces, delivery everything. */
export function rights(namespaces: readonly string[]): KubeObject[] {
  const rbac = 'rbac.authorization.k8s.io';
  const subject = (kind: string, name: string, namespace?: string): JsonObject =>
    namespace === undefined ? { apiGroup: rbac, kind, name } : { kind, name, namespace };
  const rules = Object.entries(RESOURCES).map(
    ([group, resources]): JsonObject => ({ apiGroups: [group], resources: resources ?? [], verbs: ['*'] }),
  );
  const bind = (name: string, role: string, subjects: JsonObject[]): KubeObject => ({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects,
  });
  return [
    ...namespaces.flatMap((namespace): KubeObject[] => [
      { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'intruder', namespace }, rules: structuredClone(rules) },
      {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'intruder', namespace },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'intruder' },
        subjects: [subject('User', 'intruder'), subject('ServiceAccount', 'operator', 'operators')],
      },
    ]),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'namespace-editor' },
      rules: [{ apiGroups: [''], resources: ['namespaces', 'namespaces/status', 'namespaces/finalize'], verbs: ['*'] }],
    },
    bind('namespace-editor', 'namespace-editor', [subject('User', 'namespace-editor')]),
    bind('delivery', 'cluster-admin', [subject('ServiceAccount', 'argocd-application-controller', 'argocd')]),
    // as where all controllers share one account
    bind('controllers', 'cluster-admin', [subject('User', 'system:kube-controller-manager')]),
    bind('kubelets', 'system:node', [subject('Group', 'system:nodes')]),
  ];
}

/** Accounts of the namespaces, beside the default one. */
function accounts(namespaces: readonly string[]): KubeObject[] {
  return namespaces.flatMap((namespace) =>
    ['tenantplane-workload', 'builder'].map(
      (name): KubeObject => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name, namespace },
        automountServiceAccountToken: false,
      }),
    ),
  );
}

/** Classes of the host. */
export function classes(runtime: readonly string[], priority: readonly string[]): KubeObject[] {
  return [
    ...runtime.map((name): KubeObject => ({ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name }, handler: name })),
    ...priority.map((name): KubeObject => ({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1000 })),
  ];
}

/** A tenant of each profile, in namespaces that have our labels and nothing else of the boundary: the policies stand alone. */
export async function makeTenants(cluster: Cluster): Promise<void> {
  const namespaces = [
    ...PROFILE_NAMES.flatMap((name) => [namespaceOf('workload', name), namespaceOf('control-plane', name)]),
    namespaceOf('elsewhere', 'restricted'),
  ];
  const workloads = PROFILE_NAMES.map(namespaceName);
  const planes = workloads.map((name) => controlPlaneNamespace(TENANT, name));
  await apply(cluster, namespaces);
  await apply(cluster, [
    ...rights([...workloads, ...planes]),
    ...accounts([...workloads, ...planes, nameOf(namespaceOf('elsewhere', 'restricted'))]),
    ...classes(['kata-qemu', 'plain'], ['urgent', 'batch']),
  ]);
}

/** The rest of the boundary, as the render writes it: Pod Security, quotas, limits, NetworkPolicies. */
export async function closeTenants(cluster: Cluster): Promise<void> {
  const minor = Number(/^v1\.(\d+)/.exec(cluster.version)?.[1]);
  for (const name of PROFILE_NAMES) await apply(cluster, boundary(name, minor));
}

function boundary(name: ProfileName, minor: number): KubeObject[] {
  const namespace = namespaceName(name);
  const { allow, ...profile } = profileSettings(name);
  const own = { name: TENANT, namespace, controlPlaneNamespace: controlPlaneNamespace(TENANT, namespace), profile: name };
  const ctx = testContext({
    tenant: { ...own, ...(name === 'pooled' && { mode: 'dedicated', nodePool: POOLED }) },
    profile,
    allow,
    host: { minor },
  });
  return compileIsolation(ctx, []).map(({ object }) => object);
}

/** By server-side apply with strict validation; warnings are errors. */
export async function apply(cluster: Cluster, objects: readonly KubeObject[]): Promise<void> {
  const input = objects.map((object) => emitYaml(object)).join('---\n');
  const ran = await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '--validate=strict', '-f', '-'], { input });
  if (ran.status !== 0 || /warning/i.test(ran.stderr)) throw new Error(`kubectl apply: ${ran.stderr}`);
}
