import type { Check } from '../../checks/check.ts';
import { shellWord } from '../../decision/shell-word.ts';
import { at, objectAt, stringAt } from '../../kube/json.ts';
import { annotationsOf } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { shapeCheck } from './kind-checks.ts';
import { hostNameFor } from './reference.ts';
import { secretNameRefusals, templateTypeRefusals, translateSecretMetadata } from './secret-template.ts';

const CLUSTER_WIDE = 'sealedsecrets.bitnami.com/cluster-wide';
const NAMESPACE_WIDE = 'sealedsecrets.bitnami.com/namespace-wide';
/** Says that a value was sealed for the host's name, which the ciphertext itself does not show: `<namespace>/<name>`. */
const SEALED_FOR = 'tenantplane.io/sealed-for';

type Scope = 'strict' | 'namespace-wide' | 'cluster-wide';

function scopeOf(subject: Subject): Scope {
  const annotations = annotationsOf(subject.object);
  if (annotations.get(CLUSTER_WIDE) === 'true') return 'cluster-wide';
  return annotations.get(NAMESPACE_WIDE) === 'true' ? 'namespace-wide' : 'strict';
}

function hostOf(subject: Subject, ctx: TenantContext): { name: string; namespace: string } {
  return { name: hostNameFor(ctx, 'Secret', subject.virtualNamespace, subject.name), namespace: ctx.tenant.namespace };
}

const checks: readonly Check[] = [
  shapeCheck('SealedSecret'),
  {
    id: 'sealedsecret.data',
    run: (subject) =>
      // The deprecated form is a whole Secret, of which the controller takes type, labels and annotations (sealed-secrets, Unseal).
      (at(subject.object, 'spec', 'data') ?? null) === null
        ? []
        : [
            {
              reason: 'FieldBlocked',
              params: { field: 'spec.data', why: 'type, labels and annotations of the Secret would come out of what nobody can read' },
              path: ['spec', 'data'],
              remedy: 'Seal each value: kubeseal writes spec.encryptedData since version 0.7.',
            },
          ],
  },
  {
    id: 'sealedsecret.scope',
    run(subject, ctx) {
      const scope = scopeOf(subject);
      if (scope === 'cluster-wide') return [];
      const { name, namespace } = hostOf(subject, ctx);
      if (annotationsOf(subject.object).get(SEALED_FOR) === `${namespace}/${name}`) return [];
      return [{ reason: 'SealedScopeStrict', params: { scope, host: `${namespace}/${name}`, command: resealing(scope, name, namespace) } }];
    },
  },
  { id: 'sealedsecret.name', run: (subject) => secretNameRefusals(subject.object, ['spec', 'template', 'metadata', 'name']) },
  { id: 'sealedsecret.type', run: (subject) => templateTypeRefusals(subject.object, ['spec', 'template', 'type']) },
];

function resealing(scope: Scope, name: string, namespace: string): string {
  const seal = `kubeseal --raw --scope ${scope} --name ${shellWord(name)} --namespace ${shellWord(namespace)} --from-file=/dev/stdin`;
  return `Seal each value of spec.encryptedData again with: ${seal} and set the annotation ${SEALED_FOR}: ${namespace}/${name}; or seal with --scope cluster-wide.`;
}

/** The controller reads the scope from the object, and people who look at the Secret from the template. */
function keepScope(edit: Edit, subject: Subject): void {
  const scope = scopeOf(subject);
  if (scope === 'strict') return;
  const key = scope === 'cluster-wide' ? CLUSTER_WIDE : NAMESPACE_WIDE;
  edit.set(['metadata', 'annotations', key], 'true', 'rw.secret');
  edit.set(['spec', 'template', 'metadata', 'annotations', key], 'true', 'rw.secret');
}

function translateTemplate(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const path = ['spec', 'template', 'metadata'];
  const stated = objectAt(subject.object, ...path);
  translateSecretMetadata(edit, path, subject, ctx);
  const host = hostOf(subject, ctx);
  for (const field of ['name', 'namespace'] as const) {
    if (stringAt(stated, field) !== undefined) edit.set([...path, field], host[field], 'rw.reference');
  }
}

export const sealedSecret: KindTranslation = { key: 'SealedSecret.bitnami.com', checks, steps: [translateTemplate, keepScope] };
