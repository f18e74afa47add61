import { compileAdmission, compileSharedAdmission } from '../../src/core/isolation/admission/compile.ts';
import type { PolicyObject } from '../../src/core/isolation/admission/policy-object.ts';
import { clone, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { kindRow } from '../../src/core/kube/kinds.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { resolveProfile } from '../../src/core/plan/resolve-settings.ts';
import type { ProfileSettings } from '../../src/core/plan/settings.ts';
import { checkConfig } from '../../src/schema/check-config.ts';
import { owned, type Requester } from './admission-cases/case.ts';
import { DEFAULT_ADMISSION } from './admission-cases/default-options.ts';
import type { Rendered } from './example.ts';
import { type HostPod, hostTree, keyOf } from './host-tree.ts';

/** One object of an example that somebody creates on the host. */
export interface Creation {
  readonly name: string;
  readonly object: KubeObject;
  readonly by: Requester;
}

export interface ExampleAdmission {
  readonly policies: readonly PolicyObject[];
  /** classes of the host that the profiles name */
  readonly priorityClasses: readonly string[];
  readonly runtimeClasses: readonly string[];
  /** Namespaces of the tenants, which the policies select */
  readonly namespaces: readonly KubeObject[];
  /** everything else that is delivered, and what Kubernetes' controllers make of it */
  readonly creations: readonly Creation[];
}

/** What becomes of a rendered example on the host, object by object, and the policies of its profiles. `rename` tells profiles of several examples apart. */
export function exampleAdmission({ inputs, objects }: Rendered, rename: (profile: string) => string = (name) => name): ExampleAdmission {
  const profiles: ProfileSettings[] = inputs
    .filter(({ object }) => kindOf(object) === 'IsolationProfile')
    .map(({ object }) => resolveProfile(checked(object)));
  const policies = profiles.flatMap((profile) => compileAdmission({ ...profile, name: rename(profile.name) }, DEFAULT_ADMISSION));
  const onHost = objects.filter((object) => !keyOf(object).endsWith('.tenantplane.io'));
  const namespaces = onHost.filter((object) => kindOf(object) === 'Namespace').map((object) => profiled(object, rename));
  const delivered = onHost.filter((object) => kindOf(object) !== 'Namespace').map((object): Creation => creation('argocd', object));
  return {
    policies: [...policies, ...compileSharedAdmission(DEFAULT_ADMISSION)],
    priorityClasses: profiles.flatMap(({ allow }) => allow.priorityClasses),
    runtimeClasses: profiles.flatMap(({ runtimeClassName }) => runtimeClassName ?? []),
    namespaces,
    creations: [...delivered, ...hostTree(onHost).pods.flatMap(madeBy)],
  };
}

function checked(object: JsonObject): JsonObject {
  const value: unknown = checkConfig(object).value;
  if (typeof value !== 'object' || value === null) throw new Error(`${kindOf(object)} ${nameOf(object)} is not valid`);
  return value as JsonObject;
}

function profiled(namespace: KubeObject, rename: (profile: string) => string): KubeObject {
  const copy = clone(namespace);
  const labels = objectAt(copy, 'metadata', 'labels');
  const key = 'tenantplane.io/isolation-profile';
  if (labels !== undefined) labels[key] = rename(stringAt(labels, key) ?? '');
  return copy;
}

function creation(by: Requester, object: KubeObject): Creation {
  return { name: `${kindOf(object)} ${namespaceOf(object)}/${nameOf(object)} by ${by}`, object, by };
}

/** What the DaemonSet controller gives its pods. */
const DAEMON_TOLERATIONS = ['not-ready', 'unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'];

/** What Kubernetes' controllers make of an object with a template, as they make it. */
function madeBy({ owner, ownerKey, namespace, labels, spec }: HostPod): Creation[] {
  const name = nameOf(owner);
  const pod = (by: Requester, kind: string, of: string, fields: JsonObject = {}): Creation =>
    creation(
      by,
      owned(
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `${of}-0`, namespace, labels: Object.fromEntries(labels) },
          spec: { ...clone(spec), ...fields },
        },
        kind,
        of,
      ),
    );
  const template = (apiVersion: string, kind: string, of: string, holder: JsonObject | undefined): KubeObject =>
    owned(
      {
        apiVersion,
        kind,
        metadata: {
          name: `${name}-1`,
          namespace,
          labels: clone(objectAt(holder, 'metadata', 'labels') ?? {}),
          annotations: clone(objectAt(owner, 'metadata', 'annotations') ?? {}),
        },
        spec: clone(objectAt(holder, 'spec') ?? {}),
      },
      of,
      name,
    );
  switch (ownerKey) {
    case 'Deployment.apps': {
      const { selector, template: pods } = objectAt(owner, 'spec') ?? {};
      const set = template('apps/v1', 'ReplicaSet', 'Deployment', {
        metadata: objectAt(pods, 'metadata'),
        spec: { selector, template: pods },
      });
      return [creation('deployment', set), pod('replicaset', 'ReplicaSet', `${name}-1`)];
    }
    case 'StatefulSet.apps': {
      const claims = objectsOf(objectAt(owner, 'spec')?.['volumeClaimTemplates']);
      const volumes = claims.map((claim) => ({ name: nameOf(claim), persistentVolumeClaim: { claimName: `${nameOf(claim)}-${name}-0` } }));
      // a claim stands before a volume of its name
      const others = objectsOf(spec['volumes']).filter((volume) => claims.every((claim) => nameOf(claim) !== volume['name']));
      return [
        pod('statefulset', 'StatefulSet', name, { volumes: [...others, ...volumes] }),
        ...claims.map((claim) => {
          const metadata = { ...clone(objectAt(claim, 'metadata') ?? {}), name: `${nameOf(claim)}-${name}-0`, namespace };
          return creation('statefulset', {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata,
            spec: clone(objectAt(claim, 'spec') ?? {}),
          });
        }),
      ];
    }
    case 'DaemonSet.apps': {
      const added = DAEMON_TOLERATIONS.map((key) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists' }));
      return [pod('daemonset', 'DaemonSet', name, { tolerations: [...objectsOf(spec['tolerations']), ...added] })];
    }
    case 'CronJob.batch':
      return [
        creation('cronjob', template('batch/v1', 'Job', 'CronJob', objectAt(owner, 'spec', 'jobTemplate'))),
        pod('job', 'Job', `${name}-1`),
      ];
    case 'Job.batch':
      return [pod('job', 'Job', name)];
    case 'ReplicaSet.apps':
      return [pod('replicaset', 'ReplicaSet', name)];
    default:
      return [];
  }
}

/** Kinds that Kubernetes itself serves; others need a CRD. */
export function isBuiltIn(object: KubeObject): boolean {
  const group = kindRow(keyOf(object))?.group ?? keyOf(object).split('.').slice(1).join('.');
  return !group.includes('.') || group.endsWith('.k8s.io');
}
