import { asArray, asString, equal, isObject, type Json, type JsonObject, own } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';

/**
 * Tolerations of conditions that Kubernetes' own controllers put on nodes and that every pod may wait out. Whoever tolerates more
 * reaches nodes that the platform keeps apart, so the rest needs the profile's consent. Admission policies use the same list.
 */
export const COMMON_TOLERATION_KEYS: readonly string[] = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/pid-pressure',
];
const COMMON: ReadonlySet<string> = new Set(COMMON_TOLERATION_KEYS);

type Allowed = TenantContext['profile']['allow']['tolerations'][number];

/** Whether a toleration tolerates no more than one that is allowed. */
export function tolerationAllowed(toleration: JsonObject, allowed: readonly Allowed[]): boolean {
  const key = asString(toleration['key']) ?? '';
  if (COMMON.has(key)) return true;
  const operator = asString(toleration['operator']) || 'Equal';
  const value = asString(toleration['value']) ?? '';
  const effect = asString(toleration['effect']) ?? '';
  return allowed.some((row) => {
    // A field that an entry leaves out allows any value of it; with a value it means Equal, as in a toleration. Gt and Lt
    // tolerate a range (KEP-5471), so neither of them is covered by another operator than Exists.
    if (row.key !== '' && row.key !== key) return false;
    if (row.effect !== undefined && row.effect !== '' && row.effect !== effect) return false;
    if (row.operator === 'Exists') return true;
    if (row.operator === undefined && row.value === undefined) return true;
    return operator === (row.operator ?? 'Equal') && (row.value === undefined || row.value === value);
  });
}

export const tolerationsStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const own_ = asArray(own(view.spec, 'tolerations')) ?? [];
  const pool = ctx.tenant.mode === 'dedicated' ? (ctx.tenant.nodePool?.tolerations ?? []) : [];
  const kept: Json[] = [];
  for (const toleration of own_) {
    if (!isObject(toleration)) continue;
    if (tolerationAllowed(toleration, ctx.profile.allow.tolerations) || pool.some((row) => equal(row, toleration))) kept.push(toleration);
    else edit.note('TolerationDropped', { key: asString(toleration['key']) || 'every taint' }, [...view.base, 'tolerations']);
  }
  for (const toleration of pool) if (!kept.some((item) => equal(item, toleration))) kept.push({ ...toleration });
  if (kept.length > 0) edit.set([...view.base, 'tolerations'], kept, 'rw.scheduling');
  else if (own_.length > 0) edit.remove([...view.base, 'tolerations'], 'rw.scheduling');
};

/** In mode dedicated the pool's labels are added to the node selector, and win. */
export const nodeSelectorStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  if (own(view.spec, 'nodeName') !== undefined) edit.remove([...view.base, 'nodeName'], 'rw.scheduling');
  if (ctx.tenant.mode !== 'dedicated') return;
  for (const [key, value] of Object.entries(ctx.tenant.nodePool?.nodeSelector ?? {}))
    edit.set([...view.base, 'nodeSelector', key], value, 'rw.scheduling');
};

/**
 * A priority class is an object of the host. The integer and the preemption policy go with it: the host's admission fills them
 * from the class and refuses others.
 */
export const priorityStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const name = asString(own(view.spec, 'priorityClassName')) ?? '';
  const allowed = ctx.profile.allow.priorityClasses.includes(name);
  const asked = name !== '' ? name : own(view.spec, 'priority');
  if (!allowed && asked !== undefined && asked !== null && asked !== 0)
    edit.note('PriorityDropped', { class: String(asked) }, [...view.base, name !== '' ? 'priorityClassName' : 'priority']);
  for (const field of ['priorityClassName', 'priority', 'preemptionPolicy'] as const)
    if (own(view.spec, field) !== undefined && !(allowed && field === 'priorityClassName'))
      edit.remove([...view.base, field], 'rw.priority');
};

/** The profile's runtime class. Where it has none the tenant's goes too: a class of the host brings node selectors and tolerations. */
export const runtimeClassStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const path = [...view.base, 'runtimeClassName'];
  const asked = asString(own(view.spec, 'runtimeClassName')) ?? '';
  const forced = ctx.profile.runtimeClassName ?? '';
  if (asked !== '' && asked !== forced)
    edit.note('RuntimeClassForced', { value: forced === '' ? 'left to the host' : forced, asked }, path);
  if (forced !== '') edit.set(path, forced, 'rw.runtime-class');
  else if (own(view.spec, 'runtimeClassName') !== undefined) edit.remove(path, 'rw.runtime-class');
  // Overhead is what the host's admission reads from the class; any other value is refused.
  if (own(view.spec, 'overhead') !== undefined) edit.remove([...view.base, 'overhead'], 'rw.runtime-class');
};
