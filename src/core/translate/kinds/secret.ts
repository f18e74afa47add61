import type { Check } from '../../checks/check.ts';
import { at, stringAt } from '../../kube/json.ts';
import { annotationsOf } from '../../kube/object.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { dataRefusals } from './data-map.ts';
import { shapeCheck } from './kind-checks.ts';

export const TOKEN_TYPE = 'kubernetes.io/service-account-token';
/** Lets its holder join a node to the cluster it lies in. */
export const BOOTSTRAP_TYPE = 'bootstrap.kubernetes.io/token';
const TOKEN_KEYS = ['token', 'ca.crt', 'namespace'] as const;
const TOKEN_ANNOTATIONS = 'kubernetes.io/service-account.';

const checks: readonly Check[] = [
  shapeCheck('Secret'),
  {
    id: 'secret.type',
    run(subject) {
      const type = at(subject.object, 'type');
      return type === BOOTSTRAP_TYPE ? [{ reason: 'SecretTypeBlocked', params: { type }, path: ['type'] }] : [];
    },
  },
  {
    id: 'secret.plain',
    run: (subject, ctx) =>
      ctx.tenant.renderSecrets === 'plain'
        ? []
        : [{ reason: 'SecretNotRendered', params: { source: `${subject.virtualNamespace}/${subject.name}` } }],
  },
  {
    id: 'secret.data',
    run: (subject) => [...dataRefusals(subject.object, 'data', 'base64'), ...dataRefusals(subject.object, 'stringData', 'text')],
  },
];

/**
 * The host's token controller fills a Secret of this type with a credential of the host, or deletes it where the account is not
 * there. The tenant's own token in it is a credential of the tenant's API and means nothing here.
 */
function disarmToken(edit: Edit): void {
  for (const key of annotationsOf(edit.object).keys()) {
    if (key.startsWith(TOKEN_ANNOTATIONS)) edit.remove(['metadata', 'annotations', key], 'rw.secret');
  }
  if (stringAt(edit.object, 'type') !== TOKEN_TYPE) return;
  edit.set(['type'], 'Opaque', 'rw.secret');
  for (const key of TOKEN_KEYS) {
    edit.remove(['data', key], 'rw.secret');
    edit.remove(['stringData', key], 'rw.secret');
  }
}

export const secret: KindTranslation = { key: 'Secret', checks, steps: [disarmToken] };
