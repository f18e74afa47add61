import { isObject, type Json, type Path } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { pointer } from '../kube/pointer.ts';
import { compareObjects, type Difference, type Step } from './compare-objects.ts';
import type { FieldChange } from './review.ts';
import { type Hiding, hidingIn } from './secrets.ts';

/** The differences of two objects as people and programs read them, without any value that may be a Secret's. */
export function fieldChanges(
  differences: readonly Difference[],
  object: KubeObject,
  ruleAt?: (path: Path) => string | undefined,
): FieldChange[] {
  const hiding = hidingIn(object);
  const hides = ({ path, before, after }: Difference): boolean => hiding.hides(path, before, after);
  return unique(differences.flatMap((difference) => (hides(difference) ? keysOnly(difference, hiding) : [difference]))).map(
    (difference) => {
      const { path, before, after, order } = difference;
      const indexes = path.map(indexOf);
      const rule = ruleAt?.(indexes);
      const base = {
        pointer: pointer(indexes),
        path: `${shownPath(path)}${order === true ? ' (order)' : ''}`,
        op: before === undefined ? ('Add' as const) : after === undefined ? ('Remove' as const) : ('Replace' as const),
        ...(rule !== undefined && { rule }),
      };
      if (hides(difference)) return { ...base, hidden: true as const };
      return { ...base, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    },
  );
}

export function compareFields(before: KubeObject, after: KubeObject): FieldChange[] {
  return fieldChanges(compareObjects(before, after), after);
}

/** A map of which no value may be told is told key by key, as far as keys may be. */
function keysOnly(difference: Difference, hiding: Hiding): Difference[] {
  const { path, before, after } = difference;
  const depth = hiding.depth(path);
  if (depth < path.length) return [{ path: path.slice(0, depth), before: null, after: null }];
  const whole = before === undefined ? after : after === undefined ? before : undefined;
  if (!isObject(whole) || Object.keys(whole).length === 0) return [difference];
  const keys = Object.entries(whole);
  if (keys.some(([key]) => hiding.depth([...path, key]) <= path.length)) return [difference];
  return keys.flatMap(([key, value = null]) => keysOnly({ path: [...path, key], ...side(before === undefined, value) }, hiding));
}

/** Places below which nothing is told are told once. */
function unique(differences: readonly Difference[]): Difference[] {
  return [...new Map(differences.map((difference) => [JSON.stringify(difference.path), difference])).values()];
}

function side(added: boolean, value: Json): Pick<Difference, 'before' | 'after'> {
  return added ? { after: value } : { before: value };
}

function indexOf(step: Step): string | number {
  return typeof step === 'string' ? step : (step.after ?? step.before ?? 0);
}

/** `spec.containers[app].image`, `metadata.annotations["a.b/c"]` */
function shownPath(path: readonly Step[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step !== 'string') text += `[${step.shown ?? indexOf(step)}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
