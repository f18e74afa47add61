import type { Check } from '../../checks/check.ts';
import { malformed } from '../../checks/shape.ts';
import { at, type Path, stringAt } from '../../kube/json.ts';
import { kindKey } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { itemsAt } from './items.ts';
import { shapeCheck } from './kind-checks.ts';
import { referTo } from './reference.ts';

/** Metrics about the tenant's own pods. Any other type reads what an adapter on the host says about anything. */
const OWN_METRICS: ReadonlySet<string> = new Set(['Resource', 'ContainerResource', 'Pods']);
/** autoscaling/v1 carries newer fields in annotations; the API server turns them into metrics of every type. */
const HIDDEN_FIELDS = ['metrics', 'behavior', 'conditions', 'current-metrics'] as const;

const checks: readonly Check[] = [
  shapeCheck('HorizontalPodAutoscaler'),
  {
    id: 'horizontalpodautoscaler.target',
    run(subject) {
      const path = ['spec', 'scaleTargetRef', 'name'];
      const name = at(subject.object, ...path);
      return typeof name === 'string' && name !== '' ? [] : [malformed(path, name, 'the name of a workload')];
    },
  },
  {
    id: 'horizontalpodautoscaler.metrics',
    run: (subject, ctx) =>
      itemsAt(subject.object, 'spec', 'metrics').flatMap(({ item, path }) => {
        const type = stringAt(item, 'type') ?? '';
        if (OWN_METRICS.has(type) || ctx.profile.allow.externalMetrics) return [];
        const metric = stringAt(item, type.toLowerCase(), 'metric', 'name') ?? 'without a name';
        return [{ reason: 'ExternalMetricBlocked', params: { metric, type: type || 'unknown' }, path }];
      }),
  },
];

/** Without its target an autoscaler does nothing, so a missing one refuses it. */
function translateTarget(edit: Edit, subject: Subject, ctx: TenantContext): void {
  referToObject(edit, ['spec', 'scaleTargetRef'], subject, ctx, true);
}

/** Selectors of metrics are labels of series, not of pods: they stay as they are (projection rules, section 3). */
function translateMetrics(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const { path } of itemsAt(edit.object, 'spec', 'metrics'))
    referToObject(edit, [...path, 'object', 'describedObject'], subject, ctx, false);
  for (const field of HIDDEN_FIELDS) edit.remove(['metadata', 'annotations', `autoscaling.alpha.kubernetes.io/${field}`], 'rw.annotations');
}

function referToObject(edit: Edit, path: Path, subject: Subject, ctx: TenantContext, required: boolean): void {
  const key = kindKey(stringAt(edit.object, ...path, 'apiVersion') ?? 'v1', stringAt(edit.object, ...path, 'kind') ?? '');
  referTo(edit, [...path, 'name'], ctx, key, subject.virtualNamespace, required ? { required } : {});
}

export const horizontalPodAutoscaler: KindTranslation = {
  key: 'HorizontalPodAutoscaler.autoscaling',
  checks,
  steps: [translateTarget, translateMetrics],
};
