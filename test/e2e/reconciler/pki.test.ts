import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TENANT_IDENTITIES, type TenantIdentity } from '../../../src/core/controlplane/tenant-access.ts';
import { type Clock, SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { type Connection, fixedCredentials } from '../../../src/kube/connection/connection.ts';
import type { Failure } from '../../../src/kube/failure.ts';
import type { Transport } from '../../../src/kube/transport/transport.ts';
import { certificatesOf } from '../../../src/reconciler/pki/certificates-of.ts';
import { grantAccess } from '../../../src/reconciler/pki/grant-access.ts';
import { type Authorities, makeAuthorities } from '../../../src/reconciler/pki/make-authorities.ts';
import { mintClient } from '../../../src/reconciler/pki/mint-client.ts';
import { authorityCertificate } from '../../../src/reconciler/pki/read-authorities.ts';
import { tenantConnection } from '../../../src/reconciler/pki/tenant-connection.ts';
import type { TenantRole } from '../../../src/reconciler/pki/tenant-credentials.ts';
import { tenantKubeconfig } from '../../../src/reconciler/pki/tenant-kubeconfig.ts';
import { type Cluster, type Ran, startCluster } from '../../bed/cluster.ts';
import { type Etcd, startEtcd } from '../../bed/etcd.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';
import { asTenantServer } from '../../support/tenant-server.ts';
import { clientOf, valueIn } from '../kube/cluster-connection.ts';

const NEVER = new AbortController().signal;
/** RBAC is read from a cache. */
const LATER = { timeout: 20_000 };
const HOUR = 3_600_000;
const READY = { path: '/readyz', signal: NEVER };

interface Tenant {
  readonly authorities: Authorities;
  readonly serverName: string;
  readonly cluster: Cluster;
}

let etcd: Etcd;
let shop: Tenant;
let blog: Tenant;
beforeAll(async () => {
  etcd = await startEtcd();
  [shop, blog] = await Promise.all([startTenant('shop'), startTenant('blog')]);
});
afterAll(async () => {
  await shop.cluster.stop();
  await blog.cluster.stop();
  await etcd.stop();
});

async function startTenant(name: string): Promise<Tenant> {
  const authorities = await makeAuthorities({ name, namespace: 'platform' }, Date.now());
  const serverName = `${name}-control-plane.cp-x-${name}-x-platform.svc.cluster.local`;
  return { authorities, serverName, cluster: await startCluster({ etcd, credentials: asTenantServer(authorities, serverName) }) };
}

function connectionTo(
  { authorities, serverName, cluster }: Tenant,
  as: TenantRole = 'reconciler',
  clock: Clock = SYSTEM_CLOCK,
): Connection {
  const { hostname, port } = new URL(cluster.url);
  return tenantConnection({ podIP: hostname, port: Number(port), serverName, authorities, clock, as });
}

/** With a certificate that is signed by one tenant's authority, to another's server or its own. */
async function asking(tenant: Tenant, by: Authorities, from: number = Date.now()): Promise<Transport> {
  const minted = await mintClient(by, TENANT_IDENTITIES.bootstrap, { from, hours: 1 });
  return clientOf({ ...connectionTo(tenant), credentials: fixedCredentials(minted) });
}

async function failureOf(transport: Transport): Promise<Failure> {
  const answer = await transport.send(READY);
  if (!('failure' in answer)) throw new Error('it went through');
  return answer.failure;
}

/** kubectl with a kubeconfig of ours. */
async function kubectl(tenant: Tenant, who: TenantIdentity, args: readonly string[], serverName?: string): Promise<Ran> {
  const { authorities, cluster } = tenant;
  const minted = await mintClient(authorities, who, { from: Date.now(), hours: 1 });
  const authority = authorityCertificate(authorities, 'server-ca');
  const text = tenantKubeconfig({
    server: cluster.url,
    authority,
    ...minted,
    cluster: 'it',
    ...(serverName !== undefined && { serverName }),
  });
  const path = join(cluster.folder, 'people.yaml');
  writeFileSync(path, text, { mode: 0o600 });
  return cluster.kubectl(args, { as: path });
}

describe('a real API server that is known by our authorities', () => {
  test('lets the reconciler in, by the address of a pod and the name of its Service', async () => {
    expect(valueIn(await clientOf(connectionTo(shop)).send(READY)).text).toBe('ok');
  });

  test('is taken for nobody else: another name, another tenant’s authority', async () => {
    const named = clientOf({ ...connectionTo(shop), serverName: blog.serverName });
    expect(await failureOf(named)).toMatchObject({ kind: 'certificate', whose: 'server', problem: 'wrong-name' });
    const trusting = clientOf({ ...connectionTo(shop), authority: authorityCertificate(blog.authorities, 'server-ca') });
    expect(await failureOf(trusting)).toMatchObject({ kind: 'certificate', whose: 'server', problem: 'untrusted' });
  });

  test('takes no client of another tenant, though it says that it is in system:masters', async () => {
    for (const [tenant, other] of [
      [shop, blog],
      [blog, shop],
    ] as const) {
      expect(await failureOf(await asking(tenant, other.authorities))).toMatchObject({ kind: 'status', code: 401 });
      expect(valueIn(await (await asking(tenant, tenant.authorities)).send(READY)).text).toBe('ok');
    }
  });

  test('takes no client that another of the tenant’s own authorities signed', async () => {
    const { authorities } = shop;
    const swapped = {
      ...authorities,
      'client-ca.crt': authorities['server-ca.crt'] ?? '',
      'client-ca.key': authorities['server-ca.key'] ?? '',
    };
    expect(await failureOf(await asking(shop, swapped))).toMatchObject({ kind: 'status', code: 401 });
  });

  test('takes no certificate that has ended, and the failure says that it has', async () => {
    const ended = await asking(shop, shop.authorities, Date.now() - HOUR);
    expect(await failureOf(ended)).toMatchObject({ kind: 'certificate', whose: 'client', problem: 'expired' });
  });

  test('signs tokens with our key', async () => {
    const token = await kubectl(shop, TENANT_IDENTITIES.bootstrap, ['create', 'token', 'default', '--duration=10m']);
    // nobody has made the ServiceAccount: no controller runs
    expect(token.stderr).toContain('serviceaccounts "default" not found');
    await kubectl(shop, TENANT_IDENTITIES.bootstrap, ['create', 'serviceaccount', 'default']);
    const made = await kubectl(shop, TENANT_IDENTITIES.bootstrap, ['create', 'token', 'default', '--duration=10m']);
    const [header = ''] = made.stdout.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'ES256' });
    const bearer = clientOf({ ...connectionTo(shop), credentials: fixedCredentials({ token: made.stdout.trim() }) });
    expect(valueIn(await bearer.send(READY)).text).toBe('ok');
  });
});

describe('who may do what in a tenant', () => {
  test('people get in with the kubeconfig, under the server’s name as well, once rights were given; and not once they are taken away', async () => {
    const bootstrap = { transport: clientOf(connectionTo(shop, 'bootstrap')), signal: NEVER };
    const admin = (serverName?: string): Promise<Ran> =>
      kubectl(shop, TENANT_IDENTITIES.admin, ['get', 'namespaces', '-o', 'name'], serverName);
    expect((await admin()).stderr).toContain('User "tenantplane:admin" cannot list resource "namespaces"');

    valueIn(await grantAccess(bootstrap));
    await expect.poll(async () => (await admin()).stdout, LATER).toContain('namespace/default');
    expect((await admin(shop.serverName)).stdout).toContain('namespace/default');
    // a second time changes nothing
    valueIn(await grantAccess(bootstrap));

    expect((await admin(blog.serverName)).stderr).toContain('certificate is valid for');
    await kubectl(shop, TENANT_IDENTITIES.admin, ['delete', 'clusterrolebinding', 'tenantplane:admins']);
    await expect.poll(async () => (await admin()).stderr, LATER).toContain('cannot list resource "namespaces"');
    valueIn(await grantAccess(bootstrap));
  });

  test('the reconciler may see how the server is, and nothing else', async () => {
    valueIn(await grantAccess({ transport: clientOf(connectionTo(blog, 'bootstrap')), signal: NEVER }));
    const can = async (who: TenantIdentity, ...args: string[]): Promise<string> =>
      (await kubectl(blog, who, ['auth', 'can-i', ...args])).stdout.trim();
    const { reconciler, bootstrap } = TENANT_IDENTITIES;
    await expect.poll(() => can(reconciler, 'get', '/readyz/etcd'), LATER).toBe('yes');
    expect(await can(reconciler, 'get', '/version')).toBe('yes');
    for (const more of [
      ['list', 'secrets', '-A'],
      ['get', 'clusterrolebinding/tenantplane:admins'],
      ['impersonate', 'users'],
    ]) {
      expect([more, await can(reconciler, ...more)]).toEqual([more, 'no']);
      expect([more, await can(bootstrap, ...more)]).toEqual([more, 'yes']);
    }
  });
});

describe('the reconciler’s certificate', () => {
  /** A client whose clock is some hours behind the server's. */
  function behind(hours: number): { clock: ManualClock; connection: Connection; client: Transport } {
    const clock = manualClock(Date.now() - hours * HOUR);
    const connection = connectionTo(shop, 'reconciler', clock);
    return { clock, connection, client: clientOf(connection) };
  }

  test('is another long before the first has ended, and the same client goes on', async () => {
    const { clock, connection, client } = behind(23);
    expect(valueIn(await client.send(READY)).text).toBe('ok');
    const first = await connection.credentials.current(NEVER);
    await clock.advance(16 * HOUR);
    expect(valueIn(await client.send(READY)).text).toBe('ok');
    const second = await connection.credentials.current(NEVER);
    const [one, two] = [first, second].map(({ certificate = '' }) => certificatesOf(certificate)[0]);
    expect((two?.notAfter ?? 0) - (one?.notAfter ?? 0)).toBe(16 * HOUR);
  });

  test('is another when the server refuses it, within the same request', async () => {
    const { clock, connection, client } = behind(25);
    expect(await failureOf(client)).toMatchObject({ kind: 'certificate', whose: 'client', problem: 'expired' });
    const first = await connection.credentials.current(NEVER);
    await clock.advance(2 * HOUR);
    expect(await connection.credentials.current(NEVER)).toBe(first);
    expect(valueIn(await client.send(READY)).text).toBe('ok');
    expect(await connection.credentials.current(NEVER)).not.toBe(first);
  });
});
