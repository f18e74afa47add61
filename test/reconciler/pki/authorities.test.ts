import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { AUTHORITIES, AUTHORITY_FILES, authorityCommonName } from '../../../src/core/controlplane/authorities.ts';
import { certificatesOf } from '../../../src/reconciler/pki/certificates-of.ts';
import { type Authorities, makeAuthorities } from '../../../src/reconciler/pki/make-authorities.ts';
import { authorityProblems, publicDigest, readAuthority } from '../../../src/reconciler/pki/read-authorities.ts';
import { openssl } from './pem-files.ts';

const TENANT = { name: 'shop', namespace: 'platform' };
const NOW = Date.UTC(2026, 10, 30, 12, 0, 0, 345);

let made: Authorities;
beforeAll(async () => {
  made = await makeAuthorities(TENANT, NOW);
});

/** Without the one that is named. */
function without(key: string): Authorities {
  return Object.fromEntries(Object.entries(made).filter(([name]) => name !== key));
}

describe('the authorities of a tenant', () => {
  test('are every file that k3s takes, under keys that a Secret may have', () => {
    expect(Object.keys(made).sort()).toEqual(AUTHORITY_FILES.map(({ secretKey }) => secretKey).sort());
    expect(AUTHORITY_FILES.map(({ file }) => file).sort()).toEqual([
      'client-ca.crt',
      'client-ca.key',
      'etcd/peer-ca.crt',
      'etcd/peer-ca.key',
      'etcd/server-ca.crt',
      'etcd/server-ca.key',
      'request-header-ca.crt',
      'request-header-ca.key',
      'server-ca.crt',
      'server-ca.key',
      'service.key',
    ]);
    expect(Object.keys(made).filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key))).toEqual([]);
    expect(authorityProblems(made)).toEqual([]);
  });

  test.each(AUTHORITIES)('$id signs for ten years, and openssl takes it for an authority', ({ id, certificateFile }) => {
    const text = made[certificateFile.replace('/', '.')] ?? '';
    const said = openssl(['x509', '-in', '{ca}', '-noout', '-text'], { ca: text }).said;
    expect(said).toContain(`Subject: CN = ${id} platform/shop`);
    expect(said).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(said).toMatch(/Key Usage: critical\s+Digital Signature, Certificate Sign, CRL Sign/);
    expect(said).toMatch(/Subject Key Identifier:\s+(?:[0-9A-F]{2}:){19}[0-9A-F]{2}/);
    expect(said).toContain('Signature Algorithm: ecdsa-with-SHA256');
    expect(openssl(['verify', '-x509_strict', '-CAfile', '{ca}', '{ca}'], { ca: text })).toMatchObject({ status: 0 });
    expect(certificatesOf(text)).toEqual([
      { subject: `CN=${id} platform/shop`, notBefore: Date.UTC(2026, 10, 30, 11, 55), notAfter: Date.UTC(2036, 10, 27, 12) },
    ]);
  });

  test('have keys of their own, in the form that kube-apiserver reads for tokens as well', () => {
    const keys = Object.entries(made).filter(([name]) => name.endsWith('.key'));
    expect(keys.length).toBe(6);
    for (const [, text] of keys) expect(text).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
    const publicKeys = keys.map(([, text]) => createPublicKey(createPrivateKey(text)).export({ type: 'spki', format: 'pem' }));
    expect(new Set(publicKeys).size).toBe(6);
    const serials = AUTHORITIES.map(({ id }) => readAuthority(made, id).certificate.serialNumber);
    expect(new Set(serials).size).toBe(5);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  test('a name too long for a certificate is cut, and still its own', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 63 });
    fc.assert(
      fc.property(name, name, name, name, (first, namespace, second, other) => {
        const one = authorityCommonName({ name: first, namespace }, 'request-header-ca');
        const two = authorityCommonName({ name: second, namespace: other }, 'request-header-ca');
        expect(one.length).toBeLessThanOrEqual(64);
        expect(one === two).toBe(first === second && namespace === other);
      }),
    );
  });

  test('an authority that ends after 2049 is written as RFC 5280 has it', async () => {
    const late = await makeAuthorities(TENANT, Date.UTC(2045, 0, 1));
    expect(openssl(['asn1parse', '-in', '{ca}'], { ca: late['client-ca.crt'] ?? '' }).said).toMatch(
      /UTCTIME\s+:441231235500Z\n.*GENERALIZEDTIME\s+:20541230000000Z/,
    );
  });
});

describe('what is wrong with authorities is named, and no key told', () => {
  test.each(AUTHORITY_FILES)('$file is missing', ({ file, secretKey }) => {
    expect(authorityProblems(without(secretKey))).toEqual([`${file} is missing`]);
  });

  test('a key of another authority, a text that is none, a curve that is not ours', () => {
    const other = made['server-ca.key'] ?? '';
    expect(authorityProblems({ ...made, 'client-ca.key': other })).toEqual(['client-ca.key is not the key of client-ca.crt']);
    expect(authorityProblems({ ...made, 'etcd.peer-ca.key': 'kaputt' })).toEqual(['etcd/peer-ca.key is no private key in PEM']);
    expect(authorityProblems({ ...made, 'client-ca.crt': 'kaputt' })).toEqual(['client-ca.crt is no certificate in PEM']);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    expect(authorityProblems({ ...made, 'client-ca.key': rsa })).toEqual(['client-ca.key is no key of the curve P-256']);
  });

  test('the digest is of the certificates, and of no key', async () => {
    const one = publicDigest(made);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(publicDigest({ ...made, 'service.key': 'another' })).toBe(one);
    const others = await makeAuthorities(TENANT, NOW);
    for (const { certificateFile } of AUTHORITIES) {
      const key = certificateFile.replace('/', '.');
      expect(publicDigest({ ...made, [key]: others[key] ?? '' })).not.toBe(one);
    }
  });

  test('a certificate is told by its subject and its ends', () => {
    expect(certificatesOf('')).toEqual([]);
    expect(certificatesOf('-----BEGIN CERTIFICATE-----\nkaputt\n-----END CERTIFICATE-----')).toEqual([]);
    const chain = `${made['client-ca.crt']}${made['server-ca.crt']}`;
    expect(certificatesOf(chain).map(({ subject }) => subject)).toEqual(['CN=client-ca platform/shop', 'CN=server-ca platform/shop']);
    expect(new X509Certificate(made['client-ca.crt'] ?? '').ca).toBe(true);
  });
});
