import { controlPlaneNamespace } from '../../../src/core/isolation/control-plane-namespace.ts';
import { type JsonObject, objectAt, stringAt } from '../../../src/core/kube/json.ts';
import { kindRow } from '../../../src/core/kube/kinds.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import type { HostFacts, ProfileSettings, TenantSettings } from '../../../src/core/plan/settings.ts';
import type { Subject, TenantContext } from '../../../src/core/plan/tenant-context.ts';
import { identityAnnotations, identityLabels, stampMetadata } from '../../../src/core/translate/common-steps.ts';
import { testContext } from '../context.ts';

interface Given {
  readonly tenant?: Partial<TenantSettings>;
  readonly profile?: Partial<ProfileSettings>;
  readonly host?: Partial<HostFacts>;
  readonly subjects?: readonly Subject[];
}

/** The context of tests (`test/core/context.ts`), with the control plane's namespace that the tenant's own name and namespace give. */
export function tenantContext({ tenant, profile, host, subjects }: Given = {}): TenantContext {
  const name = tenant?.name ?? 'dev';
  const namespace = tenant?.namespace ?? 'team-dev';
  return testContext({
    tenant: { name, namespace, controlPlaneNamespace: controlPlaneNamespace(name, namespace), ...tenant },
    ...(profile && { profile, allow: profile.allow ?? {} }),
    ...(host && { host }),
    ...(subjects && { subjects }),
  });
}

export function allow(given: Partial<ProfileSettings['allow']>): ProfileSettings['allow'] {
  return { ...tenantContext().profile.allow, ...given };
}

export function subject(object: KubeObject): Subject {
  const key = kindKey(apiVersionOf(object), kindOf(object));
  const row = kindRow(key);
  if (row === undefined) throw new Error(`no kind ${key}`);
  return {
    object,
    row,
    key,
    name: nameOf(object),
    virtualNamespace: namespaceOf(object) ?? 'default',
    source: { path: 'objects/app.yaml', document: 0 },
  };
}

/** The object as it stands on the host: named and stamped, its spec as given. */
export function projected(ctx: TenantContext, object: KubeObject): KubeObject {
  const { key, name, virtualNamespace } = subject(object);
  const host: JsonObject = structuredClone(object);
  host['metadata'] = {
    ...objectAt(host, 'metadata'),
    name: ctx.hostName(key, virtualNamespace, name).name,
    namespace: ctx.tenant.namespace,
  };
  stampMetadata(host, identityLabels(ctx, virtualNamespace, kindOf(object)), identityAnnotations(ctx, virtualNamespace, name));
  return host;
}

export function named(objects: readonly { readonly object: KubeObject }[], kind: string, name: string): KubeObject {
  const found = objects.find(({ object }) => kindOf(object) === kind && nameOf(object) === name);
  if (found === undefined)
    throw new Error(`no ${kind} ${name} among ${objects.map(({ object }) => `${kindOf(object)}/${nameOf(object)}`).join(' ')}`);
  return found.object;
}

export function service(name: string, namespace: string, spec: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
  };
}

export const labelOf = (object: KubeObject, key: string): string | undefined => stringAt(object, 'metadata', 'labels', key);
