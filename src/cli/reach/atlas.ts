import { kindOf, nameOf } from '../../core/kube/object.ts';
import { readHostFacts, resolveHost } from '../../core/plan/host-facts.ts';
import type { InputObject, TenantPlan } from '../../core/plan/plan-types.ts';
import { resolveProfile } from '../../core/plan/resolve-settings.ts';
import type { ProfileSettings } from '../../core/plan/settings.ts';
import { type AddressSet, EVERY_ADDRESS } from '../../core/reach/address-set.ts';
import { type TenantTree, type World, worldOf } from '../../core/reach/world.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { tenantId } from '../../report/tally.ts';
import type { PlannedPackage } from '../render/plan-package.ts';

/** A planned package, as a map of who can be named as the end of a call. */
export interface Atlas {
  readonly world: World;
  readonly tenants: readonly TenantPlan[];
  readonly profiles: ReadonlyMap<string, ProfileSettings>;
  /** where addresses of the host's pods lie; everywhere where nobody says */
  readonly podAddresses: AddressSet;
  /** how a tenant is called: by its name alone where that is enough */
  label(tenant: string): string;
  /** stands behind a command that is suggested (`packageWords`) */
  readonly again: string;
}

export function atlasOf(
  { loaded, plan }: Pick<PlannedPackage, 'loaded' | 'plan'>,
  podAddresses: AddressSet = EVERY_ADDRESS,
  again = '',
): Atlas {
  const { networkPolicies } = resolveHost({}, readHostFacts(loaded.inputs, undefined).facts);
  const trees = plan.tenants.map(
    (tenant): TenantTree => ({
      id: tenantId(tenant),
      files: tenant.frozen === undefined ? tenant.files : standing(loaded.host, tenant, plan.removed),
    }),
  );
  return {
    world: worldOf(trees, { podAddresses, ...(networkPolicies !== undefined && { enforcement: networkPolicies }) }),
    tenants: plan.tenants,
    profiles: new Map(loaded.inputs.filter(isProfile).map(({ object }) => [nameOf(object), resolveProfile(object)])),
    podAddresses,
    again,
    label: (id) => {
      const name = id.slice(id.indexOf('/') + 1);
      return plan.tenants.filter((tenant) => tenant.name === name).length > 1 ? id : name;
    },
  };
}

function isProfile({ object }: InputObject): boolean {
  return kindOf(object) === 'IsolationProfile';
}

/** The tree of a frozen tenant stays as it last was, so that is what holds, but for what is written of its boundary. */
function standing(host: ReadonlyMap<string, string>, { namespace, files }: TenantPlan, removed: readonly string[]): TenantTree['files'] {
  const settled = new Set([...files.map(({ path }) => path), ...removed]);
  const rest = [...host].flatMap(([path, text]) =>
    path.startsWith(`${namespace}/`) && !settled.has(path) ? readDocuments(text, path).objects.map(({ object }) => ({ path, object })) : [],
  );
  return [...files, ...rest];
}
