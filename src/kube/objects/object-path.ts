import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type Query, type Resource, resourcePath } from '../transport/resource-path.ts';
import type { ApiRequest, Transport } from '../transport/transport.ts';

/** One object on one server. */
export interface ObjectRef {
  readonly resource: Resource;
  /** of what is namespaced */
  readonly namespace?: string;
  readonly name: string;
}

/** What each verb needs beside the object. */
export interface Call {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** milliseconds for the answer; the transport's own, if not said */
  readonly within?: number;
}

/** What a request takes over from a call. */
export function limits({ signal, within }: Call): Pick<ApiRequest, 'signal' | 'within'> {
  return { signal, ...(within !== undefined && { within }) };
}

export function refOf(resource: Resource, object: KubeObject): ObjectRef {
  const namespace = namespaceOf(object);
  return { resource, ...(namespace !== undefined && { namespace }), name: nameOf(object) };
}

/** @throws TypeError where what is namespaced has no namespace: the path would be that of a whole kind */
export function objectPath(ref: ObjectRef, query: Query = {}, subresource?: string): string {
  needNamespace(ref.resource, ref.namespace);
  return resourcePath(ref.resource, { ...ref, ...(subresource !== undefined && { subresource }) }, query);
}

export function needNamespace({ namespaced, kind }: Resource, namespace: string | undefined): void {
  if (namespaced && (namespace === undefined || namespace === '')) throw new TypeError(`a ${kind} has a namespace`);
}
