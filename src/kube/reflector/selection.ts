import { type JsonObject, objectAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { apiVersionOf, type Query, type Resource, resourcePath } from '../transport/resource-path.ts';

/** What is listed and watched of a resource, and how much of each object. */
export interface Selection {
  readonly resource: Resource;
  /** all of them, if not said */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** names, labels, annotations and owners only: a fourth of the memory, and Secrets' values stay where they are */
  readonly metadataOnly?: boolean;
}

export function selectionPath({ resource, namespace, labelSelector, fieldSelector }: Selection, query: Query): string {
  return resourcePath(resource, { ...(namespace !== undefined && { namespace }) }, { labelSelector, fieldSelector, ...query });
}

export function acceptOf({ metadataOnly = false }: Selection, as: 'list' | 'watch'): string {
  const kind = as === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return metadataOnly ? `application/json;as=${kind};g=meta.k8s.io;v=v1` : 'application/json';
}

/**
 * An object as it is kept: with the kind and version that lists leave out of their items, without `managedFields`, which are half
 * of the metadata of most objects and which nobody reads from a cache.
 */
export function kept(object: JsonObject, { resource }: Selection): KubeObject {
  const { managedFields: _, ...metadata } = objectAt(object, 'metadata') ?? {};
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata };
}
