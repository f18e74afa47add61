import { malformed } from '../../checks/shape.ts';
import { asString, at, objectAt, type Path } from '../../kube/json.ts';
import { dotted } from '../../kube/pointer.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import { filterAnnotations } from '../annotations.ts';
import type { Edit, Refusal } from '../edit.ts';
import { translateLabels } from '../labels.ts';
import { BOOTSTRAP_TYPE, TOKEN_TYPE } from './secret.ts';

/**
 * A controller of the host makes a Secret from a template in the tenant's object. Neither type may come out of it: the one would
 * be filled with a token of the host (its account is an annotation of the template), the other lets a node join.
 */
export function templateTypeRefusals(object: Subject['object'], path: Path): Refusal[] {
  const type = asString(at(object, ...path));
  return type === TOKEN_TYPE || type === BOOTSTRAP_TYPE ? [{ reason: 'SecretTypeBlocked', params: { type }, path }] : [];
}

/** Unlike a part of a DNS name, one of an object's name may be of any length (apimachinery, IsDNS1123Subdomain). */
const NAME_PART = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A Secret's name as the tenant writes it must be one, though the host's is made from it: else the tenant's own cluster would have none. */
export function secretNameRefusals(object: Subject['object'], path: Path): Refusal[] {
  const name = at(object, ...path);
  if (name === undefined || name === null || name === '') return [];
  if (typeof name !== 'string') return [malformed(path, name, 'a name')];
  if (name.length <= 253 && name.split('.').every((part) => NAME_PART.test(part))) return [];
  const rule = 'lower-case letters, digits, "-" and "." only, at most 253';
  return [{ reason: 'InvalidName', params: { what: `Secret name ${dotted(path)}`, value: JSON.stringify(name.slice(0, 80)), rule }, path }];
}

/** Metadata of the Secret to be: labels and annotations as on any object of the tenant, nothing else. */
export function translateSecretMetadata(edit: Edit, path: Path, subject: Subject, ctx: TenantContext): void {
  const metadata = objectAt(edit.object, ...path);
  if (metadata === undefined) {
    edit.remove(path, 'rw.strip-server-fields');
    return;
  }
  for (const key of Object.keys(metadata)) {
    if (key !== 'labels' && key !== 'annotations') edit.remove([...path, key], 'rw.strip-server-fields');
  }
  translateLabels(edit, [...path, 'labels'], ctx, subject.virtualNamespace);
  filterAnnotations(edit, [...path, 'annotations'], ctx, 'object');
  for (const key of Object.keys(objectAt(edit.object, ...path, 'annotations') ?? {})) {
    if (key.startsWith('kubernetes.io/service-account.')) edit.remove([...path, 'annotations', key], 'rw.secret');
  }
}
