import { KEY } from '../identity/metadata.ts';
import { stringAt } from '../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf, labelsOf } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Note } from '../translate/edit.ts';
import { servicesWithoutCallers } from './admitted-calls.ts';
import { podsWithoutPolicy } from './covered-pods.ts';
import { gatewayAccess } from './gateway-allowances.ts';

const SHOWN = 5;

const FROM_GATEWAYS = 'Name the namespace that the calls come from under allow.gatewayNamespaces of the profile.';
/** Such calls come from no namespace, so there is none to name. */
const FROM_OUTSIDE =
  'Put an Ingress in place of it, and the namespace of its controller under allow.gatewayNamespaces of the profile; or give the tenant a profile without defaultDenyNetworkPolicy, such as level baseline; or admit the addresses by a NetworkPolicy of the platform’s own (docs/how-to.md).';

/** A note on the tenant as a whole, or on one of its host objects. */
export interface TenantNote extends Note {
  readonly about?: KubeObject;
}

/**
 * Callers that the compiled policies turn away although the tenant's objects expect them: said here, not found out by timeouts.
 * Of the tenant as a whole, so no object's notes, but where one object brings them about.
 */
export function unreachableNotes(ctx: TenantContext, hostObjects: readonly KubeObject[]): TenantNote[] {
  const notes: TenantNote[] = [];
  const denied = (reason: 'EgressDenied' | 'IngressDenied', what: string, fix = '') => notes.push({ reason, params: { what, fix } });
  // An ExternalName is a name for something elsewhere, so no call goes to it.
  const services = hostObjects.filter(
    (object) => labelsOf(object).get(KEY.kind) === 'service' && stringAt(object, 'spec', 'type') !== 'ExternalName',
  );

  const uncalled = ctx.tenant.egressPolicy === 'deny-by-default' ? servicesWithoutCallers(ctx, hostObjects, services) : [];
  if (uncalled.length > 0) denied('EgressDenied', `calls from the tenant’s pods to its Services ${namesOf(uncalled)}`);
  if (!ctx.profile.defaultDeny) return notes;

  const exposed = services.filter((service) => ['LoadBalancer', 'NodePort'].includes(stringAt(service, 'spec', 'type') ?? ''));
  for (const service of exposed) {
    const params = { what: `calls from outside the cluster to ${namesOf([service])}`, fix: FROM_OUTSIDE };
    notes.push({ reason: 'IngressDenied', params, path: ['spec', 'type'], about: service });
  }
  const ingresses = hostObjects.filter((object) => kindOf(object) === 'Ingress');
  if (ingresses.length > 0 && ctx.profile.allow.gatewayNamespaces.length === 0) {
    denied('IngressDenied', `calls from the ingress controller for ${namesOf(ingresses)}`, FROM_GATEWAYS);
  }
  if (ctx.profile.allow.gatewayNamespaces.length > 0) {
    for (const { service, why } of gatewayAccess(ctx, hostObjects, podsWithoutPolicy(hostObjects, 'Ingress')).shut) {
      notes.push({ reason: 'GatewayShutOut', params: { service: namesOf([service]), why } });
    }
  }
  return notes;
}

function namesOf(objects: readonly KubeObject[]): string {
  const names = objects
    .map((object) => `${annotationsOf(object).get(KEY.virtualNamespace) ?? ''}/${annotationsOf(object).get(KEY.virtualName) ?? ''}`)
    .sort();
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
}
