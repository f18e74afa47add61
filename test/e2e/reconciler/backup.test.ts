import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringAt } from '../../../src/core/kube/json.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { k3sImageName } from '../../bed/k3s-image.ts';
import { blocksOf } from '../../docs/markdown.ts';
import { eventually } from '../delivery/eventually.ts';
import { ROOT, scratch } from '../workspace.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost, VERSIONS } from './tenant-host.ts';

const BLOCKS = new Map(
  blocksOf(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'))
    .filter(({ language, info }) => language === 'sh' && info !== '')
    .map(({ info, lines }) => [info, lines.join('\n')]),
);

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(() => host?.stop());

function block(name: string): string {
  return BLOCKS.get(name) ?? expect.fail(`docs/operations.md has no block ${name}`);
}

/** A tenant that is ready, with its kubeconfig of now and an object that is to be kept. */
async function startTenant(name: string, spec: string) {
  const [place, folder] = [`cp-x-${name}-x-team-${name}`, scratch()];
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false'] });
  const phase = async (): Promise<string | undefined> => stringAt(await host.get('tenantcluster', name, `team-${name}`), 'status', 'phase');
  const commit = async (): Promise<void> => {
    await host.commit(name, spec);
    await eventually(phase, (seen) => seen === 'Ready', 180);
  };
  await commit();
  const old = join(folder, 'old.yaml');
  writeFileSync(old, Buffer.from(stringAt(await host.get('secret', 'kubeconfig', place), 'data', 'value') ?? '', 'base64'));
  const kubectl = async (...args: readonly string[]) => {
    const pod = await host.get('pod', 'control-plane-0', place);
    return host.cluster.kubectl([`--server=https://${stringAt(pod, 'status', 'podIP')}:6443`, ...args], { as: old });
  };
  expect((await kubectl('create', 'configmap', 'kept', '--from-literal=a=b')).stderr).toBe('');
  return {
    place,
    folder,
    commit,
    kubectl,
    delete: () => host.kubectl(['delete', 'tenantcluster', '-n', `team-${name}`, name, '--timeout=120s']),
    /** blocks of the page as they stand, for this tenant */
    shell: async (...names: readonly string[]): Promise<void> => {
      const whose = `NAME=${name} NS=team-${name} CP=${place}`;
      const child = spawn('bash', ['-euxo', 'pipefail', '-c', [block('names'), whose, ...names.map(block)].join('\n')], {
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
    },
  };
}

const LIMIT = { timeout: 600_000 };

describe('by the commands of docs/operations.md', () => {
  test('a tenant on sqlite is saved, deleted, and restored into a new one', LIMIT, async () => {
    const tenant = await startTenant('dev', '  kubernetesVersion: "1.34"\n');
    await tenant.shell('stop', 'save', 'start');
    expect(statSync(join(tenant.folder, 'backup')).mode & 0o777).toBe(0o700);
    expect((await tenant.kubectl('create', 'configmap', 'later')).stderr).toBe('');

    await tenant.delete();
    expect(await host.list('persistentvolumeclaims', tenant.place)).toEqual([]);
    await tenant.shell('restore-secrets');
    await tenant.commit();
    // the authorities are the old ones already, the datastore is new
    expect((await tenant.kubectl('get', 'configmap', 'kept')).stderr).toContain('"kept" not found');

    await tenant.shell('stop', 'restore', 'start');
    expect((await tenant.kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}')).stdout).toBe('b');
    expect((await tenant.kubectl('get', 'configmap', 'later')).stderr).toContain('"later" not found');
  });
});
