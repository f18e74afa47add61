import { createPrivateKey, X509Certificate } from 'node:crypto';
// before toLegacyObject, which leaves Node's module half loaded for all who come after in this process
import 'node:tls';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTenantKubeconfig } from '../../../src/kube/connection/tenant-kubeconfig.ts';
import { type Authorities, makeAuthorities } from '../../../src/reconciler/pki/make-authorities.ts';
import { mintClient } from '../../../src/reconciler/pki/mint-client.ts';
import { authorityCertificate } from '../../../src/reconciler/pki/read-authorities.ts';
import { tenantKubeconfig } from '../../../src/reconciler/pki/tenant-kubeconfig.ts';
import { openssl } from './pem-files.ts';

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0, 345);
const ADMIN = { user: 'tenantplane:admin', groups: ['tenantplane:admins'] };

let [shop, blog]: [Authorities, Authorities] = [{}, {}];
beforeAll(async () => {
  [shop, blog] = await Promise.all([
    makeAuthorities({ name: 'shop', namespace: 'platform' }, NOW),
    makeAuthorities({ name: 'blog', namespace: 'platform' }, NOW),
  ]);
});

/** At the time of its making: the machine may be years from then. */
function verify(certificate: string, authority: string, at: number = NOW): { status: number; said: string } {
  const args = ['verify', '-x509_strict', '-purpose', 'sslclient', '-attime', `${Math.floor(at / 1000)}`, '-CAfile', '{ca}', '{leaf}'];
  return openssl(args, { ca: authority, leaf: certificate });
}

describe('a client certificate', () => {
  test('is signed for one user of some groups, as a client only', async () => {
    const { certificate, key } = await mintClient(shop, { user: 'anna', groups: ['one', 'two: ü/3'] }, { from: NOW, hours: 1 });
    const said = openssl(['x509', '-in', '{leaf}', '-noout', '-text', '-nameopt', 'utf8,sep_comma_plus'], { leaf: certificate }).said;
    expect(said).toContain('Issuer: CN=client-ca platform/shop');
    expect(said).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
    expect(said).toMatch(/Key Usage: critical\s+Digital Signature\n/);
    expect(said).toMatch(/Extended Key Usage: \s+TLS Web Client Authentication\n/);
    expect(new X509Certificate(certificate).subject).toBe('O=one\nO=two: ü/3\nCN=anna');
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test('is taken by its own authority, and by no other of the tenant’s, nor by another tenant’s', async () => {
    const { certificate } = await mintClient(shop, ADMIN, { from: NOW, hours: 1 });
    expect(verify(certificate, shop['client-ca.crt'] ?? '')).toMatchObject({ status: 0 });
    const others = [blog['client-ca.crt'], shop['server-ca.crt'], shop['request-header-ca.crt'], shop['etcd.server-ca.crt']];
    for (const other of others) expect(verify(certificate, other ?? '').status).not.toBe(0);
  });

  test('is good from five minutes ago until its hours are over', async () => {
    const { certificate, notBefore, notAfter } = await mintClient(shop, ADMIN, { from: NOW, hours: 24 });
    expect([notBefore, notAfter]).toEqual([Date.UTC(2026, 10, 30, 11, 55), Date.UTC(2026, 11, 1, 12)]);
    const { validFrom, validTo } = new X509Certificate(certificate);
    expect([Date.parse(validFrom), Date.parse(validTo)]).toEqual([notBefore, notAfter]);
    const authority = shop['client-ca.crt'] ?? '';
    expect(verify(certificate, authority, notBefore)).toMatchObject({ status: 0 });
    expect(verify(certificate, authority, notAfter - 1000)).toMatchObject({ status: 0 });
    expect(verify(certificate, authority, notBefore - 1000).said).toContain('not yet valid');
    expect(verify(certificate, authority, notAfter).said).toContain('expired');
  });

  test('never outlives its authority, and is not made once that has ended', async () => {
    const last = Date.parse(new X509Certificate(shop['client-ca.crt'] ?? '').validTo);
    const { notAfter } = await mintClient(shop, ADMIN, { from: last - 60_000, hours: 24 });
    expect(notAfter).toBe(last);
    await expect(mintClient(shop, ADMIN, { from: last, hours: 24 })).rejects.toThrow(
      'client-ca.crt has expired (2036-11-27T12:00:00.000Z)',
    );
  });

  test('its numbers are positive and have one length, whatever chance gives', async () => {
    const numbers = await Promise.all(Array.from({ length: 40 }, () => mintClient(shop, ADMIN, { from: NOW, hours: 1 })));
    const serials = numbers.map(({ certificate }) => new X509Certificate(certificate).serialNumber);
    expect(new Set(serials).size).toBe(40);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  test('without its authority there is none, and the error holds no key', async () => {
    const lost = mintClient({ ...shop, 'client-ca.key': shop['server-ca.key'] ?? '' }, ADMIN, { from: NOW, hours: 1 });
    await expect(lost).rejects.toThrow(/^client-ca\.key is not the key of client-ca\.crt$/);
  });

  test('any name is written as it is', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => !/[\\\p{C}"+,;<>]/u.test(text));
    await fc.assert(
      fc.asyncProperty(name, async (user) => {
        const { certificate } = await mintClient(shop, { user, groups: [] }, { from: NOW, hours: 1 });
        // the legacy object is the one that gives a name without escapes
        expect(new X509Certificate(certificate).toLegacyObject().subject).toMatchObject({ CN: user });
      }),
      { numRuns: 40 },
    );
  });
});

describe('a kubeconfig of a tenant', () => {
  test('is one that the reconciler itself takes, under another name of the server where there is one', async () => {
    const minted = await mintClient(shop, ADMIN, { from: NOW, hours: 1 });
    const authority = authorityCertificate(shop, 'server-ca');
    for (const serverName of [undefined, 'shop-control-plane.cp-x-shop.svc.cluster.local']) {
      const server = 'https://[::1]:6443';
      const text = tenantKubeconfig({ server, authority, ...minted, cluster: 'shop', ...(serverName !== undefined && { serverName }) });
      const read = readTenantKubeconfig(load(text) as never);
      if ('refusals' in read) throw new Error(JSON.stringify(read.refusals));
      expect(read.value).toMatchObject({ server, authority, ...(serverName !== undefined && { serverName }) });
      const credentials = await read.value.credentials.current(new AbortController().signal);
      expect(credentials).toEqual({ certificate: minted.certificate, key: minted.key });
    }
  });
});
