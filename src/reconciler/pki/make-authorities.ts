import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AUTHORITIES, authorityCommonName, SERVICE_ACCOUNT_KEY_FILE, secretKey } from '../../core/controlplane/authorities.ts';
import { BACKDATED, LIFE_HOURS } from '../../core/controlplane/certificate-life.ts';
import { signCertificate } from './certificate.ts';

/** PEM by the keys of the Secret `control-plane-authorities`. */
export type Authorities = Readonly<Record<string, string>>;

/**
 * Makes everything that a tenant's control plane signs with. Once: k3s keeps what it has signed, and clients what they trust.
 * @param now milliseconds since 1970
 */
export async function makeAuthorities(tenant: { readonly name: string; readonly namespace: string }, now: number): Promise<Authorities> {
  const made: Record<string, string> = {};
  for (const { id, certificateFile, keyFile } of AUTHORITIES) {
    const key = await makeKey();
    const certificate = signCertificate(
      {
        use: 'authority',
        commonName: authorityCommonName(tenant, id),
        organizations: [],
        publicKey: key,
        notBefore: now - BACKDATED,
        notAfter: now + LIFE_HOURS.authority * 3_600_000,
      },
      { key },
    );
    made[secretKey(certificateFile)] = certificate;
    made[secretKey(keyFile)] = keyText(key);
  }
  made[secretKey(SERVICE_ACCOUNT_KEY_FILE)] = keyText(await makeKey());
  return made;
}

const generate = promisify(generateKeyPair);

/** Elliptic curves: an RSA key takes up to a second to make. */
export async function makeKey(): Promise<KeyObject> {
  return (await generate('ec', { namedCurve: 'P-256' })).privateKey;
}

/** SEC 1: of what kube-apiserver takes for --service-account-key-file, the one form that holds the private key of a curve. */
export function keyText(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}
