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
