import { some } from '../../report/text.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';

/**
 * A name that no tenant has selects nothing, and what is said of nothing would look like a pass.
 * @param known `NAMESPACE/NAME` of each tenant
 * @param where what was looked at, where that is more than the package as it lies
 */
export function noTenant(name: string, known: readonly string[], where = ''): TenantplaneError {
  const near = nearest(
    name,
    known.flatMap((tenant) => [tenant, tenant.slice(tenant.indexOf('/') + 1)]),
  );
  return new TenantplaneError('usage', `The package has no tenant ${name}${where}.`, {
    hint: near === undefined ? `Its tenants are: ${some(known) || '(none)'}.` : `Did you mean ${near}?`,
  });
}
