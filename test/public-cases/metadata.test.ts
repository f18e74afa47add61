import { describe, expect, it } from 'vitest';
import { type Json, objectAt } from '../../src/core/kube/json.ts';
import { matchesSelector } from '../../src/core/kube/labels.ts';
import { stringMap } from '../../src/core/kube/object.ts';
import { devPackage, planFiles } from '../support/observe.ts';
import { type Case, cases, decisionOf, hostObject, planCase, valueAt } from './case.ts';
import { everythingSaid } from './outputs.ts';
import { configMap, deployment, pod, podWith } from './pods.ts';

/** Keys by which a tenant would speak to a tool of the host. */
const TOOL_ANNOTATIONS: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/hook': 'PreSync',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/tracking-id': 'x:v1/ConfigMap:a/b',
  'link.argocd.argoproj.io/x': 'javascript:alert(1)',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'kustomize.toolkit.fluxcd.io/reconcile': 'disabled',
  'helm.sh/hook': 'pre-install',
  'cli-utils.sigs.k8s.io/on-remove': 'keep',
  'client.lifecycle.config.k8s.io/deletion': 'detach',
  'config.kubernetes.io/depends-on': 'v1/Secret/kube-system/x',
  'config.kubernetes.io/apply-time-mutation': '[]',
  'config.kubernetes.io/local-config': 'true',
  'internal.config.kubernetes.io/path': '../x.yaml',
  'config.kubernetes.io/merge-source': 'patch',
  'kpt.dev/cm-resource-merge-key': 'x',
  'replicator.v1.mittwald.de/replicate-from': 'kube-system/x',
  'external-dns.alpha.kubernetes.io/hostname': 'example.com',
  'cert-manager.io/inject-ca-from': 'kube-system/x',
  'tenantplane.io/origin': 'api',
  'tenantplane.io/decision': 'tp1/Project/TP2001',
  'tenantplane.io/virtual-name': 'other',
};
const flow = (map: Readonly<Record<string, string>>): string =>
  `{${Object.entries(map)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ')}}`;

const VARIABLE: string = ['$', '{cluster_secret}'].join('');

const KEYS = Object.keys(TOOL_ANNOTATIONS).filter((key) => !key.startsWith('tenantplane.io/'));
const without = (place: string, keys: readonly string[]): Record<string, Json | undefined> =>
  Object.fromEntries(keys.map((key) => [`${place} ${key}`, undefined]));

const CONTAINERS =
  'containers: [{name: a, image: a:1, securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}}]';
const SET = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {${CONTAINERS}}}
  volumeClaimTemplates:
  - metadata: {name: data, labels: {"on": yes}, annotations: {"off": keep}, finalizers: [x/y]}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
const CRON = `apiVersion: batch/v1
kind: CronJob
metadata: {name: c}
spec:
  schedule: "@daily"
  jobTemplate:
    metadata: {labels: {"on": yes}}
    spec: {template: {spec: {restartPolicy: Never, ${CONTAINERS}}}}
`;

const ROWS: readonly Case[] = [
  {
    id: 'T-L2 T-L3 T-L4 T-L5 E45',
    refs: 'CVE-2022-31035, CVE-2026-45738, Argo CD annotations, Flux, kpt',
    wrong: 'an annotation of the tenant speaks to a tool of the host',
    input: configMap('a', `annotations: ${flow(TOOL_ANNOTATIONS)}`),
    fields: {
      ...without('metadata annotations', KEYS),
      'metadata annotations tenantplane.io/origin': 'git',
      'metadata annotations tenantplane.io/virtual-name': 'a',
    },
    notes: ['AnnotationBlocked'],
  },
  {
    id: 'T-L2 T-L4',
    refs: 'Argo CD annotations, Flux, kpt',
    wrong: 'a profile that lets every annotation pass lets the tenant speak to the tools of the host too',
    profile: '  allow: {annotations: ["*"]}\n',
    input: configMap('a', `annotations: ${flow({ ...TOOL_ANNOTATIONS, 'example.com/team': 'a' })}`),
    fields: {
      ...without(
        'metadata annotations',
        KEYS.filter((key) => /argoproj|fluxcd|helm\.sh|cli-utils|config\.k|kpt\.dev/.test(key) && !key.startsWith('client.')),
      ),
      'metadata annotations tenantplane.io/origin': 'git',
      'metadata annotations example.com/team': 'a',
    },
  },
  {
    id: 'T-L2 T-L4',
    refs: 'Argo CD annotations',
    wrong: 'what an object may not carry stands in its pod template',
    input: deployment().replace('metadata: {labels: {app: web}}', `metadata: {labels: {app: web}, annotations: ${flow(TOOL_ANNOTATIONS)}}`),
    fields: { 'spec template metadata annotations': undefined },
  },
  {
    id: 'T-L4 E45',
    refs: 'kyaml runs functions that an annotation names',
    wrong: 'an annotation makes an orchestrator run an image of the tenant’s',
    input: configMap('a', 'annotations: {config.kubernetes.io/function: "container: {image: registry.example/evil}"}'),
    refused: 'FunctionInTenant',
  },
  {
    id: 'T-L1 T-L2',
    refs: 'CVE-2024-39690, CVE-2025-55205',
    wrong: 'labels claim another tenant, another manager, or a role for a GitOps tool',
    input: configMap(
      'a',
      'labels: {tenantplane.io/tenant: prod, tenantplane.io/virtual-namespace: other, app.kubernetes.io/managed-by: Helm, app.kubernetes.io/instance: root, argocd.argoproj.io/secret-type: cluster, pod-security.kubernetes.io/enforce: privileged, team: a}',
    ),
    fields: {
      'metadata labels': {
        'app.kubernetes.io/managed-by': 'tenantplane',
        'tenantplane.io/kind': 'configmap',
        'tenantplane.io/tenant': 'dev',
        'tenantplane.io/virtual-namespace': 'default',
        't.tenantplane.io/tenantplane.io_tenant': 'prod',
        't.tenantplane.io/tenantplane.io_virtual-namespace': 'other',
        't.tenantplane.io/app.kubernetes.io_managed-by': 'Helm',
        't.tenantplane.io/app.kubernetes.io_instance': 'root',
        't.tenantplane.io/argocd.argoproj.io_secret-type': 'cluster',
        't.tenantplane.io/pod-security.kubernetes.io_enforce': 'privileged',
        team: 'a',
      },
    },
    notes: ['LabelRekeyed'],
  },
  {
    id: 'T-P9',
    refs: 'workload identity of clouds',
    wrong: 'a label gives the pod an identity of the cloud',
    input: pod('', 'p', 'labels: {azure.workload.identity/use: "true"}'),
    fields: { 'metadata labels azure.workload.identity/use': undefined },
    notes: ['LabelRekeyed'],
  },
  {
    id: 'T-L6 E46 S18',
    refs: 'CVE-2023-34091, CVE-2025-5187',
    wrong: 'owner references, finalizers or a deletion time of the tenant act on the host’s object',
    input: configMap(
      'a',
      'uid: u, resourceVersion: "7", generation: 3, generateName: a-, creationTimestamp: 2020-01-01T00:00:00Z, deletionTimestamp: 2020-01-01T00:00:00Z, deletionGracePeriodSeconds: 0, selfLink: /x, finalizers: [x/y], ownerReferences: [{apiVersion: v1, kind: Node, name: n, uid: u}], managedFields: [{manager: m}]',
    ),
    fields: without(
      'metadata',
      'uid resourceVersion generation generateName creationTimestamp deletionTimestamp deletionGracePeriodSeconds selfLink finalizers ownerReferences managedFields'.split(
        ' ',
      ),
    ),
  },
  {
    id: 'E46 G20',
    refs: 'kustomize#641, kustomize#4224',
    wrong: 'an object that only has generateName gets a new name at each render, or stops the whole build',
    input:
      'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: migrate-}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n',
    refused: 'NameMissing',
  },
  {
    id: 'T-L7 E64',
    refs: 'CVE-2022-31016, CVE-2023-40584, CVE-2026-44247',
    wrong: 'annotations past what the API stores fail at the apply, for everyone in the sync',
    input: configMap('a', `annotations: {a: "${'x'.repeat(300 * 1024)}"}`),
    refused: 'AnnotationsTooLarge',
  },
  {
    id: 'T-L7 E64',
    refs: 'CVE-2022-31016',
    wrong: 'three thousand small annotations are the same bomb in pieces',
    input: configMap('a', `annotations: {${Array.from({ length: 3000 }, (_, n) => `example.com/k${n}: "${'y'.repeat(80)}"`).join(', ')}}`),
    refused: ['AnnotationsTooLarge', 'MetadataTooLarge'],
  },
  {
    id: 'T-L7 E64',
    refs: 'CVE-2023-40584',
    wrong: 'an object past what etcd takes fails at the apply, for everyone in the sync',
    input: configMap('a').replace('{a: b}', `{a: "${'x'.repeat(1_150_000)}"}`),
    refused: 'ObjectTooLarge',
  },
  {
    id: 'T-F2',
    refs: 'Flux postBuild substitution',
    wrong: 'text of the tenant that looks like a variable is filled with a value of the platform',
    input: configMap('a').replace('{a: b}', `{a: "${VARIABLE}"}`),
    fields: { 'metadata annotations kustomize.toolkit.fluxcd.io/substitute': 'disabled', 'data a': VARIABLE },
    notes: ['SubstitutionPattern'],
  },
  ...(
    [
      ['a claim template', 'spec.volumeClaimTemplates[0].metadata.labels.on', SET],
      ['a Job’s template', 'spec.jobTemplate.metadata.labels.on', CRON],
      [
        'an ephemeral volume',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.labels.on',
        pod(
          'volumes: [{name: d, ephemeral: {volumeClaimTemplate: {metadata: {labels: {"on": yes}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]',
        ),
      ],
    ] as const
  ).map(
    ([what, pointer, input]): Case => ({
      id: 'G25',
      refs: 'fluxcd/flux2#4606',
      wrong: `yes is a boolean in the labels of ${what}, and the API refuses the whole object where nobody looks`,
      input,
      refused: 'ObjectMalformed',
      pointer,
    }),
  ),
  {
    id: 'T-L1 T-L2',
    refs: 'CVE-2024-39690',
    wrong: 'what an object may not carry stands on the claims that it makes',
    input: SET.replace('"on": yes', 'app.kubernetes.io/managed-by: tenantplane, tenantplane.io/tenant: prod').replace(
      '"off"',
      'helm.sh/resource-policy',
    ),
    fields: {
      'spec volumeClaimTemplates 0 metadata': {
        name: 'data',
        labels: { 't.tenantplane.io/app.kubernetes.io_managed-by': 'tenantplane', 't.tenantplane.io/tenantplane.io_tenant': 'prod' },
      },
    },
  },
  {
    id: 'G37',
    refs: 'argo-cd#23815',
    wrong: 'what a tool tracks its objects by is committed to Git and claims them for another application',
    input: configMap(
      'a',
      'annotations: {argocd.argoproj.io/tracking-id: "x:v1/ConfigMap:a/b"}, labels: {app.kubernetes.io/instance: x, argocd.argoproj.io/instance: x}',
    ),
    fields: {
      'metadata annotations argocd.argoproj.io/tracking-id': undefined,
      'metadata labels app.kubernetes.io/instance': undefined,
      'metadata labels argocd.argoproj.io/instance': undefined,
    },
  },
];

describe('metadata of the tenant', () => {
  cases(ROWS);

  it('T-L6 E46: what is taken away is not said', () => {
    const input = configMap('a', 'finalizers: [x/y], ownerReferences: [{apiVersion: v1, kind: Node, name: n, uid: u}]');
    const removed = decisionOf(planCase({ id: '', refs: '', wrong: '', input }))?.fields.filter(({ op }) => op === 'Remove');
    expect(removed?.map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual([
      'metadata.finalizers rw.strip-server-fields',
      'metadata.ownerReferences rw.strip-server-fields',
    ]);
  });

  it('T-N2 E43 a label that exempted pods from isolation: a pod asks to be left out of default deny, and is', () => {
    for (const input of [
      pod('', 'p', 'labels: {tenantplane.io/isolation-exempt: "true"}'),
      deployment('', 'app: web, tenantplane.io/isolation-exempt: "true"', 'app: web'),
    ]) {
      const result = planCase({ id: '', refs: '', wrong: '', input });
      const object = hostObject(result);
      const metadata = object?.['kind'] === 'Pod' ? objectAt(object, 'metadata') : objectAt(object, 'spec', 'template', 'metadata');
      const labels = stringMap(objectAt(metadata, 'labels'));
      expect(labels.has('tenantplane.io/isolation-exempt')).toBe(false);
      const deny = result.tenants
        .flatMap(({ files }) => files)
        .find(({ object: made }) => made['kind'] === 'NetworkPolicy' && valueAt(made, 'metadata name') === 'tenantplane-default-deny');
      expect(matchesSelector(objectAt(deny?.object, 'spec', 'podSelector') ?? { matchLabels: { never: 'x' } }, labels)).toBe(true);
      expect(valueAt(deny?.object, 'spec policyTypes')).toEqual(['Ingress', 'Egress']);
    }
  });

  it('T-F1 E45 CVE-2022-24877, CVE-2022-24348: the tenant’s name or path annotation decides which file is written', () => {
    const row = configMap(
      'kustomization',
      'annotations: {internal.config.kubernetes.io/path: ../../.github/workflows/x.yaml, config.kubernetes.io/path: Kptfile}',
    );
    const result = planCase({ id: '', refs: '', wrong: '', input: row, beside: configMap('kptfile') });
    const paths = result.tenants.flatMap(({ files }) => files.map(({ path }) => path));
    expect(paths).toContain('team-dev/configmap_kustomization-x-default-x-dev.yaml');
    for (const path of paths) expect(path).toMatch(/^(team-dev|platform)\/[a-z0-9.-]+_[a-z0-9.-]+\.yaml$/);
  });

  it('T-R4 CVE-2021-25743: a name, annotation or value with escape sequences or right-to-left marks rewrites the reader’s terminal', () => {
    const evil = '\\u001b]0;owned\\u0007\\u202egnp.exe\\u009b31m';
    const said = everythingSaid(
      planFiles(
        devPackage({
          'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${evil}"}\n`,
          'b.yaml': `apiVersion: "v1${evil}"\nkind: "Config${evil}"\nmetadata: {name: b}\n`,
          'c.yaml': configMap('c', `annotations: {"x${evil}": a}, labels: {a: "${evil}"}`),
          'd.yaml': podWith(`env: [{name: A, valueFrom: {secretKeyRef: {name: "${evil}", key: k}}}]`),
          'e.yaml': pod(`volumes: [{name: "${evil}", hostPath: {path: /}}]`, 'e'),
          'f.yaml': pod('', 'f').replace('name: app', `name: "${evil}", livenessProbe: {httpGet: {host: "${evil}", port: 80}}`),
        }),
      ),
    );
    expect(said).toContain('owned');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    expect(said.split('\n').filter((line) => raw.test(line))).toEqual([]);
  });
});
