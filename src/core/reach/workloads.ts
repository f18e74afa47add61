import { KEY } from '../identity/metadata.ts';
import { type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf, stringMap } from '../kube/object.ts';
import type { AddressSet } from './address-set.ts';
import type { PodEnd } from './endpoint.ts';
import { allKnown, type Labels } from './selects.ts';

/** Pods that one object of a tenant's tree makes. */
export interface Workload {
  readonly end: PodEnd;
  /** `team-dev/dev` */
  readonly tenant: string;
  readonly kind: string;
  /** as the tenant calls it; as the host does where it is the platform's own */
  readonly name: string;
  /** undefined where it is the platform's own */
  readonly virtualNamespace?: string;
  readonly hostName: string;
  /** a pod, not a template of several: it is the same at both ends of a call to itself */
  readonly single: boolean;
}

/** Labels that controllers give to pods beside those of the template: with a value that nobody knows before, or the object's name. */
const CONTROLLER_LABELS: Readonly<Record<string, { readonly open: readonly string[]; readonly named?: readonly string[] }>> = {
  'Deployment.apps': { open: ['pod-template-hash'] },
  'StatefulSet.apps': { open: ['controller-revision-hash', 'apps.kubernetes.io/pod-index', 'statefulset.kubernetes.io/pod-name'] },
  'DaemonSet.apps': { open: ['controller-revision-hash', 'pod-template-generation'] },
  'Job.batch': {
    open: ['controller-uid', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-completion-index'],
    named: ['job-name', 'batch.kubernetes.io/job-name'],
  },
  'CronJob.batch': {
    open: [
      'controller-uid',
      'batch.kubernetes.io/controller-uid',
      'batch.kubernetes.io/job-completion-index',
      'job-name',
      'batch.kubernetes.io/job-name',
    ],
  },
};

export function makesPods(apiVersion: string, kind: string): boolean {
  return kind !== 'PodTemplate' && kindRow(kindKey(apiVersion, kind))?.podSpec !== undefined;
}

export function workloadOf(
  object: KubeObject,
  { tenant, namespaceLabels, addresses }: { readonly tenant: string; readonly namespaceLabels: Labels; readonly addresses: AddressSet },
): Workload | undefined {
  const row = kindRow(kindKey(apiVersionOf(object), kindOf(object)));
  if (row?.podSpec === undefined || row.podMeta === undefined || !makesPods(apiVersionOf(object), kindOf(object))) return undefined;
  const spec = objectAt(object, ...row.podSpec);
  const virtualNamespace = annotationsOf(object).get(KEY.virtualNamespace);
  return {
    tenant,
    kind: row.kind,
    name: annotationsOf(object).get(KEY.virtualName) ?? nameOf(object),
    ...(virtualNamespace !== undefined && { virtualNamespace }),
    hostName: nameOf(object),
    single: row.kind === 'Pod',
    end: {
      is: 'pod',
      namespace: namespaceOf(object) ?? '',
      namespaceLabels,
      labels: podLabels(object, stringMap(objectAt(object, ...row.podMeta, 'labels'))),
      ports: containersOf(spec).flatMap((container) => objectsOf(container['ports'])),
      addresses,
      hostNetwork: spec?.['hostNetwork'] === true,
      rendered: true,
    },
  };
}

function podLabels(object: KubeObject, own: Map<string, string>): Labels {
  const more = CONTROLLER_LABELS[kindKey(apiVersionOf(object), kindOf(object))];
  if (more === undefined) return allKnown(own);
  for (const key of more.named ?? []) own.set(key, nameOf(object));
  const open = new Set(more.open);
  return { known: own, open: (key) => open.has(key) };
}

/** Those that run beside each other: sidecars are among the init containers (KEP-753). */
function containersOf(spec: JsonObject | undefined): JsonObject[] {
  return [
    ...objectsOf(spec?.['containers']),
    ...objectsOf(spec?.['initContainers']).filter((each) => stringAt(each, 'restartPolicy') === 'Always'),
  ];
}
