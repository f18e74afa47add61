import type { JsonObject } from '../../../src/core/kube/json.ts';
import { tenantYaml } from '../../cli/harness.ts';
import { CONTAINER, type CodeCase, ingress, OPEN, object, pod, podSpec, profile, SERVICE, withMetadata, workload } from './case.ts';

const LONG = 'a-very-long-name-that-a-chart-has-made-of-a-release-and-a-component';
const RUNNER = { 'app.kubernetes.io/name': 'web' };

const STORES = { 'profile.yaml': profile({ level: 'restricted', allow: { secretStores: ['ClusterSecretStore/vault'] } }) };

function external(name: string, target: JsonObject): JsonObject {
  const data = [{ secretKey: 'user', remoteRef: { key: 'dev/login' } }];
  return object('external-secrets.io/v1', 'ExternalSecret', name, {
    spec: { secretStoreRef: { name: 'vault', kind: 'ClusterSecretStore' }, target, data },
  });
}

/** Codes that one object of a tenant reaches. */
export const OBJECT_CASES: readonly CodeCase[] = [
  {
    code: 'TP1002',
    input: 'a Service of a name of 62 characters',
    objects: [object('v1', 'Service', LONG.slice(0, 62), { spec: { selector: RUNNER, ports: [{ port: 80 }] } })],
  },
  {
    code: 'TP1020',
    input: 'an annotation that asks for a foreign DNS name',
    objects: [withMetadata(SERVICE, { annotations: { 'external-dns.alpha.kubernetes.io/hostname': 'bank.example.net' } })],
    files: { 'profile.yaml': profile({ level: 'restricted', allow: { annotations: ['external-dns.alpha.kubernetes.io/hostname'] } }) },
  },
  { code: 'TP2002', input: 'a CronJob, which the policy does not list', objects: [object('batch/v1', 'CronJob', 'nightly', { spec: {} })] },
  { code: 'TP2033', input: 'an Ingress of an API that is gone', objects: [object('extensions/v1beta1', 'Ingress', 'web', { spec: {} })] },
  {
    code: 'TP2003',
    input: 'a ConfigMap in namespace `kube-system`',
    objects: [withMetadata(object('v1', 'ConfigMap', 'settings'), { namespace: 'kube-system' })],
  },
  {
    code: 'TP2004',
    input: 'the Service `kubernetes`',
    objects: [object('v1', 'Service', 'kubernetes', { spec: { ports: [{ port: 443 }] } })],
  },
  {
    code: 'TP2006',
    input: 'annotation `tenantplane.io/project: "false"`',
    objects: [withMetadata(object('v1', 'ConfigMap', 'own'), { annotations: { 'tenantplane.io/project': 'false' } })],
  },
  { code: 'TP3032', input: 'an Ingress of a foreign host', objects: [SERVICE, ingress('web', 'bank.example.net')], files: OPEN },
  {
    code: 'TP3033',
    input: 'an Ingress path with a line break',
    objects: [SERVICE, ingress('web', 'web.dev.example.com', '/a\nb')],
    files: OPEN,
  },
  {
    code: 'TP3034',
    input: 'an Ingress of class `internal`',
    objects: [SERVICE, ingress('web', 'web.dev.example.com', '/', 'internal')],
    files: OPEN,
  },
  { code: 'TP3039', input: 'a Secret in plain text', objects: [object('v1', 'Secret', 'login', { stringData: { user: 'app' } })] },
  {
    code: 'TP3040',
    input: 'an ExternalSecret of a store that is not allowed',
    objects: [
      object('external-secrets.io/v1', 'ExternalSecret', 'login', {
        spec: {
          secretStoreRef: { name: 'vault', kind: 'ClusterSecretStore' },
          target: { name: 'login' },
          data: [{ secretKey: 'user', remoteRef: { key: 'dev/login' } }],
        },
      }),
    ],
  },
  {
    code: 'TP3041',
    input: 'a SealedSecret of strict scope',
    objects: [object('bitnami.com/v1alpha1', 'SealedSecret', 'login', { spec: { encryptedData: { user: 'AgBy' } } })],
  },
  {
    code: 'TP3042',
    input: 'a file that SOPS has encrypted',
    objects: [
      object('v1', 'Secret', 'login', {
        data: { user: 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]' },
        sops: { mac: 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]', version: '3.9.0' },
      }),
    ],
  },
  {
    code: 'TP3049',
    input: 'annotations of 300,000 bytes',
    objects: [withMetadata(object('v1', 'ConfigMap', 'big'), { annotations: { 'example.com/a': 'x'.repeat(300_000) } })],
    files: { 'profile.yaml': profile({ level: 'restricted', allow: { annotations: ['example.com/a'] } }) },
  },
  {
    code: 'TP3050',
    input: 'an autoscaler on a metric from outside',
    objects: [
      workload('Deployment', 'web'),
      object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          maxReplicas: 3,
          metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } } }],
        },
      }),
    ],
  },
  {
    code: 'TP3051',
    input: 'an autoscaler of a Deployment that is not there',
    objects: [
      object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nowhere' }, maxReplicas: 3 },
      }),
    ],
  },
  {
    code: 'TP3052',
    input: 'pod affinity to namespaces by a selector',
    objects: [
      pod('web', {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'kubernetes.io/hostname',
                labelSelector: { matchLabels: { app: 'db' } },
                namespaceSelector: { matchLabels: { team: 'other' } },
              },
            ],
          },
        },
      }),
    ],
  },
  {
    code: 'TP3053',
    input: 'a Pod with an ephemeral container',
    objects: [pod('web', { ephemeralContainers: [{ ...CONTAINER, name: 'debug', resources: {} }] })],
  },
  {
    code: 'TP3061',
    input: 'a Pod of a second namespace, with `networking.dns: aliases`',
    objects: [pod('web'), SERVICE, withMetadata(pod('other'), { namespace: 'second' })],
    files: { 'tenants/dev/tenant.yaml': tenantYaml('dev', '  networking: {dns: aliases}\n') },
  },
  {
    code: 'TP3064',
    input: 'a value of a dollar and braces',
    objects: [object('v1', 'ConfigMap', 'settings', { data: { path: ['$', '{HOME}/data'].join('') } })],
  },
  {
    code: 'TP3066',
    input: '`metadata.name` in an environment variable of a Deployment',
    objects: [
      workload('Deployment', 'web', {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: podSpec({}, { env: [{ name: 'ME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
        },
      }),
    ],
  },
  {
    code: 'TP3071',
    input: 'a Job whose pods restart always',
    objects: [object('batch/v1', 'Job', 'once', { spec: { template: { spec: podSpec({ restartPolicy: 'Always' }) } } })],
  },
  {
    code: 'TP3074',
    input: 'an EndpointSlice that leads to 127.0.0.1',
    objects: [
      object('v1', 'Service', 'db', { spec: { ports: [{ port: 80 }] } }),
      withMetadata(
        object('discovery.k8s.io/v1', 'EndpointSlice', 'db', {
          addressType: 'IPv4',
          endpoints: [{ addresses: ['127.0.0.1'] }],
          ports: [{ port: 80 }],
        }),
        { labels: { 'kubernetes.io/service-name': 'db' } },
      ),
    ],
    files: OPEN,
  },
  {
    code: 'TP3076',
    input: 'a Pod that reads `$(WEB_SERVICE_HOST)`',
    objects: [SERVICE, pod('app', {}, { args: ['$(WEB_SERVICE_HOST)'] })],
  },
  {
    code: 'TP3084',
    input: 'an Ingress to pods that a NetworkPolicy closes',
    objects: [
      SERVICE,
      workload('Deployment', 'web'),
      ingress('web', 'web.dev.example.com'),
      object('networking.k8s.io/v1', 'NetworkPolicy', 'closed', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
    ],
    files: {
      'profile.yaml': profile({
        level: 'restricted',
        allow: { ingressClasses: ['nginx'], ingressHostSuffixes: ['{tenant}.example.com'], gatewayNamespaces: ['ingress'] },
      }),
    },
  },
  {
    code: 'TP3085',
    input: 'a ServiceAccount with an AWS role',
    objects: [
      withMetadata(object('v1', 'ServiceAccount', 'app'), {
        annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/app' },
      }),
      pod('web', { serviceAccountName: 'app' }),
    ],
  },
  {
    code: 'TP3086',
    input: 'a Pod with `dnsPolicy: Default`',
    objects: [pod('web', { dnsPolicy: 'Default', automountServiceAccountToken: true })],
  },
  {
    code: 'TP3090',
    input: 'an Ingress that names a certificate issuer',
    objects: [
      SERVICE,
      withMetadata(ingress('web', 'web.dev.example.com'), { annotations: { 'cert-manager.io/cluster-issuer': 'public' } }),
    ],
    files: OPEN,
  },
  {
    code: 'TP3008',
    input: 'a Service, where `networking.egressPolicy` is deny-by-default',
    objects: [SERVICE, workload('Deployment', 'web')],
    files: { 'tenants/dev/tenant.yaml': tenantYaml('dev', '  networking: {egressPolicy: deny-by-default}\n') },
  },
  { code: 'TP3007', input: 'more replicas than the quota holds', objects: [workload('Deployment', 'web', { replicas: 300 })] },
  {
    code: 'TP7006',
    input: 'a Job with `ttlSecondsAfterFinished`',
    objects: [
      object('batch/v1', 'Job', 'once', { spec: { ttlSecondsAfterFinished: 60, template: { spec: podSpec({ restartPolicy: 'Never' }) } } }),
    ],
  },
  {
    code: 'TP9005',
    input: 'a ConfigMap of 200,000 bytes',
    objects: [object('v1', 'ConfigMap', 'big', { data: { text: 'x'.repeat(200_000) } })],
  },
  {
    code: 'TP3059',
    input: 'a profile whose container minimum is above its maximum',
    files: { 'profile.yaml': profile({ level: 'restricted', limits: { min: { cpu: '4' }, max: { cpu: '1' } } }) },
  },
  {
    code: 'TP1003',
    input: 'two ExternalSecrets that make one Secret',
    objects: ['one', 'two'].map((name) => external(name, { name: 'login' })),
    files: STORES,
  },
  {
    code: 'TP3075',
    input: 'an ExternalSecret that makes a ConfigMap',
    objects: [external('one', { manifest: { apiVersion: 'v1', kind: 'ConfigMap' } })],
    files: STORES,
  },
  {
    code: 'TP3096',
    input: 'a ConfigMap with 1,001 labels',
    objects: [
      withMetadata(object('v1', 'ConfigMap', 'many'), {
        labels: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`l${index}`, ''])),
      }),
    ],
  },
  {
    code: 'TP9007',
    input: '1,100 ConfigMaps',
    objects: Array.from({ length: 1100 }, (_, index) => object('v1', 'ConfigMap', `c${index}`)),
  },
  {
    code: 'TP9030',
    input: '3,600 ConfigMaps',
    objects: Array.from({ length: 3600 }, (_, index) => object('v1', 'ConfigMap', `c${index}`)),
  },
  {
    code: 'TP3073',
    input: '70 NetworkPolicies of two labels each',
    objects: Array.from({ length: 70 }, (_, index) =>
      object('networking.k8s.io/v1', 'NetworkPolicy', `p${index}`, {
        spec: { podSelector: { matchLabels: { app: `a${index}`, tier: `t${index}` } }, policyTypes: ['Ingress', 'Egress'] },
      }),
    ),
    files: { 'tenants/dev/tenant.yaml': tenantYaml('dev', '  networking: {egressPolicy: allow-same-tenant}\n') },
  },
];
