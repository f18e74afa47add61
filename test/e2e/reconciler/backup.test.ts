import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringAt } from '../../../src/core/kube/json.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { k3sImageName } from '../../bed/k3s-image.ts';
import { type Postgres, startPostgres } from '../../bed/postgres.ts';
import { eventually } from '../delivery/eventually.ts';
import { scratch } from '../workspace.ts';
import { operationsPage } from './operations-page.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost, VERSIONS } from './tenant-host.ts';

let host: TenantHost;
let database: Postgres | undefined;
beforeAll(async () => {
  // a test has no time to build it
  await buildTool('etcdctl');
  host = await startTenantHost();
});
afterAll(async () => {
  await host?.stop();
  await database?.stop();
});

const place = (name: string): string => `cp-x-${name}-x-team-${name}`;

/** A tenant, with what is done to it; the kubeconfig that people had before it was deleted is used after it was restored. */
function tenantOf(name: string, spec: string) {
  const folder = scratch();
  const old = join(folder, 'old.yaml');
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false'] });
  const phase = async (): Promise<string | undefined> => stringAt(await host.get('tenantcluster', name, `team-${name}`), 'status', 'phase');
  const kubectl = async (...args: readonly string[]) => {
    const pod = await host.get('pod', 'control-plane-0', place(name));
    return host.cluster.kubectl([`--server=https://${stringAt(pod, 'status', 'podIP')}:6443`, ...args], { as: old });
  };
  const commit = () => host.commit(name, spec);
  const ready = () => eventually(phase, (seen) => seen === 'Ready', 180);
  return {
    folder,
    kubectl,
    commit,
    ready,
    hold: async (): Promise<void> => {
      await ready();
      writeFileSync(old, Buffer.from(stringAt(await host.get('secret', 'kubeconfig', place(name)), 'data', 'value') ?? '', 'base64'));
      expect((await kubectl('create', 'configmap', 'kept', '--from-literal=a=b')).stderr).toBe('');
    },
    /** It has what it had when it was saved, and nothing of what came later. */
    restored: async (): Promise<void> => {
      expect((await kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}')).stdout).toBe('b');
      expect((await kubectl('get', 'configmap', 'later')).stderr).toContain('"later" not found');
    },
    delete: () => host.kubectl(['delete', 'tenantcluster', '-n', `team-${name}`, name, '--timeout=120s']),
  };
}

const LIMIT = { timeout: 600_000 };

describe('by the commands of docs/operations.md', () => {
  test('a tenant on sqlite is saved, deleted, and restored into a new one', LIMIT, async () => {
    const tenant = tenantOf('dev', '  kubernetesVersion: "1.34"\n');
    const page = operationsPage(host, 'dev', tenant.folder, { IMAGE: k3sImageName(VERSIONS[0]) });
    await tenant.commit();
    await tenant.hold();
    await page.run('save-secrets', 'stop', 'volumes', 'save', 'start');
    expect(statSync(join(tenant.folder, 'backup')).mode & 0o777).toBe(0o700);
    expect((await tenant.kubectl('create', 'configmap', 'later')).stderr).toBe('');

    await tenant.delete();
    expect(await host.list('persistentvolumeclaims', place('dev'))).toEqual([]);
    await page.run('restore-secrets');
    await tenant.commit();
    await tenant.ready();
    // the authorities are the old ones already, the datastore is new
    expect((await tenant.kubectl('get', 'configmap', 'kept')).stderr).toContain('"kept" not found');

    await page.run('stop', 'volumes', 'restore', 'start');
    await tenant.restored();
  });

  test('a tenant on etcd is saved as it runs, deleted, and restored into a new one', { ...LIMIT, tags: 'release' }, async () => {
    const tenant = tenantOf('one', '  kubernetesVersion: "1.34"\n  controlPlane: {datastore: {type: etcd}}\n');
    const page = operationsPage(host, 'one', tenant.folder, { IMAGE: k3sImageName(VERSIONS[0]) });
    await tenant.commit();
    await tenant.hold();
    expect((await tenant.kubectl('create', 'secret', 'generic', 'sealed', '--from-literal=a=b')).stderr).toBe('');
    await page.run('save-secrets', 'save-snapshot');
    expect((await tenant.kubectl('create', 'configmap', 'later')).stderr).toBe('');

    await tenant.delete();
    await page.run('restore-secrets');
    await tenant.commit();
    await tenant.ready();
    expect((await tenant.kubectl('get', 'configmap', 'kept')).stderr).toContain('"kept" not found');

    await page.run('stop', 'volumes', 'restore-snapshot', 'start');
    await tenant.restored();
    // encrypted by a key that the new control plane had not
    expect((await tenant.kubectl('get', 'secret', 'sealed', '-o', 'jsonpath={.data.a}')).stdout).toBe('Yg==');
  });

  test('a tenant on PostgreSQL is saved as it runs, deleted, and restored into a new one on an empty database', {
    ...LIMIT,
    tags: 'release',
  }, async () => {
    const { gateway } = host.cluster.node();
    database = await startPostgres(gateway);
    const egress = `egress: {cidrs: [${gateway}/32], port: ${new URL(database.url).port}}`;
    const tenant = tenantOf(
      'db',
      `  kubernetesVersion: "1.34"\n  controlPlane: {datastore: {type: postgres, secretRef: {name: database}, ${egress}}}\n`,
    );
    const page = operationsPage(host, 'db', tenant.folder, { DATABASE: database.url });
    await tenant.commit();
    await host.kubectl(['create', 'secret', 'generic', 'database', '-n', place('db'), `--from-literal=endpoint=${database.url}`]);
    await tenant.hold();
    await page.run('save-secrets', 'save-database');
    expect((await tenant.kubectl('create', 'configmap', 'later')).stderr).toBe('');

    await tenant.delete();
    sql(database.url, 'DROP DATABASE kubernetes', 'CREATE DATABASE kubernetes');
    await page.run('restore-secrets', 'restore-database');
    await tenant.commit();
    await tenant.ready();
    await tenant.restored();
  });
});

/** As the database's owner, on another database than the one that goes. */
function sql(url: string, ...commands: readonly string[]): void {
  const other = new URL(url);
  other.pathname = '/postgres';
  const { status, stderr } = spawnSync('psql', [other.href, '-v', 'ON_ERROR_STOP=1', ...commands.flatMap((each) => ['-c', each])], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
}
