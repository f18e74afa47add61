import { at, stringAt } from '../../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../kube/object.ts';
import { ANNOTATION, AUTHORITIES_SECRET, EXTERNAL_SERVICE, TOKEN_SECRET } from '../names.ts';
import { controlPlaneServices } from '../services.ts';
import { accessWords } from './access.ts';
import type { Action } from './action.ts';
import { type Found, found } from './condition-reasons.ts';
import { type LifecycleObservation, type Settled, stands } from './observation.ts';
import { isOwn } from './stamp.ts';

/** What keeps a control plane from being made or changed, and what is done about it. */
export interface Blocker {
  readonly found: Found;
  readonly actions: readonly Action[];
}

type Check<O> = (o: O) => Blocker | undefined;

const stalled = (reason: Parameters<typeof found<'Stalled'>>[1], message: string): Blocker => ({
  found: found('Stalled', reason, message),
  actions: [],
});
const waits = (message: string, actions: readonly Action[] = []): Blocker => ({
  found: found('Reconciling', 'DependencyNotReady', message),
  actions,
});

/** The first thing that is in the way, in this order: who may be here at all, then the boundary, then what servers need. */
export function blockerOf(o: LifecycleObservation): Blocker | undefined {
  return firstOf(ALWAYS, o) ?? (isSettled(o) ? firstOf(SETTLED, o) : undefined);
}

export function isSettled(o: LifecycleObservation): o is Settled {
  return o.config.ready;
}

function firstOf<O>(checks: readonly Check<O>[], o: O): Blocker | undefined {
  for (const check of checks) {
    const blocker = check(o);
    if (blocker !== undefined) return blocker;
  }
  return undefined;
}

const ALWAYS: readonly Check<LifecycleObservation>[] = [
  ({ config }) => (config.ready ? undefined : stalled(config.reason, config.message)),
  ({ elders: [elder], tenantCluster }) =>
    elder === undefined
      ? undefined
      : stalled(
          'NamespaceShared',
          `TenantCluster ${elder} has the namespace ${namespaceOf(tenantCluster) ?? ''}; a namespace is one tenant’s.`,
        ),
];

const SETTLED: readonly Check<Settled>[] = [
  foreignNamespace,
  boundary,
  missingNamespace,
  foreignObject,
  modeChange,
  datastoreSecret,
  storageClass,
  lostMaterial,
  brokenMaterial,
  otherMaterial,
];

function foreignNamespace({ namespaces, config }: Settled): Blocker | undefined {
  if (namespaces.controlPlane !== 'foreign') return undefined;
  const { namespace, tenant } = config.settings;
  return stalled(
    'NamespaceForeign',
    `Namespace ${namespace} is not labelled as the control plane’s of ${tenant.namespace}/${tenant.name}.`,
  );
}

/** Nothing is started or changed while the boundary is not as planned; what runs is left as it is. */
function boundary({ boundary: state, live }: Settled): Blocker | undefined {
  if (state.kind === 'unknown') return waits(`The boundary could not be compared: ${state.why}`);
  const { apply = [], remove = [] } = state.delivery ?? {};
  const actions = [
    ...apply.map(({ object, standing }): Action => ({ do: 'apply', object, force: standing })),
    ...remove.map((object): Action => ({ do: 'delete', object })),
  ];
  if (actions.length > 0) return waits('The boundary is being applied (spec.delivery: controller).', actions);
  // a start needs what admits as well: without it the tenant would never reach its API
  const whole = state.missing === 0 || live.statefulSet !== undefined;
  return state.enforced && whole ? undefined : waits(`The boundary is not as planned: ${state.problems[0] ?? ''}`);
}

function missingNamespace({ namespaces, config }: Settled): Blocker | undefined {
  const { settings } = config;
  if (namespaces.controlPlane === 'missing') return waits(`Namespace ${settings.namespace} is not there yet.`);
  return namespaces.controlPlane === 'terminating' ? waits(`Namespace ${settings.namespace} is being deleted.`) : undefined;
}

function foreignObject({ live, secrets, config }: Settled): Blocker | undefined {
  const { tenant } = config.settings;
  const key = `${tenant.namespace}/${tenant.name}`;
  const needed = new Set(controlPlaneServices(config.settings).map(nameOf));
  const services = live.services.filter((service) => needed.has(nameOf(service)));
  const objects = [...(live.statefulSet === undefined ? [] : [live.statefulSet]), ...services, ...live.configMaps];
  const foreign = objects.filter((object) => !isOwn(object, key)).map((object) => `${kindOf(object)} ${nameOf(object)}`);
  for (const [name, secret] of Object.entries({ authorities: secrets.authorities, token: secrets.token, kubeconfig: secrets.kubeconfig }))
    if ('ours' in secret && stands(secret.state) && !secret.ours) foreign.push(`the Secret of the ${name}`);
  return foreign.length === 0
    ? undefined
    : stalled('ObjectForeign', `In ${config.settings.namespace}, ${foreign.join(', ')}: not of this tenant.`);
}

function modeChange({ live, tenantCluster, config }: Settled): Blocker | undefined {
  const before = live.statefulSet === undefined ? undefined : annotationsOf(live.statefulSet).get(ANNOTATION.mode);
  const { mode } = config.settings;
  if (before === undefined || before === mode || at(tenantCluster, 'spec', 'migration', 'allowModeChange') === true) return undefined;
  return stalled('ModeChangeRefused', `It runs as ${before}, and spec.mode is ${mode} without spec.migration.allowModeChange.`);
}

function datastoreSecret({ config, secrets }: Settled): Blocker | undefined {
  const { datastore, namespace } = config.settings;
  if (datastore.type !== 'postgres' || secrets.datastore === 'present') return undefined;
  const { name, key } = datastore.secret;
  if (secrets.datastore === 'unknown') return waits(`Secret ${namespace}/${name} could not be read.`);
  return stalled('DatastoreSecretMissing', `Secret ${namespace}/${name} with the key ${key} is not there.`);
}

function storageClass({ config, storageClasses, live }: Settled): Blocker | undefined {
  if (storageClasses === undefined || live.statefulSet !== undefined) return undefined;
  const { className } = config.settings.storage;
  if (className === undefined)
    return storageClasses.hasDefault
      ? undefined
      : stalled('StorageClassMissing', 'The host has no default StorageClass, and the spec names none.');
  return storageClasses.names.has(className) ? undefined : stalled('StorageClassMissing', `The host has no StorageClass ${className}.`);
}

/** Material that a volume was made with cannot be made again: k3s would refuse it, and all that it signed would be worthless. */
function lostMaterial(o: Settled): Blocker | undefined {
  const { live, secrets, config } = o;
  if (secrets.authorities.state === 'unknown' || secrets.token.state === 'unknown') return waits(accessWords(o));
  const lost = [...(secrets.authorities.state === 'absent' ? ['authorities'] : []), ...(secrets.token.state === 'absent' ? ['token'] : [])];
  const users = [...(live.statefulSet === undefined ? [] : [live.statefulSet]), ...live.claims];
  if (lost.length === 0 || users.length === 0) return undefined;
  const used = users.map((object: KubeObject) => `${kindOf(object)} ${nameOf(object)}`).join(', ');
  return stalled(
    'AuthoritiesLost',
    `In ${config.settings.namespace}, the Secret of the ${lost.join(' and of the ')} is gone, and ${used} depends on it.`,
  );
}

/** Servers that start would not start with it; those that run, never again. */
function brokenMaterial({ secrets: { authorities, token }, config }: Settled): Blocker | undefined {
  const broken = Object.entries({ [AUTHORITIES_SECRET]: authorities, [TOKEN_SECRET]: token }).flatMap(([name, secret]) =>
    secret.state === 'broken' ? [`Secret ${name} cannot be used: ${secret.problems.join(', ')}`] : [],
  );
  return broken.length === 0 ? undefined : stalled('AuthoritiesBroken', `In ${config.settings.namespace}, ${broken.join('; ')}.`);
}

/** Servers keep the authorities that they began with on their volumes. With others they would not start again, so they are not restarted for them. */
function otherMaterial({ live, secrets, config }: Settled): Blocker | undefined {
  const began = stringAt(live.statefulSet, 'spec', 'template', 'metadata', 'annotations', ANNOTATION.authorities);
  if (began === undefined || secrets.authorities.state !== 'present' || secrets.authorities.digest === began) return undefined;
  return stalled(
    'AuthoritiesLost',
    `In ${config.settings.namespace}, the Secret of the authorities holds others than those that the servers were made with.`,
  );
}

/** An address of the tenant's API from outside, once the load balancer that the spec asks for has one. */
export function externalAddress({ config, live }: Pick<LifecycleObservation, 'config' | 'live'>): string | undefined {
  if (!config.ready || !config.settings.expose.loadBalancer) return undefined;
  const service = live.services.find((each) => nameOf(each) === EXTERNAL_SERVICE);
  const ingress = at(service, 'status', 'loadBalancer', 'ingress', 0);
  return stringAt(ingress, 'hostname') ?? stringAt(ingress, 'ip');
}
