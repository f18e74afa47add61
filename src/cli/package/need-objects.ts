import { apiVersionOf } from '../../core/kube/object.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import { TenantplaneError } from '../errors.ts';

interface Read {
  readonly root: string;
  readonly inputs: readonly InputObject[];
  /** a tree is something to ask about, even where nothing is left that it was rendered from */
  readonly hostExists: boolean;
}

/** An answer on a folder that holds nothing of ours would be an answer on nothing. @throws TenantplaneError */
export function needObjects(...sides: readonly Read[]): void {
  if (sides.some(({ inputs, hostExists }) => hostExists || inputs.some(({ object }) => apiVersionOf(object).startsWith('tenantplane.io/'))))
    return;
  const places = [...new Set(sides.map(({ root }) => root))];
  throw new TenantplaneError('input', `There is no TenantCluster, and nothing else that is tenantplane’s, in ${places.join(' or ')}.`, {
    hint: 'Name the package (PATH), or make one: tenantplane init DIR',
  });
}
