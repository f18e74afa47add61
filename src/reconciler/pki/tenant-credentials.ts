import { LIFE_HOURS, renewAt } from '../../core/controlplane/certificate-life.ts';
import { TENANT_IDENTITIES } from '../../core/controlplane/tenant-access.ts';
import type { Clock } from '../../kube/clock.ts';
import { type CredentialSource, type Credentials, CredentialsError } from '../../kube/connection/connection.ts';
import { sharedRun } from '../../kube/shared-run.ts';
import { AuthoritiesError } from './authorities-error.ts';
import type { Authorities } from './make-authorities.ts';
import { type ClientCertificate, mintClient } from './mint-client.ts';

/** As whom the reconciler asks a tenant's API. */
export type TenantRole = 'bootstrap' | 'reconciler';

export interface TenantCredentialOptions {
  /** what the Secret holds; of one tenant */
  readonly authorities: Authorities;
  readonly clock: Clock;
  readonly as?: TenantRole;
}

interface Held {
  readonly credentials: Credentials;
  /** milliseconds since 1970 */
  readonly until: number;
  /** when it was made, by the clock that never goes back */
  readonly at: number;
}

/** A server that refuses what was just made refuses the next one too: it is not asked with ever new ones. */
const FRESH = 60_000;

/**
 * A client certificate of the tenant's, in memory only: made when it is first asked for, anew two thirds into its life, and after it was
 * refused. Requests that wait for it share one.
 */
export function tenantCredentials({ authorities, clock, as = 'reconciler' }: TenantCredentialOptions): CredentialSource {
  let held: Held | undefined;
  const mint = sharedRun(async (): Promise<Held> => {
    const { certificate, key, notBefore, notAfter } = await mintOrSay(authorities, as, clock.wall());
    return { credentials: { certificate, key }, until: renewAt(notBefore, notAfter), at: clock.now() };
  });
  return {
    current: async (signal) => {
      if (held === undefined || clock.wall() >= held.until) held = await mint(signal);
      return held.credentials;
    },
    refused: ({ certificate }) => {
      // another request may have had it made anew already
      if (held === undefined || held.credentials.certificate !== certificate) return true;
      if (clock.now() - held.at < FRESH) return false;
      held = undefined;
      return true;
    },
  };
}

async function mintOrSay(authorities: Authorities, as: TenantRole, from: number): Promise<ClientCertificate> {
  try {
    return await mintClient(authorities, TENANT_IDENTITIES[as], { from, hours: LIFE_HOURS[as] });
  } catch (error) {
    if (error instanceof AuthoritiesError) throw new CredentialsError(`The tenant’s authorities sign no client: ${error.message}.`);
    throw error;
  }
}
