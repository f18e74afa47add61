import { asString, objectAt } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { dataRefusals } from './data-map.ts';
import { unresolvableNames } from './dns-names.ts';
import { shapeCheck } from './kind-checks.ts';

/** Names that a sentence lists before it only counts. */
const MOST_NAMES = 10;

/** Configuration often names other Services in full; where only short names resolve, a person should know. */
function noteNames(edit: Edit, subject: Subject, ctx: TenantContext): void {
  if (ctx.tenant.dns !== 'aliases') return;
  const names = new Set<string>();
  for (const value of Object.values(objectAt(edit.object, 'data') ?? {})) {
    for (const name of unresolvableNames(asString(value) ?? '', ctx, subject.virtualNamespace)) names.add(name);
  }
  if (names.size === 0) return;
  const sorted = [...names].sort();
  const rest = sorted.length - MOST_NAMES;
  const text = rest > 0 ? `${sorted.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : sorted.join(', ');
  edit.note('DnsNameUnresolvable', { names: text }, ['data']);
}

export const configMap: KindTranslation = {
  key: 'ConfigMap',
  checks: [
    shapeCheck('ConfigMap'),
    {
      id: 'configmap.data',
      run: (subject) => [...dataRefusals(subject.object, 'data', 'text'), ...dataRefusals(subject.object, 'binaryData', 'base64')],
    },
  ],
  steps: [noteNames],
};
