import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TENANT_IDENTITIES } from '../../src/core/controlplane/tenant-access.ts';
import { controlPlaneNamespace } from '../../src/core/isolation/control-plane-namespace.ts';
import { SYSTEM_CLOCK } from '../../src/kube/clock.ts';
import type { Connection } from '../../src/kube/connection/connection.ts';
import { grantAccess } from '../../src/reconciler/pki/grant-access.ts';
import { makeAuthorities } from '../../src/reconciler/pki/make-authorities.ts';
import { mintClient } from '../../src/reconciler/pki/mint-client.ts';
import { tenantConnection } from '../../src/reconciler/pki/tenant-connection.ts';
import { tenantKubeconfig } from '../../src/reconciler/pki/tenant-kubeconfig.ts';
import { type Cluster, startCluster } from '../bed/cluster.ts';
import { type Etcd, startEtcd } from '../bed/etcd.ts';
import { asTenantServer } from '../support/tenant-server.ts';
import { type Host, must, startHost } from './isolation/host.ts';
import { clientOf, valueIn } from './kube/cluster-connection.ts';
import { ok, run, scratch } from './workspace.ts';

/** RBAC is read from a cache. */
const LATER = { timeout: 20_000 };
const PLACE: string = controlPlaneNamespace('shop', 'platform');
const NAME = `shop-control-plane.${PLACE}.svc.cluster.local`;
const TENANT = `
apiVersion: v1
kind: Namespace
metadata: {name: platform}
---
apiVersion: v1
kind: Namespace
metadata: {name: ${PLACE}}
---
apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata: {name: shop, namespace: platform}
spec: {isolationProfileRef: {name: restricted}, syncPolicyRef: {name: default}}
`;

let etcd: Etcd;
let host: Host;
let tenant: Cluster;
let bootstrap: Connection;
beforeAll(async () => {
  etcd = await startEtcd();
  const authorities = await makeAuthorities({ name: 'shop', namespace: 'platform' }, Date.now());
  [host, tenant] = await Promise.all([startHost({ etcd }), startCluster({ etcd, credentials: asTenantServer(authorities, NAME) })]);
  await must(host, ['apply', '--server-side', '-f', '-'], TENANT);
  const minted = await mintClient(authorities, TENANT_IDENTITIES.admin, { from: Date.now(), hours: 1 });
  const authority = authorities['server-ca.crt'] ?? '';
  const text = tenantKubeconfig({ server: `https://${NAME}:6443`, authority, ...minted, cluster: 'shop' });
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kubeconfig', namespace: PLACE }, stringData: { value: text } };
  await must(host, ['create', '-f', '-'], JSON.stringify(secret));
  const { hostname, port } = new URL(tenant.url);
  bootstrap = tenantConnection({
    podIP: hostname,
    port: Number(port),
    serverName: NAME,
    authorities,
    clock: SYSTEM_CLOCK,
    as: 'bootstrap',
  });
});
afterAll(async () => {
  await host.stop();
  await tenant.stop();
  await etcd.stop();
});

const kubeconfig = (...words: readonly string[]): readonly string[] => ['kubeconfig', '--kubeconfig', host.kubeconfig, ...words];

describe('the kubeconfig of a tenant, from a real host', () => {
  test('is what kubectl reaches the tenant with, by another address under the server’s own name', async () => {
    valueIn(await grantAccess({ transport: clientOf(bootstrap), signal: new AbortController().signal }));
    const path = join(scratch(), 'shop.yaml');
    const { stderr } = ok('tenantplane', kubeconfig('shop', '--server', tenant.url, '--output-file', path));
    expect(stderr).toMatch(/^warning: tenant platform\/shop: the reconciler has not looked at it\n/);
    await expect.poll(async () => (await tenant.kubectl(['auth', 'can-i', '*', '*'], { as: path })).stdout, LATER).toBe('yes\n');
    const who = await tenant.kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'], {
      as: path,
    });
    expect(who.stdout).toBe('tenantplane:admin ["tenantplane:admins","system:authenticated"]');
  });

  test('trusts no other server: not the host itself', async () => {
    const path = join(scratch(), 'shop.yaml');
    ok('tenantplane', kubeconfig('shop', '--server', host.url, '--output-file', path));
    const { status, stderr } = await tenant.kubectl(['get', 'namespaces'], { as: path });
    expect(status).toBe(1);
    expect(stderr).toContain(`x509: certificate is valid for localhost, not ${NAME}`);
  });

  test('is not told whoever may not read it, and they are told what to ask for', () => {
    const jane = ['kubeconfig', '--kubeconfig', host.kubeconfigFor('jane')];
    const unnamed = run('tenantplane', [...jane, 'shop']);
    expect([unnamed.status, unnamed.stdout]).toEqual([3, '']);
    expect(unnamed.stderr).toContain('try: Name it as NAMESPACE/NAME');
    const named = run('tenantplane', [...jane, 'platform/shop']);
    expect([named.status, named.stdout]).toEqual([3, '']);
    expect(named.stderr).toMatch(/User "jane" cannot get resource "tenantclusters"[\s\S]*try: Ask for get of tenantclusters/);
  });

  test('of one who may read the tenant, and not the Secret', async () => {
    const role = ['create', 'role', 'reader', '-n', 'platform', '--verb=get', '--resource=tenantclusters.tenantplane.io'];
    await must(host, role);
    await must(host, ['create', 'rolebinding', 'reader', '-n', 'platform', '--role=reader', '--user=mary']);
    const mary = ['kubeconfig', '--kubeconfig', host.kubeconfigFor('mary'), 'platform/shop'];
    await expect
      .poll(() => run('tenantplane', mary).stderr, LATER)
      .toMatch(/User "mary" cannot get resource "secrets"[\s\S]*Ask for get of Secret kubeconfig in/);
    expect(run('tenantplane', mary).stdout).toBe('');
  });

  test('that is not there: a near name, and what keeps it', async () => {
    const near = run('tenantplane', kubeconfig('shpo'));
    expect([near.status, near.stderr]).toEqual([2, expect.stringContaining('Did you mean platform/shop?')]);
    const conditions = [{ type: 'Ready', status: 'False', reason: 'ImagePullFailing', message: 'Image x cannot be pulled.' }];
    const patch = JSON.stringify({ status: { conditions } });
    await must(host, ['patch', 'tenantcluster', 'shop', '-n', 'platform', '--subresource=status', '--type=merge', '-p', patch]);
    await must(host, ['delete', 'secret', 'kubeconfig', '-n', PLACE]);
    const held = run('tenantplane', kubeconfig('shop'));
    expect([held.status, held.stdout]).toEqual([3, '']);
    expect(held.stderr).toContain(
      'Tenant platform/shop has no kubeconfig yet: it is not ready (ImagePullFailing): Image x cannot be pulled.',
    );
  });
});
