import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tenantplane, twoTenants } from './harness.ts';
import { put, read, scratch } from './tree/disk.ts';

const made = (out: string): string[] => [...out.matchAll(/^made (.*)$/gm)].map((match) => match[1] ?? '');

describe('init in a package that is there', () => {
  test('adds the tenant only, and uses the profile and the policy that it has', async () => {
    const root = scratch();
    await tenantplane(['init', '-q'], { cwd: root });
    const before = read(root) ?? {};
    const { code, out } = await tenantplane(['init', '.', '--tenant', 'shop'], { cwd: root });
    expect(code).toBe(0);
    expect(made(out)).toEqual(['tenants/shop/tenant.yaml', 'tenants/shop/objects/web.yaml']);
    expect(out).toContain(
      'uses IsolationProfile restricted of profiles/restricted.yaml\nuses SyncPolicy default of policies/default.yaml\n',
    );
    expect(read(root)).toMatchObject(before);
    const rendered = await tenantplane(['render'], { cwd: root });
    expect(rendered.code).toBe(0);
    expect(rendered.out.match(/3 projected/g)).toHaveLength(2);
  });

  test('names the profile that the package has, whatever it is called and wherever it lies', async () => {
    const root = twoTenants();
    const { out } = await tenantplane(['init', '--tenant', 'shop'], { cwd: root });
    expect(out).toContain('uses IsolationProfile restricted of platform.yaml\n');
    expect(made(out)).toHaveLength(2);
  });

  test('a level that the package lacks comes with a profile, beside the others', async () => {
    const root = twoTenants();
    const { out } = await tenantplane(['init', '--tenant', 'shop', '--level', 'baseline'], { cwd: root });
    expect(made(out)).toContain('profiles/baseline.yaml');
    expect(read(root)?.['tenants/shop/tenant.yaml']).toContain('name: baseline');
  });

  test('a tenant whose folder is there is not touched', async () => {
    const root = twoTenants();
    const before = read(root) ?? {};
    const { code, err } = await tenantplane(['init', '--tenant', 'dev'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('has tenants/dev already; nothing was written.');
    expect(read(root)).toEqual(before);
  });

  test('a namespace that another tenant has is refused, since it would stop every render', async () => {
    const root = twoTenants();
    const before = read(root) ?? {};
    const { code, err } = await tenantplane(['init', '--tenant', 'shop', '--namespace', 'team-dev'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('Namespace team-dev already belongs to tenant dev');
    expect(read(root)).toEqual(before);
  });
});

test.each(['kube-system', 'default', 'argocd', 'kube-x', 'cp-x-dev-x-team-dev'])(
  'init refuses the reserved namespace %s',
  async (namespace) => {
    const root = scratch();
    const { code, err } = await tenantplane(['init', '--namespace', namespace], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain(`Namespace ${namespace} belongs to the host; no tenant may live in it.`);
    expect(read(root)).toEqual({});
  },
);

describe('a profile to begin with holds only its level', () => {
  test.each(['baseline', 'restricted', 'sandboxed'])('%s, of init and of render isolationprofile', async (level) => {
    const root = scratch();
    await tenantplane(['init', '--level', level], { cwd: root });
    expect(read(root)?.[`profiles/${level}.yaml`]).toMatch(new RegExp(`\nspec:\n  level: ${level}\n$`));
    const { out } = await tenantplane(['render', 'isolationprofile', 'p', '--level', level]);
    expect(out).toMatch(new RegExp(`\nspec:\n  level: ${level}\n$`));
  });

  // pinned controls would stay when the level changes, and be reported as below it
  test('so the level can be changed in one line', async () => {
    const root = scratch();
    await tenantplane(['init', '--level', 'baseline'], { cwd: root });
    const path = 'profiles/baseline.yaml';
    put(root, { [path]: (read(root)?.[path] ?? '').replace('level: baseline', 'level: sandboxed') });
    const { code, out } = await tenantplane(['render'], { cwd: root });
    expect(code).toBe(0);
    expect(out).not.toContain('ControlBelowLevel');
  });
});

describe('init joins the package that it stands in', () => {
  const run = (cwd: string, ...words: string[]) => tenantplane(['init', ...words], { cwd });

  /** As made, in a folder below; with a rendered tree where asked for. */
  async function fleet(rendered: boolean): Promise<string> {
    const above = scratch();
    await run(above, 'fleet', '-q');
    if (rendered) await tenantplane(['render', 'fleet', '-q'], { cwd: above });
    return above;
  }

  test.each([true, false])('from a folder of it (rendered: %s)', async (rendered) => {
    const above = await fleet(rendered);
    const before = read(above);
    for (const [folder, up, tenant, made, profile] of [
      ['tenants', '..', 'one', 'one/tenant.yaml', '../profiles/restricted.yaml'],
      ['tenants/dev', '../..', 'two', '../two/tenant.yaml', '../../profiles/restricted.yaml'],
      ['profiles', '..', 'three', '../tenants/three/tenant.yaml', 'restricted.yaml'],
    ] as const) {
      const { code, out, err } = await run(join(above, 'fleet', folder), '--tenant', tenant);
      expect([code, err]).toEqual([0, `note: the folder here is a part of the package ${up}, which is taken.\n`]);
      expect(out).toContain(`made ${made}\n`);
      expect(out).toContain(`uses IsolationProfile restricted of ${profile}\n`);
      expect(out).toContain(`\nnext: tenantplane render ${up}\n`);
    }
    const news = Object.keys(read(above) ?? {}).filter((path) => before?.[path] === undefined);
    expect(news).toHaveLength(6);
    expect(news.every((path) => /^fleet\/tenants\/(one|two|three)\//.test(path))).toBe(true);
    expect((await tenantplane(['render', 'fleet'], { cwd: above })).code).toBe(0);
  });

  test.each([
    [true, '.', 'holds one: fleet'],
    [false, '.', 'holds one: fleet'],
    [true, 'fleet/tenants', 'is a part of the package fleet'],
    [false, 'fleet/tenants', 'is a part of the package fleet'],
    [false, 'fleet/shop', 'fleet/shop would lie in the package fleet'],
    [false, 'fleet/tenants/shop', 'fleet/tenants/shop would lie in the package fleet'],
    [true, 'fleet/host', 'is a part of the package fleet'],
  ])('and makes none around or inside of one (rendered: %s, %s)', async (rendered, folder, why) => {
    const above = await fleet(rendered);
    const before = read(above);
    const { code, out, err } = await run(above, folder, '--tenant', 'shop');
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(why)]);
    expect(err).toContain('\n  try: ');
    expect(read(above)).toEqual(before);
  });

  test('beside one it makes another', async () => {
    const above = await fleet(true);
    expect((await run(above, 'other')).code).toBe(0);
    expect((await tenantplane(['render', 'other'], { cwd: above })).code).toBe(0);
  });

  describe('with the platform in a package of its own', () => {
    async function apart(): Promise<string> {
      const above = await fleet(false);
      mkdirSync(join(above, 'platform'));
      for (const folder of ['profiles', 'policies']) renameSync(join(above, 'fleet', folder), join(above, 'platform', folder));
      await tenantplane(['render', 'platform', '--allow-empty', '-q'], { cwd: above });
      await tenantplane(['render', 'fleet', '--platform', 'platform', '-q'], { cwd: above });
      return above;
    }

    test('takes its profile and its policy from there', async () => {
      const above = await apart();
      const { code, out } = await run(join(above, 'fleet/tenants'), '--tenant', 'shop', '--platform', '../../platform');
      expect([code, made(out)]).toEqual([0, ['shop/tenant.yaml', 'shop/objects/web.yaml']]);
      expect(out).toContain('uses IsolationProfile restricted of ../../platform/profiles/restricted.yaml\n');
      expect(out).toContain('\nnext: tenantplane render .. --platform ../../platform\n');
      expect((await tenantplane(['render', 'fleet', '--platform', 'platform'], { cwd: above })).code).toBe(0);
      expect((await run(above, 'more', '--tenant', 'more', '--platform', 'platform')).code).toBe(0);
      expect((await tenantplane(['render', 'more', '--platform', 'platform'], { cwd: above })).code).toBe(0);
    });

    test('makes no second profile of the same name', async () => {
      const above = await apart();
      const before = read(above);
      for (const folder of ['fleet', 'fleet/tenants', 'fleet/tenants/dev']) {
        const { code, err } = await run(join(above, folder), '--tenant', 'shop');
        expect([code, err]).toEqual([2, expect.stringContaining('has tenants and no IsolationProfile')]);
        expect(err).toContain('--platform PATH');
      }
      expect(read(above)).toEqual(before);
      const { out } = await run(join(above, 'fleet'), '--tenant', 'shop', '--level', 'baseline');
      expect(made(out)).toContain('profiles/baseline.yaml');
    });
  });
});
