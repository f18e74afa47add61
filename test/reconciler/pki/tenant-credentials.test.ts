import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { CredentialsError } from '../../../src/kube/connection/connection.ts';
import { type Authorities, makeAuthorities } from '../../../src/reconciler/pki/make-authorities.ts';
import { tenantConnection } from '../../../src/reconciler/pki/tenant-connection.ts';
import { tenantCredentials } from '../../../src/reconciler/pki/tenant-credentials.ts';
import { manualClock } from '../../support/manual-clock.ts';

const START = Date.UTC(2026, 10, 30, 12);
const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

let authorities: Authorities;
beforeAll(async () => {
  authorities = await makeAuthorities({ name: 'shop', namespace: 'platform' }, START);
});

describe('the reconciler’s certificate for a tenant', () => {
  test('is one for many requests, of a limited user, and ends within a day', async () => {
    const source = tenantCredentials({ authorities, clock: manualClock(START) });
    const given = await Promise.all(Array.from({ length: 5 }, () => source.current(NEVER)));
    expect(new Set(given.map(({ certificate }) => certificate)).size).toBe(1);
    const { subject, validTo } = new X509Certificate(given[0]?.certificate ?? '');
    expect(subject).toBe('CN=tenantplane:reconciler');
    expect(Date.parse(validTo)).toBe(START + 24 * HOUR);
  });

  test('the one that may give rights ends within a quarter of an hour', async () => {
    const { certificate } = await tenantCredentials({ authorities, clock: manualClock(START), as: 'bootstrap' }).current(NEVER);
    const { subject, validTo } = new X509Certificate(certificate ?? '');
    expect(subject).toBe('O=system:masters\nCN=tenantplane:bootstrap');
    expect(Date.parse(validTo)).toBe(START + HOUR / 4);
  });

  test('is made anew two thirds into its life, and not before', async () => {
    const clock = manualClock(START);
    const source = tenantCredentials({ authorities, clock });
    const first = await source.current(NEVER);
    await clock.advance(15.9 * HOUR);
    expect(await source.current(NEVER)).toBe(first);
    await clock.advance(0.1 * HOUR);
    const second = await source.current(NEVER);
    expect(second.certificate).not.toBe(first.certificate);
    expect(second.key).not.toBe(first.key);
  });

  test('is made anew when it is refused, but not over and over', async () => {
    const clock = manualClock(START);
    const source = tenantCredentials({ authorities, clock });
    const first = await source.current(NEVER);
    expect(source.refused(first)).toBe(false);
    expect(await source.current(NEVER)).toBe(first);
    await clock.advance(60_000);
    expect(source.refused(first)).toBe(true);
    const second = await source.current(NEVER);
    expect(second.certificate).not.toBe(first.certificate);
    // a request that went out with the first one
    expect(source.refused(first)).toBe(true);
    expect(await source.current(NEVER)).toBe(second);
  });

  test('authorities that cannot sign are a failure of credentials, which names the file', async () => {
    const source = tenantCredentials({ authorities: { ...authorities, 'client-ca.key': 'kaputt' }, clock: manualClock(START) });
    const error = await source.current(NEVER).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CredentialsError);
    expect(String(error)).toContain('client-ca.key is no private key in PEM');
  });

  test('the address of an IPv6 pod has brackets', () => {
    const options = { serverName: 'shop', authorities, clock: manualClock(START) };
    expect(tenantConnection({ podIP: '10.0.0.7', ...options }).server).toBe('https://10.0.0.7:6443');
    expect(tenantConnection({ podIP: 'fd00::7', ...options }).server).toBe('https://[fd00::7]:6443');
  });
});
