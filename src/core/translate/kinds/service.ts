import type { Check } from '../../checks/check.ts';
import { malformed } from '../../checks/shape.ts';
import { controlPlaneAddress } from '../../controlplane/endpoint.ts';
import { asArray, at, isObject, type JsonObject, objectAt, stringAt } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { scopeSelectorMap } from '../selectors.ts';
import type { KindTranslation } from '../translation.ts';
import { isDnsName, listed, underSuffix } from './dns-suffix.ts';
import { translateObjectAnnotations } from './ingress-annotations.ts';
import { shapeCheck } from './kind-checks.ts';
import { hostNameFor } from './reference.ts';

/** Addresses and ports that the host's API server allocates; the tenant's were allocated by another one, or are a wish. */
const HOST_ALLOCATED = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort', 'loadBalancerIP'] as const;
const TYPES: ReadonlySet<string> = new Set(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']);

function typeOf(object: JsonObject): string {
  return stringAt(object, 'spec', 'type') || 'ClusterIP';
}

const checks: readonly Check[] = [
  shapeCheck('Service'),
  {
    id: 'service.type',
    run(subject, ctx) {
      const type = at(subject.object, 'spec', 'type');
      if (type === undefined || type === null || type === '') return [];
      if (typeof type !== 'string' || !TYPES.has(type)) return [malformed(['spec', 'type'], type, 'a type of Service')];
      const { serviceTypes } = ctx.profile.allow;
      if (type === 'ClusterIP' || type === 'ExternalName' || serviceTypes.some((allowed) => allowed === type)) return [];
      const params = { type, profile: ctx.profile.name, allowed: listed(serviceTypes) };
      return [{ reason: 'ServiceTypeBlocked', params, path: ['spec', 'type'] }];
    },
  },
  {
    id: 'service.load-balancer-class',
    run(subject, ctx) {
      const path = ['spec', 'loadBalancerClass'];
      const name = at(subject.object, ...path);
      if (typeof name !== 'string' || name === '' || ctx.profile.allow.loadBalancerClasses.includes(name)) return [];
      const params = { class: name, profile: ctx.profile.name, allowed: listed(ctx.profile.allow.loadBalancerClasses) };
      return [{ reason: 'LoadBalancerClassBlocked', params, path }];
    },
  },
  {
    id: 'service.external-ips',
    run(subject) {
      const ips = at(subject.object, 'spec', 'externalIPs');
      if (ips === undefined || ips === null || (Array.isArray(ips) && ips.length === 0)) return [];
      return [{ reason: 'ExternalIPsBlocked', params: {}, path: ['spec', 'externalIPs'] }];
    },
  },
  {
    id: 'service.external-name',
    run(subject, ctx) {
      if (typeOf(subject.object) !== 'ExternalName') return undefined;
      const name = at(subject.object, 'spec', 'externalName');
      const path = ['spec', 'externalName'];
      if (typeof name !== 'string' || !isDnsName(name.replace(/\.$/, ''))) return [malformed(path, name, 'a DNS name')];
      if (ownService(name, ctx) !== undefined || underSuffix(name.replace(/\.$/, ''), ctx.profile.allow.externalNames)) return [];
      return [{ reason: 'ExternalNameBlocked', params: { value: name, allowed: listed(ctx.profile.allow.externalNames) }, path }];
    },
  },
  {
    id: 'service.selector',
    run(subject, ctx) {
      if (typeOf(subject.object) === 'ExternalName') return undefined;
      const path = ['spec', 'selector'];
      return hasSelector(subject.object) || ctx.profile.allow.selectorlessServices
        ? []
        : [{ reason: 'SelectorlessServiceBlocked', params: {}, path }];
    },
  },
];

/**
 * The tenant's Service that `x.ns.svc[.domain]` means. Where the profile allows the name and the tenant has no such namespace,
 * it is a name of the host that the platform shares.
 */
function ownService(externalName: string, ctx: TenantContext): { name: string; namespace: string } | undefined {
  const dotless = externalName.replace(/\.$/, '');
  const domain = `.${ctx.tenant.clusterDomain}`;
  const inside = dotless.endsWith(`.svc${domain}`) ? dotless.slice(0, -domain.length) : dotless;
  const [name, namespace, svc, ...more] = inside.split('.');
  if (name === undefined || namespace === undefined || svc !== 'svc' || more.length > 0) return undefined;
  if (!ctx.namespaces.has(namespace) && underSuffix(dotless, ctx.profile.allow.externalNames)) return undefined;
  return { name, namespace };
}

function translateExternalName(edit: Edit, _subject: Subject, ctx: TenantContext): void {
  const path = ['spec', 'externalName'];
  if (typeOf(edit.object) !== 'ExternalName') {
    edit.remove(path, 'rw.service');
    return;
  }
  const target = ownService(stringAt(edit.object, ...path) ?? '', ctx);
  if (target === undefined) return;
  const { name, namespace } = target;
  // The API server makes this Service in every cluster, so it is nobody's object: it stands for the tenant's own API.
  if (name === 'kubernetes' && namespace === 'default') {
    edit.set(path, controlPlaneAddress(ctx), 'rw.reference');
    return;
  }
  edit.refer({ path, targetKind: 'Service', name, virtualNamespace: namespace, optional: false });
  const host = hostNameFor(ctx, 'Service', namespace, name);
  edit.set(path, `${host}.${ctx.tenant.namespace}.svc.${ctx.host.clusterDomain}`, 'rw.reference');
}

function dropAllocated(edit: Edit): void {
  for (const field of HOST_ALLOCATED) edit.remove(['spec', field], 'rw.service');
  if (at(edit.object, 'spec', 'clusterIP') !== 'None') edit.remove(['spec', 'clusterIP'], 'rw.service');
  for (const [index, port] of (asArray(at(edit.object, 'spec', 'ports')) ?? []).entries()) {
    if (isObject(port)) edit.remove(['spec', 'ports', index, 'nodePort'], 'rw.service');
  }
}

/** A load balancer opens a port on every node unless told not to; that is a NodePort by another name. */
function closeNodePorts(edit: Edit, _subject: Subject, ctx: TenantContext): void {
  if (typeOf(edit.object) !== 'LoadBalancer' || ctx.profile.allow.serviceTypes.includes('NodePort')) return;
  edit.set(['spec', 'allocateLoadBalancerNodePorts'], false, 'rw.service');
}

function scopeSelector(edit: Edit, subject: Subject, ctx: TenantContext): void {
  scopeSelectorMap(edit, ['spec', 'selector'], ctx, subject.virtualNamespace);
}

export const service: KindTranslation = {
  key: 'Service',
  checks,
  steps: [translateExternalName, dropAllocated, closeNodePorts, scopeSelector, translateObjectAnnotations],
};

/** Why a Service can have no short name on the host, with what to do; undefined where it can. */
export function aliasObstacle(subject: Subject): { readonly why: string; readonly fix: string } | undefined {
  const { name } = subject;
  if (name === 'kubernetes') return { why: 'kubernetes means the tenant’s own API', fix: 'Use another name.' };
  if (name.includes('-x-')) return { why: 'a name with -x- could be another object’s host name', fix: 'Use a name without -x-.' };
  if (name.startsWith('tenantplane-')) return { why: 'tenantplane- begins the names of our own objects', fix: 'Use another name.' };
  return undefined;
}

/** Whether a projected Service of the main virtual namespace also gets its short name (projection rules, section 5). */
export function isAliasable(subject: Subject): boolean {
  return subject.key === 'Service' && aliasObstacle(subject) === undefined;
}

/** Whether the Service chooses its pods; without a selector somebody writes its endpoints by hand. */
export function hasSelector(object: JsonObject): boolean {
  return Object.keys(objectAt(object, 'spec', 'selector') ?? {}).length > 0;
}
