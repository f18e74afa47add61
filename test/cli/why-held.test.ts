import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put } from './tree/disk.ts';

const FROZEN = { 'tenants/dev/tenant.yaml': tenantYaml('dev').replace('name: restricted', 'name: gone') };
/** two TenantClusters in one namespace */
const STOPPED = { 'tenants/qa/tenant.yaml': tenantYaml('qa').replace('team-qa', 'team-dev') };

async function say(root: string, ...argv: string[]): Promise<string> {
  const { out, err } = await tenantplane(argv, { cwd: root });
  return out + err;
}

describe('where the render stops', () => {
  test('nothing of it is written, and why does not say that it is', async () => {
    const root = twoTenants(STOPPED);
    expect((await tenantplane(['render'], { cwd: root })).code).toBe(2);
    const text = await say(root, 'why', 'cm/a', '--tenant', 'dev');
    expect(text).toContain('  would exist because  TP2001 PolicyMatched');
    expect(text).toMatch(/file .+ is not in the tree yet: the render stops\n/);
    expect(text).toMatch(/ {2}stopped: the render stops, so nothing of this is written\. Why: tenants\/.+: .*team-dev/);
    const [subject] = JSON.parse(await say(root, 'why', 'cm/a', '--tenant', 'dev', '-o', 'json')).subjects;
    expect(subject.held).toMatchObject({ state: 'stopped', why: expect.stringContaining('team-dev') });
  });

  test('no control is said to be enforced', async () => {
    const root = twoTenants(STOPPED);
    const one = await say(root, 'isolation', 'dev');
    expect(one).toMatch(/^tenant team-dev\/dev .+, stopped: tenants\/.+team-dev/);
    expect(one).toMatch(/controls\.podSecurity +restricted +unknown /);
    expect(one).not.toMatch(/ enforced {2}/);
    expect(await say(root, 'isolation')).toMatch(/^! team-dev\/dev +restricted +restricted +(\d+) +0 +- +\1 +stopped: tenants\//m);
  });
});

describe('where a tenant is frozen', () => {
  test('isolation says so and why, for that tenant alone', async () => {
    const root = twoTenants(FROZEN);
    const all = await say(root, 'isolation', '-o', 'wide');
    expect(all).toMatch(/^! team-dev\/dev +gone +- +- +- +- +- +- +frozen: IsolationProfile gone does not exist/m);
    expect(all).toMatch(/^\? team-qa\/qa +restricted +restricted +\d+ +\d+ .* -$/m);
    expect(await say(root, 'isolation', 'dev')).toContain('controls not known, frozen: IsolationProfile gone does not exist');
  });

  test('what holds on the host is not known, where the plan knows what is declared', async () => {
    const root = twoTenants({ 'tenants/dev/objects/web.yaml': 'a: [' });
    expect(await say(root, 'isolation', '-o', 'wide')).toMatch(
      /^! team-dev\/dev +restricted +restricted +(\d+) +0 +- +\1 +\S.* +frozen: tenants\/dev\/objects\/web\.yaml: /m,
    );
  });

  test('an object that is not in the tree stays out of it', async () => {
    const root = twoTenants({ 'tenants/dev/objects/web.yaml': 'a: [' });
    const text = await say(root, 'why', 'cm/a', '--tenant', 'dev');
    expect(text).toMatch(/would exist because[\s\S]+is not in the tree yet: its tenant is frozen\n[\s\S]*frozen: .+web\.yaml/);
  });

  test.each([
    [['cm/a-x-default-x-dev', '-n', 'team-dev']],
    [['a-x-default-x-dev']],
    [['cm/a', '--tenant', 'dev']],
    [['cm/a', '--tenant', 'dev', '--virtual-namespace', 'default']],
  ])('%j, whose source cannot be read, is found in the tree, and stays', async (words) => {
    const root = twoTenants();
    await tenantplane(['render', '-q'], { cwd: root });
    put(root, { 'tenants/dev/objects/a.yaml': 'a: [' });
    const { code, out } = await tenantplane(['why', ...words], { cwd: root });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ConfigMap team-dev\/a-x-default-x-dev\n {2}stays as it was last rendered because {2}TP2025 TenantFrozen: .+: tenants\/dev\/objects\/a\.yaml: /,
    );
    expect(out).toMatch(/ {4}file +host\/team-dev\/configmap_a-x-default-x-dev\.yaml +stays as it last was\n/);
    expect(out).toContain('\n  its source tenants/dev/objects/a.yaml cannot be read\n');
    expect(out).toMatch(/\n {2}try: Fix tenants\/dev\/objects\/a\.yaml:1; the next render writes it\.\n/);
    expect(out.match(/stays as it was last rendered/g)).toHaveLength(1);
  });

  const WEB = `apiVersion: v1\nkind: ReplicationController\nmetadata: {name: web}\nspec:\n  template:\n    metadata: {labels: {app: web}}\n    spec:
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
      - {name: web, image: web, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}\n`;
  const ON_HOST = 'host/team-dev/replicationcontroller_web-x-default-x-dev.yaml';
  const PLATFORM_WEB = `${PLATFORM}  - {apiVersion: v1, kind: ReplicationController, direction: toHost}\n`;

  /** a package that was rendered, and then spoilt */
  async function spoilt(files: Readonly<Record<string, string>>): Promise<string> {
    const root = twoTenants({ 'platform.yaml': PLATFORM_WEB, 'tenants/dev/objects/web.yaml': WEB });
    expect((await tenantplane(['render', '-q'], { cwd: root })).code).toBe(0);
    expect(existsSync(join(root, ON_HOST))).toBe(true);
    put(root, files);
    return root;
  }

  const SPOILS = {
    'its profile': {
      files: { 'platform.yaml': PLATFORM_WEB.replace('level: restricted', 'level: odd') },
      fix: 'Fix platform.yaml:4; the next render writes it.',
    },
    'its TenantCluster': {
      files: { 'tenants/dev/tenant.yaml': tenantYaml('dev').replace('syncPolicyRef', 'policy') },
      fix: 'Fix tenants/dev/tenant.yaml:6; the next render writes it.',
    },
    'a file of its objects': {
      files: { 'tenants/dev/objects/web.yaml': `${WEB}a: [\n` },
      fix: 'Fix tenants/dev/objects/web.yaml:12; the next render writes it.',
    },
  } as const;
  const FORMS: readonly (readonly string[])[] = [
    ['rc/web', '--tenant', 'dev'],
    ['rc/web-x-default-x-dev', '-n', 'team-dev'],
    ['pod/web-x-default-x-dev-x2x4z', '-n', 'team-dev'],
    [ON_HOST],
  ];

  describe.each(Object.entries(SPOILS))('by %s', (what, { files, fix }) => {
    test.each(FORMS.map((words) => ({ words })))('why $words says that it stays, in which file, and what to mend', async ({ words }) => {
      const { code, out } = await tenantplane(['why', ...words], { cwd: await spoilt(files) });
      expect(code).toBe(0);
      expect(out).toMatch(
        /^ReplicationController team-dev\/web-x-default-x-dev\n {2}stays as it was last rendered because {2}TP2025 TenantFrozen: /,
      );
      expect(out).toContain(`    file    ${ON_HOST}  `);
      expect(out.match(/try: .+/g)).toEqual([`try: ${fix}`]);
    });

    test('why-not says that it is on the host, and whether its source can be read', async () => {
      const out = await say(await spoilt(files), 'why-not', 'rc/web', '--tenant', 'dev');
      expect(out).toContain(
        what === 'a file of its objects'
          ? 'ReplicationController default/web is on the host as it was last rendered, and its source tenants/dev/objects/web.yaml cannot be read.\n'
          : 'ReplicationController default/web waits: its tenant is frozen, and what it has stays as it last was.\n',
      );
      expect(out).toContain(`host     ReplicationController team-dev/web-x-default-x-dev  ${ON_HOST}\n`);
      expect(out.match(/try: .+/g)).toEqual([`try: ${fix}`]);
    });

    test('tree has it as held, with its name on the host', async () => {
      const out = await say(await spoilt(files), 'tree', 'dev');
      expect(out).toContain('? web -> ReplicationController team-dev/web-x-default-x-dev  held, as it was last rendered\n');
      expect(out).not.toContain('TP2025');
    });
  });

  test('what could be planned stays all the same, and says where the tenant is to be mended', async () => {
    const out = await say(await spoilt({ 'tenants/dev/objects/b.yaml': 'a: [' }), 'why', 'cm/a', '--tenant', 'dev');
    expect(out).toContain('  stays as it was last rendered; it would exist because  TP2001 PolicyMatched');
    expect(out).toContain('\n  try: Fix tenants/dev/objects/b.yaml:1; the next render writes it.\n');
  });

  const REFUSED = `apiVersion: v1
kind: Service
metadata: {name: lb}
spec: {type: LoadBalancer, ports: [{port: 80}], selector: {app: x}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: all}, rules: []}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}
`;

  test.each([
    ['svc/lb', 'TP3030 ServiceTypeBlocked'],
    ['clusterrole/all', 'TP2011 KindIsClusterScoped'],
    ['sa/robot', 'TP2015 FactRead'],
  ])('%s, which is not written anyhow, waits for nothing: its own reason comes first', async (word, reason) => {
    const root = twoTenants({ 'tenants/dev/objects/lb.yaml': REFUSED, 'tenants/dev/objects/b.yaml': 'a: [' });
    const [headline, first, ...rest] = (await say(root, 'why-not', word, '--tenant', 'dev')).split('\n');
    expect(headline).toMatch(/ is not on the host\.$/);
    expect(first).toContain(`  ${reason}: `);
    expect(rest.join('\n')).toMatch(
      /^ {2}also: nothing of its tenant is written: .+b\.yaml: .+\n {4}try: Fix tenants\/dev\/objects\/b\.yaml:1\.$/m,
    );
    const explained = (await tenantplane(['explain-sync', word, '--tenant', 'dev', '-o', 'text'], { cwd: root })).out;
    expect(explained).toMatch(new RegExp(`^.+\\n  is not on the host\\n  ${reason}: [\\s\\S]+\\n  frozen: `));
    expect(await say(root, 'why', word, '--tenant', 'dev')).not.toContain('writes it');
  });

  test('what was not judged, since the TenantCluster cannot be used, is promised to nobody', async () => {
    const root = twoTenants({
      'tenants/dev/objects/lb.yaml': REFUSED,
      'tenants/dev/tenant.yaml': tenantYaml('dev').replace('syncPolicyRef', 'policy'),
    });
    const text = await say(root, 'why-not', 'svc/lb', '--tenant', 'dev');
    expect(text).toContain(
      'Service default/lb is not on the host, and is not judged: its tenant is frozen, and what it has stays as it last was.\n',
    );
    expect(text).toContain('  try: Fix tenants/dev/tenant.yaml:6; the next render decides on it.\n');
    for (const command of ['why-not', 'why', 'explain-sync'])
      expect(await say(root, command, 'svc/lb', '--tenant', 'dev')).not.toContain('writes it');
  });

  test('what was never rendered is in the tree for nobody: why, tree and reach say the same', async () => {
    const root = twoTenants({ 'platform.yaml': PLATFORM_WEB, 'tenants/dev/objects/web.yaml': WEB, 'tenants/dev/objects/b.yaml': 'a: [' });
    expect(await say(root, 'why', 'rc/web', '--tenant', 'dev')).toContain('is not in the tree yet: its tenant is frozen\n');
    const drawn = await say(root, 'tree', 'dev');
    expect(drawn).toContain('! web  not in the tree yet\n');
    expect(drawn).not.toContain('-> ');
    const { tenants } = JSON.parse(await say(root, 'tree', 'dev', '-o', 'json'));
    expect(tenants[0].objects.map(({ tree }: { tree?: string }) => tree)).toEqual(tenants[0].objects.map(() => 'missing'));
    expect(await say(root, 'reach', 'dev:rc/web', 'internet')).toContain(
      'error: ReplicationController default/web is not in the tree yet: its tenant team-dev/dev is frozen: tenants/dev/objects/b.yaml: ',
    );
  });

  test('what could be planned, and stands in the tree, is held in tree', async () => {
    const out = await say(await spoilt({ 'tenants/dev/objects/b.yaml': 'a: [' }), 'tree', 'dev');
    expect(out).toContain('? web -> ReplicationController team-dev/web-x-default-x-dev  held, as it was last rendered\n');
    expect(out).not.toContain('not in the tree yet');
  });

  test('what is refused now, and stands in the tree, stays', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-q'], { cwd: root });
    put(root, { 'platform.yaml': PLATFORM.replace(/ {2}- .+ConfigMap.+\n/, ''), 'tenants/dev/objects/b.yaml': 'a: [' });
    const text = await say(root, 'why-not', 'cm/a', '--tenant', 'dev');
    expect(text).toMatch(/^ConfigMap default\/a is on the host as it was last rendered: .+; a render would not write it now\.\n/);
    expect(text).toContain('  try: Fix tenants/dev/objects/b.yaml:1.\n');
  });

  test('what a readable file has no more stays too', async () => {
    const root = await spoilt({ 'tenants/dev/objects/b.yaml': 'a: [', 'tenants/dev/objects/a.yaml': configMap('other') });
    expect(await say(root, 'why-not', 'cm/a', '--tenant', 'dev')).toContain(
      'ConfigMap default/a is on the host as it was last rendered, and its source tenants/dev/objects/a.yaml has it no more.',
    );
  });

  const COPY = 'host/config/tenantcluster.tenantplane.io_team-dev.dev.yaml';
  const CLUSTER: readonly (readonly string[])[] = [
    ['TenantCluster/dev'],
    ['TenantCluster/dev', '--tenant', 'dev'],
    ['TenantCluster/dev', '-n', 'team-dev'],
    [COPY],
  ];

  test.each(CLUSTER.map((words) => ({ words })))(
    'the copy of its TenantCluster that the tree has stays, and is found by $words',
    async ({ words }) => {
      const root = twoTenants();
      await tenantplane(['render', '-q'], { cwd: root });
      expect(await say(root, 'why', ...words)).toMatch(/exists because {2}TP2024 ConfigCopied[\s\S]+is what a render gives/);
      put(root, { 'tenants/dev/objects/a.yaml': 'a: [' });
      const { code, out } = await tenantplane(['why', ...words], { cwd: root });
      expect(code).toBe(0);
      expect(out).toMatch(/^TenantCluster team-dev\/dev\n {2}stays as it was last rendered because {2}TP2025 TenantFrozen: /);
      expect(out).toMatch(/ {4}file {4}host\/config\/tenantcluster\S+_team-dev\.dev\.yaml +stays as it last was\n/);
      expect(await say(root, 'why-not', ...words)).toContain(
        'TenantCluster team-dev/dev waits: what the tree has of it stays as it last was.',
      );
    },
  );

  test('a TenantCluster of which the tree has no copy is not on the host', async () => {
    const text = await say(twoTenants({ 'tenants/dev/objects/a.yaml': 'a: [' }), 'why', 'TenantCluster/dev');
    expect(text).toContain('  is not on the host because  TP2025 TenantFrozen: ');
  });
});
