import { at, isObject, type JsonObject, type Path } from '../kube/json.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';

/** The pod spec inside an object and the path to it, where the kind holds one and it is an object. */
export function podSpecOf(subject: Subject): { readonly spec: JsonObject; readonly base: Path } | undefined {
  const base = subject.row.podSpec;
  if (base === undefined) return undefined;
  const spec = at(subject.object, ...base);
  return isObject(spec) ? { spec, base } : undefined;
}

/** A check of the pod spec inside an object; it does not apply to an object that holds none. */
export function podSpecCheck(
  id: string,
  look: (spec: JsonObject, base: Path, ctx: TenantContext, subject: Subject) => readonly Refusal[],
): Check {
  return {
    id,
    run(subject, ctx) {
      const pod = podSpecOf(subject);
      return pod && look(pod.spec, pod.base, ctx, subject);
    },
  };
}
