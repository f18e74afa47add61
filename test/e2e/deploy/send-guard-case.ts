import { equal, isObject, type JsonObject } from '../../../src/core/kube/json.ts';
import { apiVersionOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import type { GuardCase } from '../../support/guard-cases.ts';
import type { Answer, ApiClient, Identity } from '../isolation/api-client.ts';

const PLURALS: Readonly<Record<string, string>> = { NetworkPolicy: 'networkpolicies' };
const DRY = 'dryRun=All';

/** Sends a case as a dry run. What it changes, the cluster's admin makes before and takes away. */
export async function sendGuardCase(api: ApiClient, row: GuardCase, as: Identity): Promise<Answer> {
  const { operation, object, before, leaving, controller } = row;
  const [all, one] = [collection(object), `${collection(object)}/${nameOf(object)}`];
  if (operation === 'CREATE') {
    // a Role may be made by name alone, and so by an apply, as the reconciler does
    if (controller) return api.send('PATCH', `${one}?${DRY}&fieldManager=test&force=true`, object, as);
    return api.send('POST', `${all}?${DRY}`, object, as);
  }
  const made = kindOf(object) === 'Namespace' ? undefined : await api.send('POST', all, before);
  if (made !== undefined && made.status !== 201) throw new Error(`${row.what}: ${made.message}`);
  try {
    if (leaving) await api.send('DELETE', one);
    if (operation === 'DELETE') return await api.send('DELETE', `${one}?${DRY}`, undefined, as);
    return await api.send('PATCH', `${one}?${DRY}`, mergePatch(before ?? {}, object), as);
  } finally {
    if (made !== undefined) {
      await api.send('PATCH', one, { metadata: { finalizers: null } });
      await api.send('DELETE', one);
    }
  }
}

export function collection(object: KubeObject): string {
  const [version, kind, namespace] = [apiVersionOf(object), kindOf(object), namespaceOf(object)];
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `/${version.includes('/') ? 'apis' : 'api'}/${version}${place}/${PLURALS[kind] ?? `${kind.toLowerCase()}s`}`;
}

/** What makes the one object of the other; lists are whole. */
function mergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys]
      .filter((key) => !equal(before[key], after[key]))
      .map((key) => {
        const [old, now] = [before[key], after[key]];
        return [key, now === undefined ? null : isObject(old) && isObject(now) ? mergePatch(old, now) : now];
      }),
  );
}
