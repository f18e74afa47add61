import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { AUTHORITIES, AUTHORITY_FILES, type Authority, type AuthorityId, secretKey } from '../../core/controlplane/authorities.ts';
import { AuthoritiesError } from './authorities-error.ts';
import type { Authorities } from './make-authorities.ts';

export interface ReadAuthority {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

/** @throws AuthoritiesError where it is not there, or cannot sign */
export function readAuthority(authorities: Authorities, id: AuthorityId): ReadAuthority {
  const { certificateFile, keyFile } = rowOf(id);
  const certificate = readCertificate(authorities, certificateFile);
  const key = readKey(authorities, keyFile);
  if (!certificate.checkPrivateKey(key)) throw new AuthoritiesError(`${keyFile} is not the key of ${certificateFile}`);
  return { certificate, key };
}

/** PEM, for whoever has to trust what it signs. @throws AuthoritiesError */
export function authorityCertificate(authorities: Authorities, id: AuthorityId): string {
  const { certificateFile } = rowOf(id);
  readCertificate(authorities, certificateFile);
  return present(authorities, certificateFile);
}

/** SHA-256 over the certificates, in hexadecimal: it changes with them, and says nothing of a key. @throws AuthoritiesError */
export function publicDigest(authorities: Authorities): string {
  const hash = createHash('sha256');
  for (const { certificateFile } of AUTHORITIES) hash.update(`${readCertificate(authorities, certificateFile).fingerprint256}\n`);
  return hash.digest('hex');
}

/** Everything that keeps a control plane from being started with these, in words; nothing where they are whole. */
export function authorityProblems(authorities: Authorities): readonly string[] {
  const missing = AUTHORITY_FILES.filter((row) => !authorities[row.secretKey]).map(({ file }) => `${file} is missing`);
  if (missing.length > 0) return missing;
  return AUTHORITIES.flatMap(({ id }) => {
    try {
      readAuthority(authorities, id);
      return [];
    } catch (error) {
      if (error instanceof AuthoritiesError) return [error.message];
      throw error;
    }
  });
}

function rowOf(id: AuthorityId): Authority {
  const row = AUTHORITIES.find((candidate) => candidate.id === id);
  if (row === undefined) throw new TypeError(`${id} is no authority`);
  return row;
}

function present(authorities: Authorities, file: string): string {
  const text = authorities[secretKey(file)];
  if (!text) throw new AuthoritiesError(`${file} is missing`);
  return text;
}

function readCertificate(authorities: Authorities, file: string): X509Certificate {
  const text = present(authorities, file);
  try {
    return new X509Certificate(text);
  } catch {
    // no cause: OpenSSL's words say nothing more
    throw new AuthoritiesError(`${file} is no certificate in PEM`);
  }
}

function readKey(authorities: Authorities, file: string): KeyObject {
  const text = present(authorities, file);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new AuthoritiesError(`${file} is no private key in PEM`);
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new AuthoritiesError(`${file} is no key of the curve P-256`);
  return key;
}
