import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configMap, PLATFORM, tenantplane, tenantYaml } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

const SHARDS = `apiVersion: fn.tenantplane.io/v1alpha1
kind: RenderTenant
metadata: {name: render}
spec: {output: {shards: 3}}
`;

/** The platform in one package, a tenant in three shards in another, both rendered. */
async function split(): Promise<string> {
  const root = scratch();
  put(root, {
    'platform/profiles.yaml': PLATFORM,
    'teams/render.yaml': SHARDS,
    'teams/tenants/dev/tenant.yaml': tenantYaml('dev'),
    'teams/tenants/dev/objects/a.yaml': configMap('a'),
  });
  await tenantplane(['render', '-q', 'platform', '--allow-empty'], { cwd: root });
  await tenantplane(['render', '-q', 'teams', '--platform', 'platform'], { cwd: root });
  return root;
}

test('questions on a tenant in shards lead into the platform’s package, from wherever they are asked', async () => {
  const root = await split();
  for (const [cwd, platform, path] of [
    [root, 'platform', ['teams']],
    [join(root, 'teams/tenants/dev'), '../../../platform', []],
  ] as const) {
    const ask = async (...words: string[]): Promise<string> => {
      const { code, out, err } = await tenantplane([...words, ...path, '--platform', platform, '-q'], { cwd });
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    const why = await ask('why', 'cm/a', '--tenant', 'dev');
    expect(why).toMatch(/rule .*platform\/profiles\.yaml:11\n/);
    expect(why).toMatch(/host\/team-dev\/shard-\d\d\/configmap_a-x-default-x-dev\.yaml +is what a render gives/);
    expect(await ask('why', 'cm/a-x-default-x-dev', '-n', 'team-dev')).toBe(why);
    expect(await ask('tree', 'dev')).toContain('a -> ConfigMap team-dev/a-x-default-x-dev');
    expect(await ask('isolation', 'dev')).toContain('tenant team-dev/dev   profile restricted (restricted)');
  }
  const file = /host\/team-dev\/shard-\S+/.exec(
    (await tenantplane(['why', 'cm/a', 'teams', '--platform', 'platform'], { cwd: root })).out,
  )?.[0];
  const { out } = await tenantplane(['why', `teams/${file}`, '--platform', 'platform'], { cwd: root });
  expect(out).toMatch(/^ConfigMap team-dev\/a-x-default-x-dev\n/);
});

test('the platform’s package tells of what it renders, and sends to the tenants’ for the rest', async () => {
  const root = await split();
  const { code, out } = await tenantplane(['why', 'vap/tenantplane-restricted-pods', 'platform'], { cwd: root });
  expect([code, out.split('\n', 1)[0]]).toEqual([0, 'ValidatingAdmissionPolicy tenantplane-restricted-pods']);
  const tree = await tenantplane(['tree', 'platform'], { cwd: root });
  expect([tree.code, tree.err]).toEqual([2, expect.stringContaining('name the package of the tenants, and this one as --platform PATH')]);
  const alone = await tenantplane(['tree', 'teams'], { cwd: root });
  expect(alone.out).toContain('profile restricted   frozen: IsolationProfile restricted does not exist');
});
