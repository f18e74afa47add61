import { apiVersionOf, type KubeObject, kindOf, nameOf } from '../../kube/object.ts';
import { BACKDATED, renewAt } from '../certificate-life.ts';
import { serviceAddress } from '../endpoint-names.ts';
import { type ImmutableChange, immutableChanges } from '../immutable-changes.ts';
import { EXTERNAL_SERVICE, KUBECONFIG_SECRET } from '../names.ts';
import type { Action } from './action.ts';
import { type Blocker, externalAddress } from './blockers.ts';
import { type Found, found } from './condition-reasons.ts';
import { covers } from './covers.ts';
import { kubeconfigServer } from './endpoints.ts';
import { fixedFields } from './fixed-fields.ts';
import type { Settled } from './observation.ts';
import { hasRolledOut, isSettling, podsProblem, serversFound } from './servers.ts';
import { isOwn } from './stamp.ts';
import { releaseFor, type Target, targetOf } from './target.ts';

/** What is to be done where nothing is in the way, and what it is called. */
export interface Work {
  readonly actions: readonly Action[];
  /** undefined where everything is as it should be */
  readonly reconciling?: Found;
}

/**
 * What is to be done next. Secrets before objects, the boundary before both: a server starts with the authorities and the token that it will
 * keep, or not at all.
 */
export function workOf(o: Settled): Work | Blocker {
  const release = releaseFor(o);
  if ('blocked' in release) return { found: release.blocked, actions: [] };
  const { authorities, token } = o.secrets;
  const made: Action[] = [];
  if (authorities.state !== 'present') made.push({ do: 'make-authorities' });
  if (token.state !== 'present') made.push({ do: 'make-token' });
  if (authorities.state !== 'present' || made.length > 0) {
    const message = 'Authorities and token of the control plane are being made.';
    return { actions: made, reconciling: found('Reconciling', 'Provisioning', message) };
  }

  const target = targetOf(o, release.release, authorities.digest);
  const immutable = immutableOf(o, target);
  if (immutable.length > 0)
    return {
      found: found(
        'Stalled',
        'ImmutableChange',
        immutable.map(({ setting, live, desired }) => `spec.${setting} is ${live} for good, and the spec says ${desired}.`).join(' '),
      ),
      actions: [],
    };
  const fixed = fixedOf(o, target, authorities.digest);
  if (fixed.length > 0)
    return { found: found('Stalled', 'ObjectFixed', `In ${o.config.settings.namespace}, ${fixed.join(', ')}.`), actions: [] };
  const actions = target.objects.flatMap((object): Action[] => {
    const live = liveOf(o, object);
    if (live === undefined) return [{ do: 'apply', object, force: false }];
    if (kindOf(object) === 'StatefulSet' && isSettling(live)) return [];
    return covers(live, object) ? [] : [{ do: 'apply', object, force: true }];
  });
  for (const service of unwanted(o)) actions.push({ do: 'delete', object: service });
  if (o.api.kind === 'answers') actions.push(...publication(o, authorities.digest));
  const reconciling = progress(o, target, actions);
  return { actions, ...(reconciling !== undefined && { reconciling }) };
}

function progress(o: Settled, target: Target, actions: readonly Action[]): Found | undefined {
  const changing = actions.some((action) => action.do === 'apply' && kindOf(action.object) === 'StatefulSet');
  if (changing || !hasRolledOut(o.live.statefulSet)) {
    // with several servers the others may do well meanwhile, so that no other condition says it
    const problem = serversFound(o).reason === 'Available' ? podsProblem(o) : undefined;
    return found('Reconciling', target.work, problem === undefined ? target.message : `${target.message} ${problem.message}`);
  }
  const servers = serversFound(o);
  if (servers.reason !== 'Available') return found('Reconciling', target.work, `${target.message} ${servers.message}`);
  return actions.length > 0 ? found('Reconciling', target.work, 'Services and kubeconfig are being brought to the spec.') : undefined;
}

function immutableOf(o: Settled, target: Target): readonly ImmutableChange[] {
  const desired = target.objects.find((object) => kindOf(object) === 'StatefulSet');
  return o.live.statefulSet === undefined || desired === undefined ? [] : immutableChanges(o.live.statefulSet, desired);
}

/** What would be refused for ever. The kubeconfig’s Secret counts once it is to be written. */
function fixedOf(o: Settled, target: Target, digest: string): readonly string[] {
  const objects = target.objects.flatMap((desired) => {
    const live = liveOf(o, desired);
    return live === undefined ? [] : fixedFields(live, desired);
  });
  const { fixed } = o.secrets.kubeconfig;
  const due = o.api.kind === 'answers' && publication(o, digest).length > 0;
  return fixed === undefined || !due ? objects : [...objects, `Secret ${KUBECONFIG_SECRET} ${fixed}`];
}

function liveOf({ live }: Settled, desired: KubeObject): KubeObject | undefined {
  const standing = [...(live.statefulSet === undefined ? [] : [live.statefulSet]), ...live.services, ...live.configMaps];
  return standing.find(
    (object) => kindOf(object) === kindOf(desired) && apiVersionOf(object) === apiVersionOf(desired) && nameOf(object) === nameOf(desired),
  );
}

/** The load balancer that the spec no longer asks for. */
function unwanted({ live, config }: Settled): readonly KubeObject[] {
  const { expose, tenant } = config.settings;
  const key = `${tenant.namespace}/${tenant.name}`;
  return live.services.filter((service) => nameOf(service) === EXTERNAL_SERVICE && !expose.loadBalancer && isOwn(service, key));
}

const HOUR = 3_600_000;

/** The kubeconfig for people: made when the API first answers, and again when its life, its authorities or its address change. */
function publication(o: Settled, digest: string): readonly Action[] {
  const server = kubeconfigServer(o.config.settings, externalAddress(o));
  const { issued, state } = o.secrets.kubeconfig;
  const current =
    state === 'present' &&
    issued !== undefined &&
    issued.authorities === digest &&
    issued.server === server &&
    // made while the clock was ahead, it is good for nothing yet
    issued.notBefore <= o.now &&
    // what its annotations say of its end is soon edited: it lasts no longer than is asked for
    issued.notAfter - issued.notBefore <= o.config.kubeconfigHours * HOUR + 2 * BACKDATED &&
    renewAt(issued.notBefore, issued.notAfter) > o.now;
  if (current) return [];
  return [{ do: 'publish-kubeconfig', server, serverName: serviceAddress(o.config.settings), hours: o.config.kubeconfigHours }];
}
