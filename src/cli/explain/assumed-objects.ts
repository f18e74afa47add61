import type { JsonObject } from '../../core/kube/json.ts';
import { kindRow } from '../../core/kube/kinds.ts';
import { kindKey } from '../../core/kube/object.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import type { KindName } from './find-kind.ts';

/** What stands in for facts that a prediction lacks. Nothing of it is ever rendered; its isolation is never believed. */
export const ASSUMED = 'assumed';

export interface AssumedSubject extends KindName {
  readonly name: string;
  readonly virtualNamespace: string;
}

/** An object of which only the name is known. */
export function assumedObject(subject: AssumedSubject): JsonObject {
  const object: JsonObject = {
    apiVersion: subject.apiVersion,
    kind: subject.kind,
    metadata: { name: subject.name, namespace: subject.virtualNamespace },
  };
  const row = kindRow(kindKey(subject.apiVersion, subject.kind));
  if (row?.podSpec === undefined) return object;
  let holder: JsonObject = object;
  for (const step of row.podSpec) {
    const next: JsonObject = {};
    holder[String(step)] = next;
    holder = next;
  }
  holder['containers'] = [{ name: 'app', image: 'app' }];
  return object;
}

/** A package that says nothing but that the tenant exists and that its policy lists the kind. */
export function assumedPackage(tenant: { readonly name: string; readonly namespace: string }, kind: KindName): InputObject[] {
  const known = kindRow(kindKey(kind.apiVersion, kind.kind)) !== undefined;
  const entry: JsonObject = { apiVersion: kind.apiVersion, kind: kind.kind, direction: 'toHost', ...(!known && { scope: 'Namespaced' }) };
  const own = (object: JsonObject, path: string): InputObject => ({
    object: { apiVersion: 'tenantplane.io/v1alpha1', ...object },
    source: { path, document: 0 },
  });
  return [
    own(
      {
        kind: 'TenantCluster',
        metadata: { name: tenant.name, namespace: tenant.namespace },
        spec: { isolationProfileRef: { name: ASSUMED }, syncPolicyRef: { name: ASSUMED } },
      },
      'tenant.yaml',
    ),
    own({ kind: 'IsolationProfile', metadata: { name: ASSUMED }, spec: { level: 'baseline' } }, 'profile.yaml'),
    own({ kind: 'SyncPolicy', metadata: { name: ASSUMED }, spec: { resources: [entry] } }, 'policy.yaml'),
  ];
}
