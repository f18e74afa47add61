import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ReportKind } from '../../../src/report/schemas/report-kinds.ts';
import { reportSchema } from '../../../src/report/schemas/report-schemas.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { importK3sImage, k3sImageName } from '../../bed/k3s-image.ts';
import { ROOT } from '../workspace.ts';
import { VERSIONS } from './tenant-host.ts';

// a control plane takes half a minute to start on a machine that others work on
vi.setConfig({ testTimeout: 300_000 });

const PATH = 'examples/first-tenant';
const DEV = 'team-dev/dev';

const folder: string = mkdtempSync(join(tmpdir(), 'tenantplane-down-'));
const releases: string = join(folder, 'releases.yaml');

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ kubelet: true });
  await importK3sImage(cluster, VERSIONS);
  writeFileSync(releases, VERSIONS.map((version) => `- {version: ${version}, image: '${k3sImageName(version)}'}\n`).join(''));
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Not synchronously: the host is looked after by this very process. */
async function tenantplane(...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/tenantplane.mjs'), ...args, '--kubeconfig', cluster.kubeconfig], { cwd: ROOT });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** A report, held to its schema. */
function report<T>({ out, err }: Ran, kind: ReportKind): T {
  expect(out, err).not.toBe('');
  const document = JSON.parse(out) as T & object;
  expect(new Validator(reportSchema(kind) as object, '2020-12', false).validate(document).errors).toEqual([]);
  return document;
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await cluster.kubectl([...args]);
  expect(status, `kubectl ${args.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

const namespaces = async (): Promise<readonly string[]> =>
  (await kubectl('get', 'namespaces', '-o', 'name')).split('\n').filter((name) => /team-dev|tenantplane/.test(name));

const down = (...args: readonly string[]): Promise<Ran> => tenantplane('down', '--releases', releases, '--timeout', '90s', ...args);

test('up answers programs once its tenants are ready, and kubeconfig with where it wrote', async () => {
  const up = await tenantplane('up', PATH, '--releases', releases, '--timeout', '4m', '--until-ready', '-o', 'json');
  expect(up.code, up.err).toBe(0);
  const { tenants, leader } = report<{ tenants: { tenant: string; ready: boolean; phase: string }[]; leader: unknown }>(up, 'UpReport');
  expect(tenants).toMatchObject([{ tenant: DEV, ready: true, phase: 'Ready', reason: 'Succeeded' }]);
  expect(leader).toBeNull();
  const file = join(folder, 'dev.yaml');
  const written = report<{ file: string; ready: boolean }>(
    await tenantplane('kubeconfig', DEV, '-o', 'json', '--output-file', file),
    'KubeconfigReport',
  );
  expect(written).toMatchObject({ file, ready: true });
  expect(readFileSync(file, 'utf8')).toContain('client-key-data');
});

test('a dry run says what would go, in order, and changes nothing', async () => {
  const versions = (): Promise<string> =>
    kubectl('get', 'tenantclusters,deployments,networkpolicies,statefulsets', '-A', '-o', 'jsonpath={.items[*].metadata.uid}');
  const before = await versions();
  const { code, out } = await down(DEV, '--dry-run');
  expect(code).toBe(0);
  const order = ['- TenantCluster team-dev/dev', '- Deployment team-dev/', '- Namespace team-dev\n', '- FlowSchema tenantplane-team-dev'];
  const places = order.map((line) => out.indexOf(line));
  expect(places, out).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBe(0);
  expect(out).toContain('- Namespace cp-x-dev-x-team-dev\n');
  expect(out).not.toContain('StatefulSet');
  expect(await versions()).toBe(before);
});

test('one that is paused is waited for, and said to be', { tags: 'release' }, async () => {
  await kubectl('annotate', 'tenantcluster', '-n', 'team-dev', 'dev', 'tenantplane.io/paused=true');
  const late = await down(DEV, '--timeout', '15s');
  expect(late.code, late.err).toBe(1);
  expect(late.err).toContain('team-dev/dev  DeletionHeld: ');
  expect(late.err).toContain('not gone after 15 s: team-dev/dev\n');
  expect(late.err).toContain('try: Remove the annotation');
  expect(await namespaces()).toContain('namespace/team-dev');
  await kubectl('annotate', 'tenantcluster', '-n', 'team-dev', 'dev', 'tenantplane.io/paused-');
});

test('its control plane goes first, and a namespace with anything of somebody else stays', async () => {
  await kubectl('create', 'configmap', 'theirs', '-n', 'team-dev');
  const gone = await down(DEV, '-o', 'json');
  expect(gone.code, gone.err).toBe(0);
  const told = report<{ tenants: object[]; deleted: { kind: string; name: string }[]; kept: object[] }>(gone, 'DownReport');
  expect(told.tenants).toEqual([{ tenant: DEV, gone: true }]);
  expect(told.deleted.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'Namespace', 'FlowSchema']));
  expect(told.kept).toMatchObject([{ kind: 'Namespace', name: 'team-dev', why: 'holds what is not tenantplane’s: ConfigMap theirs' }]);
  expect(gone.err.indexOf('its control plane is gone')).toBeLessThan(gone.err.indexOf('deleted what ran and served'));
  expect(gone.err).toContain('kubectl delete namespace/team-dev deletes it');
  expect(await namespaces()).toEqual(['namespace/team-dev', 'namespace/tenantplane-system']);
  expect(await kubectl('get', 'deployments', '-n', 'team-dev', '-o', 'name')).toBe('');
  // nothing that might yet run there stands open
  expect(await kubectl('get', 'networkpolicies', '-n', 'team-dev', '-o', 'name')).toContain('tenantplane-default-deny');
});

test('everything: what is left, what tenants share, the reconciler, the definitions', async () => {
  const kept = await down('--everything');
  expect(kept.code, kept.err).toBe(0);
  expect(kept.err).toContain('What tenants share, the reconciler and the definitions stay as long as a Namespace does.');
  await kubectl('delete', 'configmap', 'theirs', '-n', 'team-dev');
  const gone = await down('--everything');
  expect(gone.code, gone.err).toBe(0);
  expect(await namespaces()).toEqual([]);
  const kinds = 'crd,validatingadmissionpolicies,validatingadmissionpolicybindings,flowschemas,prioritylevelconfigurations,clusterroles';
  expect((await kubectl('get', kinds, '-o', 'name')).split('\n').filter((name) => name.includes('tenantplane'))).toEqual([]);
  const again = await down('--everything');
  expect(again.code, again.err).toBe(0);
  expect(again.out).toBe('');
});
