import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringAt } from '../../../src/core/kube/json.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { k3sImageName } from '../../bed/k3s-image.ts';
import { blocksOf } from '../../docs/markdown.ts';
import { eventually } from '../delivery/eventually.ts';
import { ROOT } from '../workspace.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost, VERSIONS } from './tenant-host.ts';

const SPEC = '  kubernetesVersion: "1.34"\n';
const BLOCKS = new Map(
  blocksOf(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'))
    .filter(({ language, info }) => language === 'sh' && info !== '')
    .map(({ info, lines }) => [info, lines.join('\n')]),
);

let host: TenantHost;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantplane-backup-'));
  host = await startTenantHost();
});
afterAll(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Blocks of the page as they stand, in one shell. */
async function shell(...names: readonly string[]): Promise<void> {
  const script = ['names', ...names].map((name) => BLOCKS.get(name) ?? expect.fail(`docs/operations.md has no block ${name}`));
  const child = spawn('bash', ['-euxo', 'pipefail', '-c', script.join('\n')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOME: folder,
      KUBECONFIG: host.cluster.kubeconfig,
      PATH: [dirname(await buildTool('kubectl')), process.env['PATH']].join(delimiter),
      IMAGE: k3sImageName(VERSIONS[0]),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, said).toBe(0);
}

const phase = async (): Promise<string | undefined> => stringAt(await host.get('tenantcluster', 'dev', 'team-dev'), 'status', 'phase');
const untilReady = () => eventually(phase, (seen) => seen === 'Ready', 120);

async function onTenant(kubeconfig: string, ...args: readonly string[]) {
  const pod = await host.get('pod', 'control-plane-0', 'cp-x-dev-x-team-dev');
  return host.cluster.kubectl([`--server=https://${stringAt(pod, 'status', 'podIP')}:6443`, ...args], { as: kubeconfig });
}

test('a tenant on sqlite is saved, deleted, and restored into a new one by the commands of docs/operations.md', {
  timeout: 600_000,
}, async () => {
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false'] });
  await host.commit('dev', SPEC);
  await untilReady();
  const secret = await host.get('secret', 'kubeconfig', 'cp-x-dev-x-team-dev');
  const old = join(folder, 'old.yaml');
  writeFileSync(old, Buffer.from(stringAt(secret, 'data', 'value') ?? '', 'base64'));
  expect((await onTenant(old, 'create', 'configmap', 'kept', '--from-literal=a=b')).stderr).toBe('');

  await shell('stop', 'save', 'start');
  expect(statSync(join(folder, 'backup')).mode & 0o777).toBe(0o700);
  expect((await onTenant(old, 'create', 'configmap', 'later')).stderr).toBe('');

  await host.kubectl(['delete', 'tenantcluster', '-n', 'team-dev', 'dev', '--timeout=120s']);
  expect(await host.list('persistentvolumeclaims', 'cp-x-dev-x-team-dev')).toEqual([]);
  await shell('restore-secrets');
  await host.commit('dev', SPEC);
  await untilReady();
  // the authorities are the old ones already, the datastore is new
  expect((await onTenant(old, 'get', 'configmap', 'kept')).stderr).toContain('"kept" not found');

  await shell('stop', 'restore', 'start');
  expect((await onTenant(old, 'get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}')).stdout).toBe('b');
  expect((await onTenant(old, 'get', 'configmap', 'later')).stderr).toContain('"later" not found');
});
