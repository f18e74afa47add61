import { describe, own } from '../kube/json.ts';
import { misnamedKind } from '../kube/misnamed-kind.ts';
import { type KubeObject, kindOf } from '../kube/object.ts';
import type { Refusal } from '../translate/edit.ts';
import { quoted } from './legal-value.ts';

/** A version, or group/version (apimachinery, ParseGroupVersion). */
const API_VERSION = /^([^/]+\/)?[^/]+$/;

/** What keeps a document that was meant as an object from being one: it does not say of which kind it is. */
export function noKind(object: KubeObject): Refusal | undefined {
  const apiVersion = own(object, 'apiVersion');
  if (typeof apiVersion !== 'string' || !API_VERSION.test(apiVersion))
    return unsaid(object, 'apiVersion', 'a version or group/version', misnamedKind('', kindOf(object)));
  return kindOf(object) === '' ? unsaid(object, 'kind', 'a kind') : undefined;
}

function unsaid(object: KubeObject, pointer: string, wanted: string, known?: ReturnType<typeof misnamedKind>): Refusal {
  const value = own(object, pointer) ?? undefined;
  const found = value === undefined || value === '' ? 'missing' : typeof value === 'string' ? quoted(value) : describe(value);
  const remedy = known?.meant === undefined ? `Set ${pointer}; the host would refuse the object.` : known.fix;
  return { reason: 'ObjectMalformed', params: { pointer, found, wanted }, path: [pointer], remedy };
}
