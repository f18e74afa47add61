import { nearest } from '../../schema/nearest.ts';
import type { ObjectRef } from '../decision/decision.ts';
import { at, objectsOf, stringAt } from '../kube/json.ts';
import { kindKey, kindOf, nameOf } from '../kube/object.ts';
import type { InputObject, TenantPlan } from '../plan/plan-types.ts';

/** What someone may have meant, or may have overlooked. */
export interface NearMisses {
  /** virtual namespaces of the tenant that hold an object of this kind and name */
  readonly namespaces: readonly string[];
  /** `Deployment shop/web`: of the same name, but another kind */
  readonly kinds: readonly string[];
  /** `Deployment shop/wbe`: of a name that is much like it */
  readonly names: readonly string[];
  /** `v1/Pod`: what the tenant's policy lists */
  readonly listed: readonly string[];
}

export function nearMisses(subject: ObjectRef, tenant: TenantPlan, config: readonly InputObject[]): NearMisses {
  const sources = tenant.decisions.flatMap(({ source }) => (source === undefined ? [] : [source]));
  const key = kindKey(subject.apiVersion, subject.kind);
  const alike = sources.filter((ref) => kindKey(ref.apiVersion, ref.kind) === key);
  const others = alike.filter(({ name, namespace }) => name !== subject.name || namespace !== subject.namespace);
  const name = alike.some((ref) => ref.name === subject.name)
    ? undefined
    : nearest(
        subject.name,
        alike.map((ref) => ref.name),
      );
  const policy = config.find(({ object }) => kindOf(object) === 'SyncPolicy' && nameOf(object) === tenant.policy);
  return {
    namespaces: unique(others.filter((ref) => ref.name === subject.name).map((ref) => ref.namespace)),
    kinds: unique(sources.filter((ref) => ref.name === subject.name && kindKey(ref.apiVersion, ref.kind) !== key).map(words)),
    names: unique(alike.filter((ref) => ref.name === name).map(words)),
    listed: objectsOf(at(policy?.object, 'spec', 'resources')).map(
      (entry) => `${stringAt(entry, 'apiVersion') ?? ''}/${stringAt(entry, 'kind') ?? ''}`,
    ),
  };
}

function words({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
