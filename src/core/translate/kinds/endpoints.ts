import type { Check } from '../../checks/check.ts';
import { labelsOf } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit, Refusal } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { addressRefusal, translateEndpoint } from './endpoint-addresses.ts';
import { type Item, itemsAt, itemsIn } from './items.ts';
import { optInCheck, shapeCheck } from './kind-checks.ts';
import { hasSelector } from './service.ts';

/** The endpoint controller signs what it writes since Kubernetes 1.33; before, only the Service's selector tells. */
const SIGNATURE = 'endpoints.kubernetes.io/managed-by';

function addressesOf(object: Subject['object']): Item[] {
  return itemsAt(object, 'subsets').flatMap((subset) => [...itemsIn(subset, 'addresses'), ...itemsIn(subset, 'notReadyAddresses')]);
}

const checks: readonly Check[] = [
  {
    id: 'endpoints.controller',
    run(subject, ctx) {
      const service = ctx.find('Service', subject.virtualNamespace, subject.name);
      const made = labelsOf(subject.object).has(SIGNATURE) || (service !== undefined && hasSelector(service.object));
      return made
        ? [{ reason: 'ControlPlaneInfrastructure', params: { kind: 'Endpoints', source: `${subject.virtualNamespace}/${subject.name}` } }]
        : [];
    },
  },
  optInCheck('allow.endpoints', (allow) => allow.endpoints),
  shapeCheck('Endpoints'),
  {
    id: 'endpoints.addresses',
    run: (subject) =>
      addressesOf(subject.object)
        .map(({ item, path }) => addressRefusal(item['ip'], [...path, 'ip']))
        .filter((refusal): refusal is Refusal => refusal !== undefined),
  },
];

function translateAddresses(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const { path } of addressesOf(edit.object)) translateEndpoint(edit, path, subject, ctx);
}

/** Without its Service nobody reads it; the name is common to both, so it needs no rewriting. */
function referToService(edit: Edit, subject: Subject): void {
  const { name, virtualNamespace } = subject;
  edit.refer({ path: ['metadata', 'name'], targetKind: 'Service', name, virtualNamespace, optional: false });
}

export const endpoints: KindTranslation = { key: 'Endpoints', checks, steps: [translateAddresses, referToService] };
