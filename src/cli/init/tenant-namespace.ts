import { shellWord } from '../../core/decision/shell-word.ts';
import { TenantplaneError } from '../errors.ts';

/** A DNS label, as Kubernetes names namespaces. */
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * The namespace of a new tenant: the one that was said, or `team-NAME`.
 * @throws TenantplaneError where a name that a tenant may have makes none: a dot, or too long
 */
export function tenantNamespace(tenant: string, said: string | undefined): string {
  if (said === '')
    throw new TenantplaneError('usage', '--namespace is empty.', { hint: 'Name a namespace, or leave the flag out for team-NAME.' });
  if (said !== undefined) return said;
  const made = `team-${tenant}`;
  if (LABEL.test(made) || !NAME.test(tenant)) return made;
  const why = tenant.includes('.') ? 'holds a dot' : 'is longer than 63 characters';
  const other = made.replaceAll('.', '-').slice(0, 63).replace(/-+$/, '');
  throw new TenantplaneError('usage', `Tenant ${tenant} has no namespace: ${made} ${why}, which a namespace may not.`, {
    hint: `Name one: --namespace ${shellWord(other)}`,
  });
}
