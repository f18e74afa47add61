import { randomBytes } from 'node:crypto';
import type { Action } from '../../core/controlplane/lifecycle/action.ts';
import { FINALIZER } from '../../core/controlplane/lifecycle/decide.ts';
import { AUTHORITIES_SECRET, TOKEN_SECRET } from '../../core/controlplane/names.ts';
import { at, type JsonObject, stringAt } from '../../core/kube/json.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type Failure, failed, isReason, type Result } from '../../kube/failure.ts';
import { applyObject } from '../../kube/objects/apply.ts';
import { createObject } from '../../kube/objects/create.ts';
import { deleteObject } from '../../kube/objects/delete.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { mergePatch } from '../../kube/objects/patch.ts';
import { makeAuthorities } from '../pki/make-authorities.ts';
import { TENANT_CLUSTERS } from '../process/watched-kinds.ts';
import { type Execution, PROVISION } from './execution.ts';
import { publishKubeconfig } from './publish-kubeconfig.ts';
import { resourceOf, SECRET } from './resources.ts';

/** Does one thing. What is done already is no failure; what another made meanwhile stays as it is. */
export async function execute(action: Action, execution: Execution): Promise<Failure | undefined> {
  const result = await perform(action, execution);
  return 'failure' in result ? result.failure : undefined;
}

function perform(action: Action, execution: Execution): Promise<Result<unknown>> {
  const { call } = execution;
  switch (action.do) {
    case 'add-finalizer':
      return finalizers(execution, (standing) => [...standing, FINALIZER]);
    case 'remove-finalizer':
      return finalizers(execution, (standing) => standing.filter((each) => each !== FINALIZER));
    case 'make-authorities':
      return makeSecret(execution, AUTHORITIES_SECRET, () => makeAuthorities(tenantOf(execution), execution.clock.wall()));
    case 'make-token':
      return makeSecret(execution, TOKEN_SECRET, async () => ({ token: randomBytes(32).toString('hex') }));
    case 'apply':
      return apply(action.object, action.force, call);
    case 'delete':
      return remove(action.object, stringAt(action.object, 'metadata', 'uid') ?? '', call);
    case 'delete-secret': {
      const object: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: action.name, namespace: execution.namespace } };
      return remove(object, execution.observed.secrets.uids.get(action.name) ?? '', call);
    }
    case 'publish-kubeconfig':
      return publishKubeconfig(action, execution);
  }
}

function tenantOf({ observed }: Execution): { readonly name: string; readonly namespace: string } {
  const { tenantCluster } = observed.observation;
  return { name: nameOf(tenantCluster), namespace: namespaceOf(tenantCluster) ?? '' };
}

/** Only on the object that was decided about: its version stands in the patch. */
function finalizers({ call, observed }: Execution, change: (standing: readonly string[]) => readonly string[]): Promise<Result<unknown>> {
  const { tenantCluster } = observed.observation;
  const value = at(tenantCluster, 'metadata', 'finalizers');
  const standing = (Array.isArray(value) ? value : []).filter((each) => typeof each === 'string');
  const resourceVersion = stringAt(tenantCluster, 'metadata', 'resourceVersion') ?? '';
  const patch: JsonObject = { metadata: { resourceVersion, finalizers: [...change(standing)] } };
  const ref = { resource: TENANT_CLUSTERS, namespace: namespaceOf(tenantCluster) ?? '', name: nameOf(tenantCluster) };
  return mergePatch(ref, patch, { ...call, fieldManager: PROVISION });
}

/** By creation, never by apply: of two that make it at the same time one wins, and what is there is never written over. */
async function makeSecret(
  { call, metadata }: Execution,
  name: string,
  content: () => Promise<Readonly<Record<string, string>>>,
): Promise<Result<unknown>> {
  const data = Object.fromEntries(
    Object.entries(await content()).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  );
  const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: metadata(name), type: 'Opaque', immutable: true, data };
  const made = await createObject(SECRET, secret, { ...call, fieldManager: PROVISION });
  return 'failure' in made && isReason(made.failure, 'AlreadyExists') ? { value: undefined } : made;
}

function apply(object: KubeObject, force: boolean, call: Call): Promise<Result<unknown>> {
  return applyObject(resourceOf(kindOf(object)), object, { ...call, fieldManager: PROVISION, force });
}

async function remove(object: KubeObject, uid: string, call: Call): Promise<Result<unknown>> {
  if (uid === '') return failed({ kind: 'malformed', message: `${kindOf(object)} ${nameOf(object)} was not seen, so it is not deleted.` });
  const namespace = namespaceOf(object);
  const ref = { resource: resourceOf(kindOf(object)), ...(namespace !== undefined && { namespace }), name: nameOf(object) };
  const gone = await deleteObject(ref, { ...call, preconditions: { uid } });
  return 'failure' in gone && isReason(gone.failure, 'NotFound') ? { value: undefined } : gone;
}
