import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { configMap, MAIN, start, tenantplane, twoTenants } from './harness.ts';
import { read } from './tree/disk.ts';

const manyMaps = (count: number): Record<string, string> => ({
  'tenants/dev/objects/many.yaml': Array.from({ length: count }, (_, index) => configMap(`m${index}`, 'x'.repeat(2000))).join('---\n'),
});

test('a large output through a slow pipe arrives whole', async () => {
  const root = twoTenants(manyMaps(600));
  const whole = (await tenantplane(['render', '-o', 'stdout'], { cwd: root })).out;
  expect(whole.length).toBeGreaterThan(1024 * 1024);
  const child = start(['render', '-o', 'stdout', '-q'], root);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    child.stdout?.pause();
    setTimeout(() => child.stdout?.resume(), 2);
  });
  const [code] = await once(child, 'close');
  expect({ code, same: text === whole }).toEqual({ code: 0, same: true });
});

test('a reader that leaves early is no error', () => {
  const root = twoTenants(manyMaps(600));
  const node = `'${process.execPath}' --import '${import.meta.resolve('tsx')}' '${MAIN}'`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${node} render -o stdout -q | head -n 1; echo "code \${PIPESTATUS[0]}"`], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: '---\ncode 0\n', stderr: '' });
});

test('the exit code is the process’s', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN, 'rendr'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('Did you mean render?');
});

/** Waits until a condition holds; the test's own time limit ends a wait that is in vain. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

describe('--watch', () => {
  test('renders again when a file changes, tells what is wrong, and ends on an interrupt', async () => {
    const root = twoTenants();
    const child = start(['render', '--watch'], root);
    let talk = '';
    let told = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      talk += chunk;
    });
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk;
    });
    const renders = (): number => talk.split('watching for changes').length - 1;
    await until(() => renders() >= 1);
    const first = join(root, 'host/team-dev/configmap_a-x-default-x-dev.yaml');
    expect(existsSync(first)).toBe(true);

    writeFileSync(join(root, 'tenants/dev/objects/a.yaml'), configMap('a', 'changed'));
    await until(() => readFileSync(first, 'utf8').includes('changed'));
    await until(() => renders() >= 2);

    // what stops a render does not end the watch
    writeFileSync(join(root, 'render.yaml'), 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nspec: {nonsense: 1}\n');
    await until(() => talk.includes('error: render.yaml'));
    writeFileSync(join(root, 'render.yaml'), '# nothing\n');
    await until(() => renders() >= 4);

    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(told.match(/^wrote /gm)?.length).toBeGreaterThanOrEqual(3);
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

test('an interrupt in the middle of a render leaves the tree as it was', async () => {
  const root = twoTenants(manyMaps(3000));
  const controller = new AbortController();
  const { code, err } = await tenantplane(['render'], {
    cwd: root,
    tty: true,
    signal: controller.signal,
    onErr: (text) => {
      if (text.includes('writing')) controller.abort();
    },
  });
  expect(code).toBe(130);
  expect(err).toContain('Interrupted; nothing was changed.');
  expect(existsSync(join(root, 'host'))).toBe(false);
  expect(Object.keys(read(root) ?? {}).filter((path) => path.startsWith('.'))).toEqual([]);
});
