import { readFileSync } from 'node:fs';
import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { bindingOf, roleText } from './access-objects.ts';
import { guardText } from './guard-objects.ts';
import { DEPLOYMENT } from './reconciler-deployment.ts';
import { ACCOUNT, DISRUPTION_BUDGET, NAMESPACE, NETWORK_POLICY, SERVICE } from './surroundings.ts';

const HEADER = '# Generated from deploy/install by `npm run generate`. Do not edit.\n';

/** What `kubectl apply -k` takes: path from the root of the repository, and text. */
export function installFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...folder('deploy/base', {
      'namespace.yaml': emitYaml(NAMESPACE),
      'admission.yaml': `${ADMISSION_COMMENT}${guardText('base')}`,
      'serviceaccount.yaml': emitYaml(ACCOUNT),
      'clusterrole.yaml': `# What the reconciler may do everywhere: no Secrets, no pods/exec, nothing of admission or RBAC to write.\n${roleText('ClusterRole', 'cluster')}`,
      'clusterrolebinding.yaml': emitYaml(bindingOf('ClusterRole', 'cluster')),
      'role.yaml': roleText('Role', 'own'),
      'rolebinding.yaml': emitYaml(bindingOf('Role', 'own')),
      'networkpolicy.yaml': `${NETWORK_COMMENT}${emitYaml(NETWORK_POLICY)}`,
      'service.yaml': emitYaml(SERVICE),
      'poddisruptionbudget.yaml': emitYaml(DISRUPTION_BUDGET),
      'deployment.yaml': `${HEAP_COMMENT}${emitYaml(DEPLOYMENT)}`,
    }),
    ['deploy/base/kustomization.yaml', `${HEADER}${kustomization(BASE, { images: [{ name: 'tenantplane', newTag: version() }] })}`],
    ...folder('deploy/overlays/controller-delivery', {
      'admission.yaml': `${DELIVERY_ADMISSION_COMMENT}${guardText('controller')}`,
      'clusterrole.yaml': `${DELIVERY_COMMENT}${roleText('ClusterRole', 'controller')}`,
      'clusterrolebinding.yaml': emitYaml(bindingOf('ClusterRole', 'controller')),
      'kustomization.yaml': kustomization(['../../base', 'admission.yaml', 'clusterrole.yaml', 'clusterrolebinding.yaml']),
    }),
    ...folder('deploy/overlays/single-replica', {
      'kustomization.yaml': `${SINGLE_COMMENT}${kustomization(['../../base'], SINGLE)}`,
    }),
  ]);
}

/** In the order in which they are applied. */
const BASE: readonly string[] = [
  'namespace.yaml',
  'admission.yaml',
  'serviceaccount.yaml',
  'clusterrole.yaml',
  'clusterrolebinding.yaml',
  'role.yaml',
  'rolebinding.yaml',
  'networkpolicy.yaml',
  'service.yaml',
  'poddisruptionbudget.yaml',
  'deployment.yaml',
];

const SINGLE: JsonObject = {
  replicas: [{ name: RECONCILER.name, count: 1 }],
  patches: [
    {
      patch: emitYaml({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: RECONCILER.name, namespace: RECONCILER.namespace },
        $patch: 'delete',
      }),
    },
  ],
};

export function kustomization(resources: readonly string[], more: JsonObject = {}): string {
  return emitYaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: [...resources], ...more });
}

function folder(path: string, files: Readonly<Record<string, string>>): [path: string, text: string][] {
  return Object.entries(files).map(([name, text]) => [`${path}/${name}`, `${HEADER}${text}`]);
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

const NETWORK_COMMENT = `# In: who scrapes metrics, from namespaces with the label "metrics: enabled". Out: the API servers of the host and of tenants, and DNS. The
# host's API server is no pod and its address is the host's own, so its ports are open to every address: add an ipBlock by a patch
# where you know it. Traces need a rule for their collector. The kubelet's probes pass: a node may always reach its own pods.
`;

const HEAP_COMMENT = `# --max-old-space-size, in MiB, is three quarters of the memory limit: raise both together (docs/install-reconciler.md says by how much).
`;

const ADMISSION_COMMENT = `# What the API server refuses of the reconciler's account, whatever its roles let through: RBAC knows no fields, no content of what is made, and
# no labels of namespaces. So a token that was taken makes nothing but control planes. It looks at that account's requests alone.
`;

const DELIVERY_ADMISSION_COMMENT = `# The same for the rights of this overlay: by them, of all namespaces, those of tenants alone are written.
`;

const DELIVERY_COMMENT = `# Only for TenantClusters with "delivery: controller", whose isolation the reconciler applies in place of Git. RBAC cannot tell tenants'
# namespaces from others, so these rights are for every namespace, and admission.yaml keeps them to tenants' own. Who takes the reconciler over
# with this can still open what holds tenants apart, and read Secrets of every control plane. Where Git delivers, leave it out. Admission
# policies and all else of host/platform are never its own to write.
`;

const SINGLE_COMMENT = `# For a small cluster: while the one replica moves to another node, nobody looks after the control planes; they run on. It still takes the
# Lease, so that an old and a new pod never write at once.
`;
