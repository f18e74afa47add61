import { expect, test } from 'vitest';
import { configMap, HOST_PATH_POD, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { type Files, put } from './tree/disk.ts';

/** An object that was projected, is refused now, and still stands in the tree: what narrowed it is told from the copies that the tree has. */

const ROOT_POD = `apiVersion: v1
kind: Pod
metadata: {name: tool}
spec:
  containers:
  - {name: app, image: app, securityContext: {runAsUser: 0}, resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {cpu: 10m, memory: 16Mi}}}
`;
const BASELINE = PLATFORM.replace('level: restricted', 'level: baseline');
const without = (text: string, kind: string): string => text.replace(new RegExp(`.*kind: ${kind}, direction.*\n`), '');
const CM = 'team-dev/configmap_a-x-default-x-dev.yaml';

async function rendered(after: Files, before: Files = {}): Promise<string> {
  const root = twoTenants({ 'platform.yaml': BASELINE, 'tenants/dev/objects/pod.yaml': ROOT_POD, ...before });
  expect((await tenantplane(['render', '-q'], { cwd: root })).code).toBe(0);
  put(root, after);
  return root;
}

async function say(root: string, ...argv: string[]): Promise<string> {
  const { out, err } = await tenantplane(argv, { cwd: root });
  return out + err;
}

test('a policy that lists the kind no more', async () => {
  const root = await rendered({ 'platform.yaml': without(BASELINE, 'ConfigMap') });
  const why = await say(root, 'why', 'cm/a', '--tenant', 'dev');
  expect(why).toMatch(/^ConfigMap default\/a\n {2}leaves because {2}TP2002 KindNotListed/);
  expect(why).toMatch(new RegExp(`file +host/${CM} +leaves the tree with the next render\n`));
  expect(why).toMatch(
    /\n {2}it was projected until SyncPolicy default changed, since this tree was rendered {2}platform\.yaml:\d+\n {4}spec\.resources\[v1\/ConfigMap\]: .+ \(removed\)\n/,
  );
  const not = await say(root, 'why-not', 'cm/a', '--tenant', 'dev');
  expect(not).toMatch(/^ConfigMap default\/a leaves the host\.\n/);
  expect(not).toContain('it was projected until SyncPolicy default changed');
  expect(not).toContain(`host     ConfigMap team-dev/a-x-default-x-dev  host/${CM}`);
  // asked for by what stands on the host, it is the same
  expect(await say(root, 'why', `host/${CM}`)).toMatch(/TP5002 ScopeRemoved[\s\S]+it was projected until SyncPolicy default changed/);
  expect((await tenantplane(['why', 'cm/a', '--tenant', 'dev', '--exit-code'], { cwd: root })).code).toBe(1);
});

test('a profile at a higher level, and not a change of the tenant’s that has nothing to do with it', async () => {
  const root = await rendered({
    'platform.yaml': PLATFORM,
    'tenants/dev/tenant.yaml': tenantYaml('dev', '  networking: {egressPolicy: unrestricted}\n'),
  });
  const why = await say(root, 'why', 'pod/tool', '--tenant', 'dev');
  expect(why).toContain('leaves because');
  expect(why).toContain('it was projected until IsolationProfile restricted changed');
  expect(why).toContain('spec.level: baseline -> restricted');
  expect(why).not.toContain('TenantCluster team-dev/dev changed');
});

test('changes that only together refuse it are named together', async () => {
  const root = await rendered({ 'platform.yaml': without(PLATFORM, 'Pod') });
  const why = await say(root, 'why', 'pod/tool', '--tenant', 'dev');
  expect(why).toContain('until SyncPolicy default changed');
  expect(why).toContain('until IsolationProfile restricted changed');
});

test('an object that was changed itself', async () => {
  const root = await rendered({
    'tenants/dev/objects/pod.yaml': HOST_PATH_POD.replace('worker', 'tool'),
    'tenants/dev/objects/a.yaml': configMap('a', 'x'),
  });
  expect(await say(root, 'why', 'pod/tool', '--tenant', 'dev')).toMatch(
    /leaves because {2}TP3004[\s\S]+under the same profile, policy and TenantCluster: it was changed itself since/,
  );
});

test('an object that was changed itself, so that the configuration of then refuses it as well', async () => {
  const root = await rendered({
    'platform.yaml': PLATFORM,
    'tenants/dev/objects/pod.yaml': HOST_PATH_POD.replace('worker', 'tool'),
  });
  const why = await say(root, 'why', 'pod/tool', '--tenant', 'dev');
  expect(why).toMatch(/leaves because {2}TP3004[\s\S]+before IsolationProfile restricted changed: it was changed itself since/);
  expect(why).not.toContain('under the same profile');
});

test('a tree without copies of the configuration does not tell', async () => {
  const omitted =
    'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\nmetadata: {name: render}\nspec: {output: {config: exclude}}\n';
  const root = await rendered({ 'platform.yaml': without(BASELINE, 'ConfigMap') }, { 'render.yaml': omitted });
  const why = await say(root, 'why', 'cm/a', '--tenant', 'dev');
  expect(why).toMatch(/leaves because[\s\S]+the tree has no copy of the .*SyncPolicy.*: tenantplane diff COMMIT says/);
});

test('once that is rendered, there is nothing left to tell', async () => {
  const root = await rendered({ 'platform.yaml': without(BASELINE, 'ConfigMap') });
  await tenantplane(['render', '-q'], { cwd: root });
  const why = await say(root, 'why', 'cm/a', '--tenant', 'dev');
  expect(why).toMatch(/^ConfigMap default\/a\n {2}is not on the host because {2}TP2002/);
  expect(why).not.toContain('projected until');
  expect(await say(root, 'why-not', 'cm/a', '--tenant', 'dev')).toMatch(/^ConfigMap default\/a is not on the host\./);
});

test('programs read it too', async () => {
  const root = await rendered({ 'platform.yaml': without(BASELINE, 'ConfigMap') });
  const leaving = {
    code: 'TP5002',
    host: CM,
    narrowedBy: [
      {
        object: 'SyncPolicy default',
        file: { path: 'platform.yaml', line: expect.any(Number) },
        fields: [{ path: 'spec.resources[v1/ConfigMap]', pointer: '/spec/resources/0', op: 'Remove' }],
      },
    ],
  };
  const [why] = JSON.parse(await say(root, 'why', 'cm/a', '--tenant', 'dev', '-o', 'json')).subjects;
  expect(why).toMatchObject({ leaving, hostFile: { path: CM, state: 'leaving' } });
  const [not] = JSON.parse(await say(root, 'why-not', 'cm/a', '--tenant', 'dev', '-o', 'json')).subjects;
  expect(not).toMatchObject({ verdict: 'removed', leaving });
});
