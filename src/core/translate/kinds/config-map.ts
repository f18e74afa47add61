import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { unresolvableInConfig } from '../pod/dns-names.ts';
import { listed } from '../pod/strings.ts';
import type { KindTranslation } from '../translation.ts';
import { dataRefusals } from './data-map.ts';
import { shapeCheck } from './kind-checks.ts';

/** Configuration often names other Services in full; where only short names resolve, a person should know, and in which file. */
function noteNames(edit: Edit, subject: Subject, ctx: TenantContext): void {
  if (ctx.tenant.dns !== 'aliases') return;
  const names = unresolvableInConfig(ctx, subject.virtualNamespace, subject.name);
  if (names.length > 0) edit.note('DnsNameUnresolvable', { names: listed(names) }, ['data']);
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
