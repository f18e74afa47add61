import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { KUBERNETES_VERSIONS, NEWEST, OLDEST } from '../../bed/kubernetes-version.ts';
import { ROOT, run, scratch } from '../workspace.ts';

// what compiles slowly is then in Go's own cache
beforeAll(async () => {
  for (const version of KUBERNETES_VERSIONS) await buildTool('kube-apiserver', version);
  for (const tool of ['crd', 'etcd'] as const) await buildTool(tool);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const BUILD = ['--import', 'tsx', 'test/bed/bed.ts', 'build'];

test('two runs that build the same tool at once both get it, whole, and leave nothing else', async () => {
  const cache = scratch();
  const runs = [1, 2].map(async () => {
    const child = spawn(process.execPath, [...BUILD, 'crd'], { cwd: ROOT, env: { ...process.env, TENANTPLANE_CACHE: cache } });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    await once(child, 'close');
    return stdout.trim().split(' ')[1] ?? '';
  });
  const [one = '', other] = await Promise.all(runs);
  expect(one).toBe(other);
  expect(run(one, [join(ROOT, 'deploy/crds')])).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(join(cache, basename(join(one, '..')))).sort()).toEqual(['crd', 'lock']);
});

test('without Go it says that Go is missing', () => {
  const bin = join(scratch(), 'bin');
  mkdirSync(bin);
  symlinkSync('/usr/bin/flock', join(bin, 'flock'));
  const cache = scratch();
  const { status, stderr } = run(process.execPath, [...BUILD, 'etcd'], { env: { PATH: bin, TENANTPLANE_CACHE: cache } });
  expect(status).toBe(1);
  expect(stderr).toMatch(/cannot build etcd in test\/bed\/etcd: .*is Go 1\.26 or newer installed\?/);
  expect(readdirSync(cache, { recursive: true }).filter((name) => String(name).includes('building'))).toEqual([]);
});

test('what KUBEBUILDER_ASSETS holds is taken, unless another version of Kubernetes is asked for', async () => {
  const assets = scratch();
  const older = await buildTool('kube-apiserver', OLDEST);
  const newer = await buildTool('kube-apiserver', NEWEST);
  const etcd = await buildTool('etcd');
  symlinkSync(older, join(assets, 'kube-apiserver'));
  vi.stubEnv('KUBEBUILDER_ASSETS', assets);
  const there = join(assets, 'kube-apiserver');
  expect([await buildTool('kube-apiserver'), await buildTool('kube-apiserver', OLDEST)]).toEqual([there, there]);
  expect([await buildTool('kube-apiserver', NEWEST), await buildTool('etcd')]).toEqual([newer, etcd]);
  symlinkSync(etcd, join(assets, 'etcd'));
  expect(await buildTool('etcd')).toBe(join(assets, 'etcd'));
});
