import { KEY } from '../identity/metadata.ts';
import { at, clone, type Json, type JsonObject, objectsOf, stringAt } from '../kube/json.ts';
import { type KubeObject, labelsOf, nameOf } from '../kube/object.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import { identityAnnotations, identityLabels } from '../translate/common-steps.ts';
import type { Note } from '../translate/edit.ts';
import { aliasObstacle, hasSelector } from '../translate/kinds/service.ts';

/** The identity kind of an alias: reverse mapping tells it from the Service itself, which has the same virtual name. */
const ALIAS_KIND = 'ServiceAlias';

/** Whether a host object is a Service's short name. */
export function isAlias(object: KubeObject): boolean {
  return labelsOf(object).get(KEY.kind) === ALIAS_KIND.toLowerCase();
}

export interface ProjectedService {
  readonly subject: Subject;
  readonly host: KubeObject;
}

export interface CompiledAlias {
  readonly subject: Subject;
  readonly object: KubeObject;
  readonly notes: readonly Note[];
}

export interface Aliases {
  readonly aliases: readonly CompiledAlias[];
  readonly leftOut: readonly { readonly subject: Subject; readonly note: Note }[];
}

/**
 * In DNS mode aliases, each projected Service of the main virtual namespace also stands on the host under its short name, since
 * that is the name by which applications call it and a pod's own namespace is what the host's DNS completes it with.
 */
export function compileAliases(ctx: TenantContext, services: readonly ProjectedService[]): Aliases {
  const aliases: CompiledAlias[] = [];
  const leftOut: { subject: Subject; note: Note }[] = [];
  if (ctx.tenant.dns !== 'aliases') return { aliases, leftOut };
  const taken = new Map(services.map(({ subject, host }) => [nameOf(host), subject]));
  for (const { subject, host } of services) {
    if (subject.virtualNamespace !== ctx.mainNamespace) continue;
    const other = taken.get(subject.name);
    const obstacle =
      aliasObstacle(subject) ??
      (other === undefined ? undefined : { why: `${other.virtualNamespace}/${other.name} has that host name`, fix: 'Use another name.' });
    if (obstacle === undefined) aliases.push({ subject, object: alias(ctx, subject, host), notes: [] });
    else {
      const params = { source: `${subject.virtualNamespace}/${subject.name}`, ...obstacle };
      leftOut.push({ subject, note: { reason: 'AliasLeftOut', params, path: ['metadata', 'name'] } });
    }
  }
  return { aliases, leftOut };
}

function alias(ctx: TenantContext, subject: Subject, host: KubeObject): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: subject.name,
      namespace: ctx.tenant.namespace,
      labels: identityLabels(ctx, subject.virtualNamespace, ALIAS_KIND),
      annotations: identityAnnotations(ctx, subject.virtualNamespace, subject.name),
    },
    spec: aliasSpec(ctx, host),
  };
}

/** What an alias shares with its Service. It is reached from inside only, so nothing that opens a way from outside. */
const SHARED = [
  'ports',
  'selector',
  'sessionAffinity',
  'sessionAffinityConfig',
  'internalTrafficPolicy',
  'trafficDistribution',
  'publishNotReadyAddresses',
] as const;

function aliasSpec(ctx: TenantContext, host: KubeObject): JsonObject {
  const external = stringAt(host, 'spec', 'type') === 'ExternalName' ? at(host, 'spec', 'externalName') : undefined;
  if (external !== undefined) return { type: 'ExternalName', externalName: external };
  // Endpoints made by hand belong to the Service's own name; a CNAME leads there, a second Service would have none.
  if (!hasSelector(host))
    return { type: 'ExternalName', externalName: `${nameOf(host)}.${ctx.tenant.namespace}.svc.${ctx.host.clusterDomain}` };
  const spec: JsonObject = { type: 'ClusterIP' };
  if (at(host, 'spec', 'clusterIP') === 'None') spec['clusterIP'] = 'None';
  for (const field of SHARED) {
    const value = at(host, 'spec', field);
    if (value !== undefined) spec[field] = field === 'ports' ? withoutNodePorts(value) : clone(value);
  }
  return spec;
}

function withoutNodePorts(ports: Json): Json {
  return objectsOf(ports).map((port) => {
    const { nodePort: _nodePort, ...rest } = clone(port);
    return rest;
  });
}
