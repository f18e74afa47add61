import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestStream } from '../../../src/cli/render/manifest-stream.ts';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../../bed/cluster.ts';
import { ROOT } from '../workspace.ts';

/** Who applies a tree on a real host: Argo CD's controller, which may do all that admission lets it. */
export const APPLIER = 'system:serviceaccount:argocd:argocd-application-controller';

/** A host cluster with what the examples find on one: our CRDs, kinds of other makers, classes, and an applier. */
export interface Host extends Cluster {
  /** kubeconfig of the applier */
  readonly applier: string;
}

export async function startHost(options: ClusterOptions = {}): Promise<Host> {
  const cluster = await startCluster(options);
  const files = readdirSync(join(ROOT, 'deploy/crds')).filter((file) => file.endsWith('.yaml'));
  const crds = files.map((file) => readFileSync(join(ROOT, 'deploy/crds', file), 'utf8'));
  const foreign = FOREIGN_KINDS.map(looseCrd);
  await must(cluster, ['apply', '--server-side', '-f', '-'], [...crds, ...foreign, ...CLASSES].join('\n---\n'));
  await must(cluster, ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  await must(cluster, ['create', 'clusterrolebinding', 'applier', '--clusterrole=cluster-admin', `--user=${APPLIER}`]);
  return { ...cluster, applier: cluster.kubeconfigFor(APPLIER) };
}

/** Runs kubectl and gives its output. @throws where it fails, with its words */
export async function must(cluster: Cluster, args: readonly string[], input = '', as?: string): Promise<string> {
  const { status, stdout, stderr } = await cluster.kubectl(args, { input, ...(as !== undefined && { as }) });
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Applies a plan in the order of `render -o stdout`, as strictly as the API server can; what it says on stderr comes back. */
export async function applyPlan(host: Host, plan: Plan): Promise<string> {
  const input = [...manifestStream(plan, { standing: [], prefix: '' })].join('');
  const args = ['apply', '--server-side', '--validate=strict', '--field-manager=argocd-controller', '-f', '-'];
  for (let attempt = 1; ; attempt += 1) {
    const { status, stderr } = await host.kubectl(args, { input, as: host.applier });
    if (status === 0) return stderr;
    // the server has tried five times by itself while the quota's controller wrote what is used; whoever applies, applies again then
    if (attempt === 3 || !wasOvertaken(stderr)) return `${stderr}exit ${status}`;
  }
}

/** Nothing failed but that an object had changed meanwhile. */
function wasOvertaken(stderr: string): boolean {
  const errors = stderr.split('\n').filter((line) => /^error/i.test(line));
  return errors.length > 0 && errors.every((line) => line.includes('the object has been modified; please apply your changes'));
}

/** Kinds whose schemas are their makers' and not to be had here: the server takes any fields of them. */
const FOREIGN_KINDS: readonly (readonly [string, string, string, string])[] = [
  ['external-secrets.io', 'v1', 'ExternalSecret', 'externalsecrets'],
  ['bitnami.com', 'v1alpha1', 'SealedSecret', 'sealedsecrets'],
  ['monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'],
];

function looseCrd([group, version, kind, plural]: readonly [string, string, string, string]): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}}
  versions:
  - name: ${version}
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
}

const RUNTIME_CLASSES = ['kata-qemu', 'kata-clh'];
const PRIORITY_CLASSES = ['tenant-low', 'tenant-high'];
const STORAGE_CLASSES = ['standard', 'fast', 'archive'];

const CLASSES: readonly string[] = [
  ...RUNTIME_CLASSES.map((name) => `apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: ${name}}\nhandler: ${name}\n`),
  // one that keeps its pods on nodes of their own, as sandboxes often do
  'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: gvisor}\nhandler: gvisor\nscheduling: {tolerations: [{key: sandbox, operator: Exists, effect: NoSchedule}]}\n',
  ...STORAGE_CLASSES.map(
    (name) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: ${name}
  annotations: {storageclass.kubernetes.io/is-default-class: "${name === 'standard'}"}
provisioner: example.com/none
`,
  ),
  ...PRIORITY_CLASSES.map((name) => `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\nvalue: 10\n`),
];
