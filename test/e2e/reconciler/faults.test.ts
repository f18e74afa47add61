import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { at, type JsonObject, objectAt, stringAt } from '../../../src/core/kube/json.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';
import { condition, phase, type TenantLook, tenantLook } from './tenant-look.ts';

// a control plane takes half a minute to start on a machine that others work on
vi.setConfig({ testTimeout: 300_000 });

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(() => host?.stop());

const VERSION = '  kubernetesVersion: "1.34"\n';
const PLANTED = 'planted by hand';

function reconciler(): void {
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false', '--log-level=info'] });
}

const annotate = (tenant: TenantLook, name: string, ...annotations: readonly string[]): Promise<string> =>
  host.kubectl(['annotate', 'tenantcluster', name, '-n', tenant.namespace, '--overwrite', ...annotations]);
const remove = (tenant: TenantLook, name: string, ...flags: readonly string[]): Promise<string> =>
  host.kubectl(['delete', 'tenantcluster', name, '-n', tenant.namespace, ...flags]);
const gone = (tenant: TenantLook): Promise<unknown> => tenant.until((object) => object === undefined, 90);

/** An object that says of itself that it is the tenant's, and that somebody made. */
function plant(tenant: TenantLook, name: string, kind: string, as: string, content: JsonObject): Promise<string> {
  const metadata = {
    name: as,
    namespace: tenant.place,
    labels: { 'app.kubernetes.io/managed-by': 'tenantplane' },
    annotations: { 'tenantplane.io/tenant-cluster': `${tenant.namespace}/${name}` },
  };
  return host.kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind, metadata, ...content }));
}

describe('what somebody left under a control plane’s names', () => {
  test('authorities that are none are told of by their files, never by what they hold, and go with the tenant', async () => {
    const tenant = tenantLook(host, 'garbage');
    await host.commit('garbage', VERSION);
    const data = { 'server-ca.crt': PLANTED };
    await plant(tenant, 'garbage', 'Secret', 'control-plane-authorities', { stringData: data, immutable: true });
    reconciler();
    const broken = await tenant.shows('Stalled', 'AuthoritiesBroken');
    expect(broken['message']).toContain('Secret control-plane-authorities cannot be used: server-ca.key is missing');
    expect(JSON.stringify(await tenant.object())).not.toContain(PLANTED);
    expect(await tenant.events()).toContain('AuthoritiesBroken');
    await remove(tenant, 'garbage', '--timeout=60s');
    expect(await tenant.names('secrets')).toEqual([]);
  });

  test('an object that can never become the one that is needed is named before anything is tried, and made anew once it is gone', {
    tags: 'release',
  }, async () => {
    const tenant = tenantLook(host, 'fixed');
    await host.commit('fixed', VERSION);
    await plant(tenant, 'fixed', 'ConfigMap', 'control-plane-config', { data: { a: 'b' }, immutable: true });
    await plant(tenant, 'fixed', 'Service', 'fixed-control-plane', { spec: { ports: [{ port: 80 }] } });
    reconciler();
    const fixed = await tenant.shows('Stalled', 'ObjectFixed');
    expect(fixed['message']).toContain('Service fixed-control-plane has a cluster address');
    expect(fixed['message']).toContain('ConfigMap control-plane-config is immutable');
    expect(await tenant.get('statefulset', 'control-plane')).toBeUndefined();
    await host.kubectl(['delete', 'configmap/control-plane-config', 'service/fixed-control-plane', '-n', tenant.place]);
    await tenant.ready();

    await host.kubectl(['patch', 'secret', 'kubeconfig', '-n', tenant.place, '-p', '{"immutable":true}']);
    await host.kubectl(['annotate', 'secret', 'kubeconfig', '-n', tenant.place, '--overwrite', 'tenantplane.io/server=https://other']);
    await tenant.request();
    expect((await tenant.shows('Stalled', 'ObjectFixed', 30))['message']).toContain('Secret kubeconfig is immutable');
    await host.kubectl(['delete', 'secret', 'kubeconfig', '-n', tenant.place]);
    await tenant.ready(30);
    expect(at(await tenant.get('secret', 'kubeconfig'), 'immutable')).toBeUndefined();
  });
});

describe('a tenant that is deleted', { tags: 'release' }, () => {
  test('while it is paused keeps all that it has, answers whoever asks for a pass, and goes once the pause ends', async () => {
    reconciler();
    const tenant = tenantLook(host, 'fixed');
    await tenant.ready();
    const pod = stringAt(await tenant.get('pod', 'control-plane-0'), 'metadata', 'uid');
    await annotate(tenant, 'fixed', 'tenantplane.io/paused=true');
    await remove(tenant, 'fixed', '--wait=false');
    const held = await tenant.shows('Paused', 'DeletionHeld');
    expect(held['message']).toContain('nothing is taken down until that annotation is removed');
    await tenant.request();
    const asked = stringAt(objectAt(await tenant.object(), 'metadata', 'annotations'), 'tenantplane.io/reconcile-requested-at');
    await tenant.until((object) => stringAt(object, 'status', 'lastHandledReconcileAt') === asked, 20);
    expect(stringAt(await tenant.get('pod', 'control-plane-0'), 'metadata', 'uid')).toBe(pod);
    expect(await tenant.names('secrets')).toContain('control-plane-authorities');
  });

  test('after the reconciler’s Role went says which, where, and what to do; and goes once that is back', async () => {
    reconciler();
    const tenant = tenantLook(host, 'fixed');
    await host.kubectl(['delete', 'role,rolebinding', 'tenantplane-reconciler', '-n', tenant.place]);
    await annotate(tenant, 'fixed', 'tenantplane.io/paused-');
    const missing = await tenant.shows('Stalled', 'AccessMissing');
    const both = 'Role tenantplane-reconciler and RoleBinding tenantplane-reconciler are not there';
    expect(missing['message']).toContain(`In ${tenant.place}, ${both}`);
    expect(missing['message']).toContain('Apply them again');
    expect(condition(await tenant.object(), 'Ready')).toMatchObject({ status: 'False', reason: 'AccessMissing' });
    expect(phase(await tenant.object())).toBe('Degraded');
    expect(await tenant.get('statefulset', 'control-plane')).toBeDefined();
    await host.commit('fixed', VERSION, (file) => file.includes('/role'));
    await gone(tenant);
    expect(await tenant.names('secrets')).toEqual([]);
    expect(await tenant.names('persistentvolumeclaims')).toEqual([]);
  });
});
