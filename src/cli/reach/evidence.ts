import { KEY } from '../../core/identity/metadata.ts';
import { at, type JsonObject, objectsOf } from '../../core/kube/json.ts';
import { annotationsOf, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { pointer } from '../../core/kube/pointer.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import type { Source } from '../../core/plan/tenant-context.ts';
import type { RuleRef } from '../../core/reach/judge.ts';
import type { Policy } from '../../core/reach/read-policy.ts';
import type { HostPolicy } from '../../core/reach/world.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import type { TextStyle } from '../../report/text.ts';
import type { PlannedPackage } from '../render/plan-package.ts';

/** Why a policy or a rule of it is there: the tenant's own file, or the field of a profile or TenantCluster. */
export interface Evidence {
  /** `team-dev/tenantplane-allow-dns`, on the host */
  readonly policy: string;
  /** `shop/db`, where it is the tenant's own */
  readonly own?: string;
  /** `spec.egress[0]`, on the host */
  readonly rule?: string;
  /** file of the rendered tree */
  readonly file: string;
  /** `TenantCluster/dev#networking.egressPolicy`, where it is not the tenant's own */
  readonly cause?: string;
  readonly source?: { readonly file: string; readonly line?: number };
}

export type Prove = (policy: Policy, rule?: RuleRef['rule']) => Evidence;

/** Looks up where the policies of a planned package come from. Lines are those that the style finds. */
export function prover({ loaded }: PlannedPackage, policies: (namespace: string) => readonly HostPolicy[], style: TextStyle): Prove {
  const proof = (source: Source | undefined, place?: string): Pick<Evidence, 'source'> => {
    if (source === undefined) return {};
    const line = style.locate(source, place);
    return { source: { file: source.path, ...(line !== undefined && { line }) } };
  };
  const known = new Map<string, Evidence>();
  const prove: Prove = (policy, rule) => {
    const found = policies(policy.namespace).find(({ name }) => name === policy.name);
    const annotations = annotationsOf(policy.object);
    const name = annotations.get(KEY.virtualName);
    const steps = rule === undefined ? undefined : ['spec', rule.direction.toLowerCase(), rule.index];
    const common = {
      policy: `${policy.namespace}/${policy.name}`,
      file: found?.file.path ?? '',
      ...(steps !== undefined && { rule: `${steps[0]}.${steps[1]}[${steps[2]}]` }),
    };
    const decision = found?.file.decision;
    if (name !== undefined) {
      const own = `${annotations.get(KEY.virtualNamespace) ?? ''}/${name}`;
      const source = decision?.source?.file;
      const place = source === undefined || steps === undefined ? undefined : rulePlace(steps, policy, written(source, loaded.texts));
      return { ...common, own, ...proof(source, place) };
    }
    const cause = decision?.causes[0] ?? annotations.get(KEY.causedBy);
    if (cause === undefined) return common;
    const [input, place] = causeInput(cause, decision?.tenant.namespace, loaded.inputs) ?? [];
    return { ...common, cause, ...proof(input?.source, place) };
  };
  return (policy, rule) => {
    const key = `${policy.namespace}/${policy.name} ${rule?.direction} ${rule?.index}`;
    const evidence = known.get(key) ?? prove(policy, rule);
    known.set(key, evidence);
    return evidence;
  };
}

/** A rule that lost its last peer is left out on the host, so numbers agree only where no rule is missing. */
function rulePlace(steps: readonly (string | number)[], policy: Policy, source: JsonObject | undefined): string {
  const list = steps.slice(0, 2);
  const same = objectsOf(at(source, ...list)).length === objectsOf(at(policy.object, ...list)).length;
  return pointer(same ? steps : list);
}

/** The tenant's object as it stands in its file; the planner lets go of what it has read. */
function written(source: Source, texts: ReadonlyMap<string, string>): JsonObject | undefined {
  const text = texts.get(source.path);
  return text === undefined
    ? undefined
    : readDocuments(text, source.path).objects.find((input) => input.source.document === source.document)?.object;
}

/** `IsolationProfile/standard#allow.gatewayNamespaces`: the object, and the field or what stands in for one that is not written. */
function causeInput(
  cause: string,
  namespace: string | undefined,
  inputs: readonly InputObject[],
): readonly [InputObject, string] | undefined {
  const [, kind, name, field = ''] = /^([A-Za-z]+)\/([^#]+)#(.+)$/.exec(cause) ?? [];
  const input = inputs.find(
    ({ object }) =>
      kindOf(object) === kind && nameOf(object) === name && (kind === 'IsolationProfile' || namespaceOf(object) === namespace),
  );
  if (input === undefined) return undefined;
  const steps = field.includes('.') || kind !== 'IsolationProfile' ? field.split('.') : ['controls', field];
  const isWritten = at(input.object, 'spec', ...steps) !== undefined;
  return [input, pointer(['spec', ...(isWritten || kind !== 'IsolationProfile' ? steps : ['level'])])];
}
