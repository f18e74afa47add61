import type { Check } from '../../checks/check.ts';
import { MANAGED_BY } from '../../identity/metadata.ts';
import { asArray, stringAt } from '../../kube/json.ts';
import { labelsOf } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit, Refusal } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { addressRefusal, nameRefusal, translateEndpoint } from './endpoint-addresses.ts';
import { itemsAt } from './items.ts';
import { optInCheck, shapeCheck } from './kind-checks.ts';
import { referTo } from './reference.ts';

const MANAGER = 'endpointslice.kubernetes.io/managed-by';
const SERVICE = 'kubernetes.io/service-name';
/** Kubernetes' own: they make and delete every slice that carries their name, on either side. */
const CONTROLLERS: ReadonlySet<string> = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);

const checks: readonly Check[] = [
  {
    id: 'endpointslice.controller',
    run: (subject) =>
      CONTROLLERS.has(labelsOf(subject.object).get(MANAGER) ?? '')
        ? [
            {
              reason: 'ControlPlaneInfrastructure',
              params: { kind: 'EndpointSlice', source: `${subject.virtualNamespace}/${subject.name}` },
            },
          ]
        : [],
  },
  optInCheck('allow.endpoints', (allow) => allow.endpoints),
  shapeCheck('EndpointSlice'),
  {
    id: 'endpointslice.addresses',
    run(subject, ctx) {
      const names = stringAt(subject.object, 'addressType') === 'FQDN';
      return itemsAt(subject.object, 'endpoints').flatMap(({ item, path }) =>
        (asArray(item['addresses']) ?? [])
          .map((address, index) => {
            const at = [...path, 'addresses', index];
            return names ? nameRefusal(address, at, ctx) : addressRefusal(address, at);
          })
          .filter((refusal): refusal is Refusal => refusal !== undefined),
      );
    },
  },
];

function translateEndpoints(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const { path } of itemsAt(edit.object, 'endpoints')) translateEndpoint(edit, path, subject, ctx);
}

/** The label ties the slice to its Service; the manager keeps the host's own controllers away from it. */
function translateOwners(edit: Edit, subject: Subject, ctx: TenantContext): void {
  referTo(edit, ['metadata', 'labels', SERVICE], ctx, 'Service', subject.virtualNamespace);
  edit.set(['metadata', 'labels', MANAGER], MANAGED_BY, 'rw.identity');
}

export const endpointSlice: KindTranslation = {
  key: 'EndpointSlice.discovery.k8s.io',
  checks,
  steps: [translateEndpoints, translateOwners],
};
