import { asString, at, objectAt } from '../../kube/json.ts';
import { kindKey } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';

const AUTOSCALER = 'HorizontalPodAutoscaler.autoscaling';
const TARGETS: WeakMap<TenantContext, ReadonlyMap<string, string>> = new WeakMap();

/** What the projected autoscalers scale, to the autoscaler's name. */
function targets(ctx: TenantContext): ReadonlyMap<string, string> {
  const known = TARGETS.get(ctx);
  if (known !== undefined) return known;
  const map = new Map<string, string>();
  for (const subject of ctx.all(AUTOSCALER)) {
    if (!ctx.covered(subject)) continue;
    const target = objectAt(subject.object, 'spec', 'scaleTargetRef');
    const key = kindKey(asString(target?.['apiVersion']) ?? '', asString(target?.['kind']) ?? '');
    map.set(`${key}/${subject.virtualNamespace}/${asString(target?.['name']) ?? ''}`, subject.name);
  }
  TARGETS.set(ctx, map);
  return map;
}

/** A workload under an autoscaler is rendered without replicas: each new apply would reset what the autoscaler chose. */
export const replicasStep: Step = (edit, subject, ctx) => {
  const autoscaler = targets(ctx).get(`${subject.key}/${subject.virtualNamespace}/${subject.name}`);
  if (autoscaler === undefined) return;
  const replicas = at(edit.object, 'spec', 'replicas');
  edit.remove(['spec', 'replicas'], 'rw.replicas');
  if (replicas !== undefined && replicas !== null)
    edit.note('ReplicasDropped', { autoscaler, replicas: String(replicas) }, ['spec', 'replicas']);
};
