import { asArray, asString, at, isObject, objectsOf, own, type Path } from '../../kube/json.ts';
import { annotationsOf } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';
import { eachContainer, type PodView, podView } from './pod-view.ts';
import { rewriteReference } from './references.ts';

/** The account that every projected pod runs as. It holds no rights, and its token is not mounted. */
export const WORKLOAD_ACCOUNT = 'tenantplane-workload';

/** The account that the tenant means. */
export function tenantAccount(subject: Subject): string {
  const spec = subject.row.podSpec === undefined ? undefined : at(subject.object, ...subject.row.podSpec);
  return asString(at(spec, 'serviceAccountName')) || asString(at(spec, 'serviceAccount')) || 'default';
}

export const serviceAccountStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const account = tenantAccount(subject);
  const why = wantsCredentials(view, subject, ctx, account);
  if (why !== undefined)
    edit.note('NoApiCredentials', { source: `${subject.row.kind} ${subject.virtualNamespace}/${subject.name}`, why }, [
      ...view.base,
      'serviceAccountName',
    ]);
  const identity = cloudIdentity(subject, ctx, account);
  if (identity !== undefined) edit.note('NoCloudIdentity', { account, key: identity }, [...view.base, 'serviceAccountName']);
  if (own(view.spec, 'serviceAccount') !== undefined) edit.remove([...view.base, 'serviceAccount'], 'rw.service-account');
  edit.set([...view.base, 'serviceAccountName'], WORKLOAD_ACCOUNT, 'rw.service-account');
  edit.set([...view.base, 'automountServiceAccountToken'], false, 'rw.service-account');
};

/** Annotations by which a cloud gives the pods of an account a role of its own (IRSA, GKE and Azure workload identity). */
const CLOUD_IDENTITIES = ['eks.amazonaws.com/role-arn', 'iam.gke.io/gcp-service-account', 'azure.workload.identity/client-id'] as const;

function cloudIdentity(subject: Subject, ctx: TenantContext, account: string): string | undefined {
  const object = ctx.find('ServiceAccount', subject.virtualNamespace, account)?.object;
  if (object === undefined) return undefined;
  const annotations = annotationsOf(object);
  return CLOUD_IDENTITIES.find((key) => annotations.has(key));
}

/** Pull secrets of the tenant's ServiceAccount, which admission would have added in the tenant, go into the pod. */
export const pullSecretsStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const account = ctx.find('ServiceAccount', subject.virtualNamespace, tenantAccount(subject));
  const secrets = asArray(account?.object['imagePullSecrets']);
  if (secrets === undefined || secrets.length === 0) return;
  const path: Path = [...view.base, 'imagePullSecrets'];
  const stated = new Set(objectsOf(at(subject.object, ...path)).map((secret) => secret['name']));
  for (const secret of secrets) {
    const name = isObject(secret) ? asString(secret['name']) : undefined;
    if (name === undefined || name === '' || stated.has(name)) continue;
    stated.add(name);
    if (!Array.isArray(at(edit.object, ...path))) edit.set(path, [], 'rw.reference');
    const index = asArray(at(edit.object, ...path))?.length ?? 0;
    edit.set([...path, index], {}, 'rw.reference');
    rewriteReference(edit, subject, ctx, { path: [...path, index, 'name'], kind: 'Secret', name, optional: false });
  }
};

const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Why a workload seems to call the Kubernetes API. Naming a service account is no sign of it: many charts name one for each
 * workload and bind it to nothing. Signs are a mounted token that is asked for, a role bound to the account, and the API's
 * address or token in what the containers are told.
 */
function wantsCredentials(view: PodView, subject: Subject, ctx: TenantContext, account: string): string | undefined {
  const automount = own(view.spec, 'automountServiceAccountToken');
  if (automount === true) return 'automountServiceAccountToken: true';
  const bound = boundAccounts(ctx).get(`${subject.virtualNamespace}/${account}`);
  const mounted = ctx.find('ServiceAccount', subject.virtualNamespace, account)?.object['automountServiceAccountToken'];
  if (bound !== undefined && automount !== false && mounted !== false) return `${bound} binds ServiceAccount ${account}`;
  let sign: string | undefined;
  eachContainer(view, (container) => {
    sign ??= saysApi(container['args']) ?? saysApi(container['command']);
    for (const variable of objectsOf(container['env'])) sign ??= saysApi(variable['value']);
  });
  return sign;
}

function saysApi(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const sign = saysApi(item);
      if (sign !== undefined) return sign;
    }
    return undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (value.includes('KUBERNETES_SERVICE_')) return 'it reads KUBERNETES_SERVICE_HOST';
  return value.includes(TOKEN_FOLDER) ? `it reads ${TOKEN_FOLDER}` : undefined;
}

const BOUND: WeakMap<TenantContext, ReadonlyMap<string, string>> = new WeakMap();

/** `namespace/name` of accounts that a binding of the tenant gives rights, to the binding. */
function boundAccounts(ctx: TenantContext): ReadonlyMap<string, string> {
  const known = BOUND.get(ctx);
  if (known !== undefined) return known;
  const bound = new Map<string, string>();
  for (const kind of ['RoleBinding', 'ClusterRoleBinding'] as const)
    for (const binding of ctx.all(`${kind}.rbac.authorization.k8s.io`))
      for (const item of objectsOf(binding.object['subjects'])) {
        if (item['kind'] !== 'ServiceAccount') continue;
        const namespace = asString(item['namespace']) ?? binding.virtualNamespace;
        bound.set(`${namespace}/${asString(item['name']) ?? ''}`, `${kind} ${binding.name}`);
      }
  BOUND.set(ctx, bound);
  return bound;
}
