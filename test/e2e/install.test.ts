import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTool } from '../bed/build-tool.ts';
import { type Host, must, startHost } from './isolation/host.ts';
import { copyPackage, ok, ROOT } from './workspace.ts';

let host: Host;
beforeAll(async () => {
  host = await startHost({ controllers: true });
});
afterAll(() => host.stop());

/** The script of docs/install.md, as a reader copies it. */
function script(): string {
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const [found] = blocks.filter((text) => text.includes('deploy/crds'));
  if (found === undefined) throw new Error('docs/install.md has no script that applies');
  return found;
}

/** Runs a script in a package, as somebody with that kubeconfig. */
async function runAs(kubeconfig: string, folder: string, text: string): Promise<string> {
  const path = [dirname(await buildTool('kubectl')), process.env['PATH']].join(':');
  const env = { KUBECONFIG: kubeconfig, TENANTPLANE: ROOT, PATH: path };
  return ok('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder, env }).stderr;
}

test('the script of docs/install.md applies a package, twice, to a real host', async () => {
  const folder = copyPackage('examples/first-tenant');
  ok('tenantplane', ['render', folder]);
  for (const time of ['first', 'second']) expect(await runAs(host.kubeconfig, folder, script()), time).toBe('');
  expect(await must(host, ['get', 'deployments', '-n', 'team-dev', '-o', 'name'])).toContain('web-x-default-x-dev');
});

test('an administrator of another group does so once he is named, and is told that before', async () => {
  await must(host, ['create', 'clusterrolebinding', 'bob', '--clusterrole=cluster-admin', '--user=bob']);
  const bob = host.kubeconfigFor('bob');
  const label = ['label', 'namespace', 'team-dev', 'tenantplane.io/isolation-level=none', '--overwrite'];
  let refused = await host.kubectl(label, { as: bob });
  for (let attempt = 0; attempt < 40 && refused.status === 0; attempt += 1) refused = await host.kubectl(label, { as: bob });
  expect(refused.stderr).toContain('host.trustedWriters or trustedGroups');

  const folder = copyPackage('examples/first-tenant');
  const config = readFileSync(join(folder, 'render.yaml'), 'utf8').replace('  host:\n', '  host:\n    trustedWriters: [bob]\n');
  ok('bash', ['-c', 'cat > render.yaml'], { cwd: folder, input: config });
  ok('tenantplane', ['render', folder]);
  const force = script().replaceAll('--server-side', '--server-side --force-conflicts');
  expect(await runAs(bob, folder, force)).toBe('');
});
