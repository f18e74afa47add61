import { BACKDATED } from '../../core/controlplane/certificate-life.ts';
import type { TenantIdentity } from '../../core/controlplane/tenant-access.ts';
import { AuthoritiesError } from './authorities-error.ts';
import { signCertificate } from './certificate.ts';
import { type Authorities, keyText, makeKey } from './make-authorities.ts';
import { readAuthority } from './read-authorities.ts';

export interface ClientCertificate {
  /** PEM */
  readonly certificate: string;
  readonly key: string;
  /** milliseconds since 1970 */
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Makes a client certificate of the tenant's. Nobody has to be asked for it, and it ends with its authority at the latest.
 * @param life from: milliseconds since 1970
 * @throws AuthoritiesError
 */
export async function mintClient(
  authorities: Authorities,
  { user, groups }: TenantIdentity,
  { from, hours }: { readonly from: number; readonly hours: number },
): Promise<ClientCertificate> {
  const { certificate: authority, key: signingKey } = readAuthority(authorities, 'client-ca');
  const last = Date.parse(authority.validTo);
  if (from >= last) throw new AuthoritiesError(`client-ca.crt has expired (${new Date(last).toISOString()})`);
  const key = await makeKey();
  const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000) * 1000;
  const [notBefore, notAfter] = [seconds(from - BACKDATED), Math.min(seconds(from + hours * 3_600_000), last)];
  const certificate = signCertificate(
    { use: 'client', commonName: user, organizations: groups, publicKey: key, notBefore, notAfter },
    { certificate: authority.raw, key: signingKey },
  );
  return { certificate, key: keyText(key), notBefore, notAfter };
}
