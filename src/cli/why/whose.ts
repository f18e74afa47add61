import { kindOf } from '../../core/kube/object.ts';
import { TenantplaneError } from '../errors.ts';
import { clusterNamed } from './ask.ts';
import type { Cluster, OpenPackage } from './open-package.ts';
import type { Reference } from './read-reference.ts';

/** The tenant that a command is asked of; undefined means all of the package. */
export function whose(open: OpenPackage, { words, file }: Reference, flag: string | undefined): Cluster | undefined {
  const [word, second] = words;
  if (file !== undefined || second !== undefined)
    throw new TenantplaneError('usage', `${file ?? words.join(' ')} is no tenant.`, {
      hint: 'Name one tenant, as NAME or NAMESPACE/NAME, and the package.',
    });
  if (word !== undefined && flag !== undefined && word !== flag)
    throw new TenantplaneError('usage', `Two tenants: ${word} and ${flag}.`, { hint: 'Name one.' });
  const name = word ?? flag;
  if (open.clusters.length === 0)
    throw new TenantplaneError('input', `There is no TenantCluster in ${open.root}.`, {
      hint: open.config.some(({ object }) => kindOf(object) === 'SyncPolicy' || kindOf(object) === 'IsolationProfile')
        ? 'It holds the platform’s part alone: name the package of the tenants, and this one as --platform PATH.'
        : 'Name the package (PATH), or make one: tenantplane init DIR',
    });
  return name === undefined ? undefined : clusterNamed(open, name);
}
