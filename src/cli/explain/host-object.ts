import { shellWord } from '../../core/decision/shell-word.ts';
import { mayHaveMade } from '../../core/explain/made-by.ts';
import { KEY } from '../../core/identity/metadata.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import type { PreviousObject } from '../../core/plan/plan-types.ts';
import { TenantplaneError } from '../errors.ts';
import type { AssumedSubject } from './assumed-objects.ts';
import type { TenantName } from './predict.ts';

/** Names of pods begin with so many letters of their maker's name, or all of it (made-by.ts). */
const SHORTEST = 58;

/** A manifest that a render has written, given in the place of a tenant's object: judged as one, it would get a wrong answer. */
export function refuseHostManifest(object: KubeObject, path: string, typed: string): void {
  if (isOurs(object)) throw hostObjectError(object, path, typed);
}

/** As `refuseHostManifest`, for a name that only the rendered tree knows. */
export function refuseHostName(
  subject: AssumedSubject,
  tenant: TenantName,
  { known, tree, typed }: { readonly known: boolean; readonly tree: readonly PreviousObject[]; readonly typed: string },
): void {
  if (known) return;
  const key = kindKey(subject.apiVersion, subject.kind);
  const found = tree.find(({ source, object }) => {
    const maybe = source.path.startsWith(`${tenant.namespace}/`) || source.path.startsWith('platform/');
    const name = source.path.slice(source.path.lastIndexOf('_') + 1).replace(/\.yaml$/, '');
    if (!maybe || name === '' || !subject.name.startsWith(name.slice(0, SHORTEST)) || !isOurs(object)) return false;
    const kind = kindKey(apiVersionOf(object), kindOf(object));
    return (kind === key && nameOf(object) === subject.name) || mayHaveMade(kind, nameOf(object), { kind: key, name: subject.name });
  });
  if (found !== undefined) throw hostObjectError(found.object, `host/${found.source.path}`, typed);
}

/** @param typed words of the package, to be typed again (`packageWords`) */
function hostObjectError(object: KubeObject, path: string, typed: string): TenantplaneError {
  const annotations = annotationsOf(object);
  const at = typed;
  const name = annotations.get(KEY.virtualName);
  const namespace = annotations.get(KEY.virtualNamespace) ?? 'default';
  const tenant = annotations.get(KEY.tenantCluster);
  const whose = tenant === undefined ? '' : ` of tenant ${tenant}`;
  const what = `${path} is ${kindOf(object)} ${namespaceOf(object) === undefined ? '' : `${namespaceOf(object)}/`}${nameOf(object)} on the host`;
  const [, , code] = (annotations.get(KEY.decision) ?? '').split('/');
  const made = `, made by ${annotations.get(KEY.causedBy) ?? 'the render'}${whose}`;
  const source = annotations.get(KEY.sourcePath);
  if (name === undefined) {
    const copied = source === undefined ? made : `, a copy of ${source}`;
    return new TenantplaneError('usage', `${what}${copied}; explain-sync explains objects of tenants.`, {
      hint: code === undefined ? `Read ${source ?? path}.` : `What it is for: tenantplane explain-code ${shellWord(code)}`,
    });
  }
  const from = source === undefined ? '' : ` from ${source}`;
  const flags = `${tenant === undefined ? '' : ` --tenant ${shellWord(tenant)}`} -n ${shellWord(namespace)}`;
  return new TenantplaneError('usage', `${what}: ${kindOf(object)} ${namespace}/${name}${whose}, rendered${from}.`, {
    hint: `Explain what it is rendered from: tenantplane explain-sync${at}${flags} ${shellWord(`${kindOf(object).toLowerCase()}/${name}`)}`,
  });
}
