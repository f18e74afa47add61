import { setTimeout as sleep } from 'node:timers/promises';
import { at, objectsOf, stringAt } from '../../core/kube/json.ts';
import { apiVersionOf, groupOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { Discovery } from '../../kube/discovery/discovery.ts';
import type { Failure } from '../../kube/failure.ts';
import { applyObject } from '../../kube/objects/apply.ts';
import { fieldConflicts } from '../../kube/objects/field-conflicts.ts';
import { getObject } from '../../kube/objects/get.ts';
import { type Call, refOf } from '../../kube/objects/object-path.ts';
import type { Resource } from '../../kube/transport/resource-path.ts';
import { masked } from '../../report/mask-credentials.ts';
import { TenantplaneError } from '../errors.ts';
import { unanswered } from '../facts/open-host.ts';
import type { Stage } from './stages.ts';

/**
 * That of `kubectl apply --server-side`, so that whoever began with one goes on with the other. Two managers of the same values would be at
 * odds: the server fills in parts of what an admission policy matches, which then differ from what is applied.
 */
const FIELD_MANAGER = 'kubectl';

/** Applies each object in turn; what somebody else holds otherwise is not taken from them. @throws TenantplaneError */
export async function applyStage({ objects }: Stage, discovery: Discovery, call: Call): Promise<void> {
  for (const object of objects) {
    const applied = await applyObject(await resourceOf(object, discovery, call), object, {
      ...call,
      fieldManager: FIELD_MANAGER,
      force: false,
    });
    if ('failure' in applied) throw refused(object, applied.failure);
  }
  for (const object of objects) if (kindOf(object) === 'CustomResourceDefinition') await served(object, discovery, call);
}

/** Asks for every kind before anything is applied: the host serves it, or will by a definition among the stages. @throws TenantplaneError */
export async function checkServed(stages: readonly Stage[], discovery: Discovery, signal: AbortSignal): Promise<void> {
  const objects = stages.flatMap((stage) => stage.objects);
  const coming = new Set(
    objects
      .filter((object) => kindOf(object) === 'CustomResourceDefinition')
      .map((object) => `${stringAt(object, 'spec', 'names', 'kind')}.${stringAt(object, 'spec', 'group')}`),
  );
  const kinds = new Map(objects.map((object) => [`${kindOf(object)}.${groupOf(apiVersionOf(object))}`, object]));
  for (const [key, object] of kinds) if (!coming.has(key)) await resourceOf(object, discovery, { signal });
}

async function resourceOf(object: KubeObject, discovery: Discovery, { signal }: Pick<Call, 'signal'>): Promise<Resource> {
  const apiVersion = apiVersionOf(object);
  const found = await discovery.lookUp(
    { group: groupOf(apiVersion), version: apiVersion.split('/').at(-1) ?? '', kind: kindOf(object) },
    signal,
  );
  if ('failure' in found) throw unanswered(found.failure);
  if (found.value !== undefined) return found.value;
  throw new TenantplaneError('input', `The host does not serve ${apiVersion} ${kindOf(object)}.`, {
    hint: isBuiltIn(groupOf(apiVersion))
      ? 'It needs Kubernetes 1.30 or later.'
      : 'Install there what serves it (its CustomResourceDefinition), or leave the object out of the package.',
  });
}

/** Other groups below k8s.io, such as gateway.networking.k8s.io, are of definitions. */
const BUILT_IN: ReadonlySet<string> = new Set(
  'admissionregistration apiextensions certificates coordination discovery flowcontrol.apiserver networking node rbac.authorization resource scheduling storage'
    .split(' ')
    .map((name) => `${name}.k8s.io`),
);

function isBuiltIn(group: string): boolean {
  return !group.includes('.') || BUILT_IN.has(group);
}

/** Until it is established and told of, an object of the new kind is refused, or its path unknown. */
async function served(definition: KubeObject, discovery: Discovery, call: Call): Promise<void> {
  const resource = await resourceOf(definition, discovery, call);
  const group = stringAt(definition, 'spec', 'group') ?? '';
  const kind = stringAt(definition, 'spec', 'names', 'kind') ?? '';
  for (;;) {
    const read = await getObject(refOf(resource, definition), call);
    if ('failure' in read) throw refused(definition, read.failure);
    discovery.invalidate();
    const found = await discovery.lookUp({ group, kind }, call.signal);
    if (isEstablished(read.value) && 'value' in found && found.value !== undefined) return;
    await sleep(100, undefined, { signal: call.signal });
  }
}

function isEstablished(definition: KubeObject): boolean {
  const conditions = objectsOf(at(definition, 'status', 'conditions'));
  return conditions.some((condition) => stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True');
}

function refused(object: KubeObject, failure: Failure): TenantplaneError {
  const namespace = namespaceOf(object);
  const what = `${kindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
  const managers = [...new Set(fieldConflicts(failure).map(({ manager }) => manager))].sort();
  return new TenantplaneError('system', `${what} was not applied: ${masked(failure.message).replace(/\.$/, '')}.`, {
    hint:
      managers.length > 0
        ? `${managers.join(', ')} applied it with other values: apply it that way, or give it up there.`
        : 'Up needs an admin of the host, whom its admission policies trust (trustedWriters and trustedGroups of RenderTenant).',
  });
}
