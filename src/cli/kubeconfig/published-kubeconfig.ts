import { X509Certificate } from 'node:crypto';
import { CONDITIONS, type ReasonRow } from '../../core/controlplane/lifecycle/condition-reasons.ts';
import { KUBECONFIG_SECRET } from '../../core/controlplane/names.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import { at, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { readTenantKubeconfig } from '../../kube/connection/tenant-kubeconfig.ts';
import type { Failure } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Resource } from '../../kube/transport/resource-path.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import type { TenantKubeconfig } from '../../reconciler/pki/tenant-kubeconfig.ts';
import { masked } from '../../report/mask-credentials.ts';
import { TenantplaneError } from '../errors.ts';
import { unanswered } from '../facts/open-host.ts';
import { fullName } from './find-tenant.ts';

const SECRETS: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
/** The one that Cluster API and Flux look for. */
const KEY = 'value';

/**
 * The kubeconfig that the reconciler published for people. Of what the Secret holds only what the reconciler writes is taken: a program in it would
 * run on the machine of whoever reads it.
 * @param now milliseconds since 1970
 * @throws TenantplaneError where there is none that can be used, with what keeps the tenant from having one
 */
export async function publishedKubeconfig(
  host: Transport,
  tenant: KubeObject,
  { namespace, now, signal }: { readonly namespace: string; readonly now: number; readonly signal: AbortSignal },
): Promise<TenantKubeconfig> {
  const secret = await getObject({ resource: SECRETS, namespace, name: KUBECONFIG_SECRET }, { transport: host, signal });
  if ('failure' in secret) throw refusal(secret.failure, tenant, namespace);
  const text = Buffer.from(stringAt(secret.value, 'data', KEY) ?? '', 'base64').toString('utf8');
  const config = parseDocument(text).value;
  const read = readTenantKubeconfig(config);
  if ('refusals' in read)
    throw unusable(namespace, read.refusals.map(({ path, why }) => (path === '' ? why : `${path}: ${why}`)).join('; '));
  const { server, authority, serverName, credentials } = read.value;
  const { certificate, key } = await credentials.current(signal);
  if (authority === undefined || certificate === undefined || key === undefined) throw unusable(namespace, 'it has no client certificate');
  const ended = Date.parse(new X509Certificate(certificate).validTo);
  if (ended <= now) {
    throw new TenantplaneError('system', `The kubeconfig of tenant ${fullName(tenant)} expired at ${new Date(ended).toISOString()}.`, {
      hint: 'The reconciler renews it days before that, so look whether it runs: kubectl get pods -n tenantplane-system.',
    });
  }
  const cluster = stringAt(config, 'current-context') ?? '';
  return { server, authority, certificate, key, cluster, ...(serverName !== undefined && { serverName }) };
}

function unusable(namespace: string, why: string): TenantplaneError {
  return new TenantplaneError('system', `Secret ${namespace}/${KUBECONFIG_SECRET} holds no kubeconfig of a tenant: ${why}.`, {
    hint: 'Delete the Secret: the reconciler makes it anew.',
  });
}

function refusal(failure: Failure, tenant: KubeObject, namespace: string): TenantplaneError {
  switch (failure.kind === 'status' ? failure.reason : '') {
    case 'NotFound': {
      const { words, hint } = unready(tenant) ?? goneOf(tenant);
      return new TenantplaneError('system', `Tenant ${fullName(tenant)} has no kubeconfig yet: ${words}.`, { hint });
    }
    case 'Forbidden':
      return new TenantplaneError('system', `The host does not let you read the kubeconfig: ${masked(failure.message)}.`, {
        hint: `Ask for get of Secret ${KUBECONFIG_SECRET} in namespace ${namespace}. Whoever may read it is an admin of the tenant.`,
      });
    default:
      return unanswered(failure);
  }
}

/** What is the matter with a tenant that is not ready; undefined where it is. */
export function unready(tenant: KubeObject): { readonly words: string; readonly hint: string } | undefined {
  return stringAt(readyOf(tenant), 'status') === 'True' ? undefined : stateOf(tenant);
}

/** A tenant is ready only once its kubeconfig was there. */
function goneOf(tenant: KubeObject): { readonly words: string; readonly hint: string } {
  const [name, namespace] = [nameOf(tenant), namespaceOf(tenant) ?? ''];
  return {
    words: 'it was deleted, and the reconciler makes it again when it looks next',
    hint: `kubectl annotate tenantcluster -n ${shellWord(namespace)} ${shellWord(name)} --overwrite tenantplane.io/reconcile-requested-at="$(date)" has it look now.`,
  };
}

function stateOf(tenant: KubeObject): { readonly words: string; readonly hint: string } {
  const ready = readyOf(tenant);
  if (ready === undefined) {
    return {
      words: 'the reconciler has not looked at it',
      hint: 'See whether the reconciler runs: kubectl get pods -n tenantplane-system.',
    };
  }
  const [status = '', reason = '', message = ''] = ['status', 'reason', 'message'].map((field) => stringAt(ready, field) ?? '');
  const words = `it is not ready (${reason || status})${message ? `: ${message.replace(/\.$/, '')}` : ''}`;
  const [name, namespace] = [nameOf(tenant), namespaceOf(tenant) ?? ''];
  const hint = remedyOf(reason);
  if (hint !== undefined) return { words, hint };
  return status === 'Unknown'
    ? {
        words,
        hint: `kubectl wait --for=condition=Ready --timeout=5m -n ${shellWord(namespace)} tenantcluster/${shellWord(name)} waits for it.`,
      }
    : { words, hint: `kubectl describe tenantcluster -n ${shellWord(namespace)} ${shellWord(name)} lists all conditions.` };
}

/** The reason of Ready is that of the condition that is to blame. */
function remedyOf(reason: string): string | undefined {
  const rows = Object.values(CONDITIONS).map(({ reasons }): Readonly<Record<string, ReasonRow>> => reasons);
  return rows.find((reasons) => Object.hasOwn(reasons, reason))?.[reason]?.remedy;
}

function readyOf(tenant: KubeObject): JsonObject | undefined {
  return objectsOf(at(tenant, 'status', 'conditions')).find((condition) => stringAt(condition, 'type') === 'Ready');
}
