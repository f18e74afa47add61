import type { Check } from '../../checks/check.ts';
import { asString, isObject, type Json, objectAt, type Path, stringAt } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { listed } from './dns-suffix.ts';
import { itemsAt } from './items.ts';
import { shapeCheck } from './kind-checks.ts';
import { referTo } from './reference.ts';
import { secretNameRefusals, templateTypeRefusals, translateSecretMetadata } from './secret-template.ts';

interface Store {
  readonly name: string;
  readonly path: Path;
}

/** Every place where an ExternalSecret names what it reads from: stores and generators (external-secrets.io/v1, types.go). */
function storesOf(object: Subject['object']): Store[] {
  const stores: Store[] = [];
  const add = (value: Json | undefined, path: Path): void => {
    if (!isObject(value)) return;
    stores.push({ name: `${stringAt(value, 'kind') || 'SecretStore'}/${stringAt(value, 'name') ?? ''}`, path });
  };
  add(objectAt(object, 'spec')?.['secretStoreRef'], ['spec', 'secretStoreRef']);
  for (const list of ['data', 'dataFrom']) {
    for (const { item, path } of itemsAt(object, 'spec', list)) {
      for (const field of ['storeRef', 'generatorRef']) add(objectAt(item, 'sourceRef')?.[field], [...path, 'sourceRef', field]);
    }
  }
  return stores;
}

const checks: readonly Check[] = [
  shapeCheck('ExternalSecret'),
  {
    id: 'externalsecret.stores',
    run(subject, ctx) {
      const allowed = ctx.profile.allow.secretStores;
      return storesOf(subject.object).flatMap(({ name, path }) =>
        allowed.includes(name)
          ? []
          : [{ reason: 'SecretStoreBlocked', params: { store: name, profile: ctx.profile.name, allowed: listed(allowed) }, path }],
      );
    },
  },
  { id: 'externalsecret.name', run: (subject) => secretNameRefusals(subject.object, ['spec', 'target', 'name']) },
  { id: 'externalsecret.type', run: (subject) => templateTypeRefusals(subject.object, ['spec', 'target', 'template', 'type']) },
  {
    id: 'externalsecret.manifest',
    run: (subject) =>
      // The controller can write other kinds than Secrets where it is told to; those would escape the table of kinds.
      (objectAt(subject.object, 'spec', 'target')?.['manifest'] ?? null) === null
        ? []
        : [
            {
              reason: 'FieldBlocked',
              params: { field: 'spec.target.manifest', why: 'it makes objects of kinds that nobody checks' },
              path: ['spec', 'target', 'manifest'],
            },
          ],
  },
];

/**
 * Unstated, the Secret takes the ExternalSecret's name, which is the host name of that Secret already. With `Merge` somebody
 * else makes it, so it is a reference.
 */
function translateTarget(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const path = ['spec', 'target', 'name'];
  const { virtualNamespace } = subject;
  const name = stringAt(edit.object, ...path) || subject.name;
  if (stringAt(edit.object, 'spec', 'target', 'creationPolicy') === 'Merge') {
    edit.refer({ path, targetKind: 'Secret', name, virtualNamespace, optional: false });
  }
  if (!stringAt(edit.object, ...path)) return;
  edit.set(path, ctx.hostName('Secret', virtualNamespace, name).name, 'rw.reference');
}

function translateTemplate(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const template = ['spec', 'target', 'template'];
  translateSecretMetadata(edit, [...template, 'metadata'], subject, ctx);
  const sources = itemsAt(edit.object, ...template, 'templateFrom');
  for (const { item, path } of sources) {
    referTo(edit, [...path, 'configMap', 'name'], ctx, 'ConfigMap', subject.virtualNamespace);
    referTo(edit, [...path, 'secret', 'name'], ctx, 'Secret', subject.virtualNamespace);
    // A template that writes labels or annotations writes them past our rules for both.
    const target = asString(item['target']);
    if (target === undefined || target === '' || target.toLowerCase() === 'data') continue;
    edit.refuse(
      'FieldBlocked',
      { field: 'spec.target.template.templateFrom', why: `target ${target} writes metadata that nobody checks` },
      [...path, 'target'],
    );
  }
}

export const externalSecret: KindTranslation = {
  key: 'ExternalSecret.external-secrets.io',
  checks,
  steps: [translateTarget, translateTemplate],
};
