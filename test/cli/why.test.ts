import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

const WEB = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  ports: [{name: http, port: 80}]
  selector: {app: web}
`;

/** A package with a rendered tree, and what a command says in it. */
async function rendered(files: Readonly<Record<string, string>> = { 'tenants/dev/objects/web.yaml': WEB }): Promise<string> {
  const root = twoTenants(files);
  await tenantplane(['render', '-q'], { cwd: root });
  return root;
}

async function say(root: string, ...argv: string[]): Promise<string> {
  const { out, err } = await tenantplane(argv, { cwd: root });
  return out + err;
}

const FILE = 'host/team-dev/service_web-x-shop-x-dev.yaml';

test.each(['why', 'why-not'])('%s: of a name that every tenant has, some are told and the rest is counted', async (command) => {
  const tenants = Array.from({ length: 14 }, (_, index) => `t${index}`);
  const root = twoTenants(
    Object.assign(
      {},
      ...tenants.map((name) => ({
        [`tenants/${name}/tenant.yaml`]: tenantYaml(name),
        [`tenants/${name}/objects/web.yaml`]: WEB,
      })),
    ),
  );
  const count = async (...flags: string[]): Promise<number> =>
    (await say(root, command, 'svc/web', ...flags)).match(/^Service (?:team-t\d+\/web-x-shop-x-t\d+|shop\/web)\b/gm)?.length ?? 0;
  expect([await count(), await count('-v')]).toEqual([10, 14]);
  expect(await say(root, command, 'svc/web')).toContain('… and 4 more that are called so (-v lists them all, -o table in a line each)\n');
});

describe('what a reference may be', () => {
  test.each([
    [[FILE]],
    [['service/web-x-shop-x-dev', '-n', 'team-dev']],
    [['svc', 'web-x-shop-x-dev', '-n', 'team-dev', '.']],
    [['web-x-shop-x-dev']],
    [['.', 'svc/web', '--tenant', 'dev', '--virtual-namespace', 'shop']],
    [['svc/web', '--tenant', 'team-dev/dev']],
    [['v1/Service/web', '--tenant', 'dev', '--tenant-namespace', 'team-dev']],
    [['tenants/dev/objects/web.yaml']],
  ])('why %j', async (words) => {
    const root = await rendered();
    const text = await say(root, 'why', ...words);
    expect(text).toContain('Service team-dev/web-x-shop-x-dev\n');
    expect(text).toMatch(/source {3}Service shop\/web of tenant team-dev\/dev +tenants\/dev\/objects\/web.yaml:1\n/);
    expect(text).toMatch(/rule {5}SyncPolicy\/default\[v1\/Service\] +platform.yaml:13\n/);
    expect(text).toMatch(/file {5}host\/team-dev\/service_web-x-shop-x-dev.yaml +is what a render gives\n/);
  });

  test.each(['why', 'why-not'])('a name alone is all that have it: %s', async (command) => {
    const service = WEB.replace('namespace: shop', 'namespace: default');
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n';
    const root = await rendered({ 'tenants/dev/objects/web.yaml': `${service}---\n${config}` });
    const hosts = async (...words: string[]): Promise<string[]> => {
      const { subjects } = JSON.parse((await tenantplane([command, ...words, '-o', 'json'], { cwd: root })).out);
      return subjects.map(({ decision: { host } }: { decision: { host: { kind: string; name: string } } }) => `${host.kind} ${host.name}`);
    };
    const own = ['ConfigMap web-x-default-x-dev', 'Service web-x-default-x-dev'];
    expect(new Set(await hosts('web'))).toEqual(new Set([...own, 'Service web']));
    expect(new Set(await hosts('web', '--tenant', 'dev'))).toEqual(new Set([...own, 'Service web']));
    expect(await hosts('svc/web', '-n', 'team-dev')).toEqual(['Service web']);
    expect(await hosts('svc/web', '--tenant', 'dev')).toEqual(['Service web-x-default-x-dev']);
  });

  test.each([
    ['tenants/dev/objects/web.yaml:1', 'Service team-dev/web-x-shop-x-dev'],
    ['tenants/dev/objects/web.yaml:6', 'Service team-dev/web-x-shop-x-dev'],
    ['tenants/dev/objects/web.yaml:8', 'ConfigMap team-dev/web-x-default-x-dev'],
    ['./tenants/dev/objects/web.yaml:10:3', 'ConfigMap team-dev/web-x-default-x-dev'],
    ['tenants/dev/objects/web.yaml:99', 'ConfigMap team-dev/web-x-default-x-dev'],
    [`${FILE}:3`, 'Service team-dev/web-x-shop-x-dev'],
  ])('%s, as answers print it, is the object at that line', async (place, object) => {
    const root = await rendered({ 'tenants/dev/objects/web.yaml': `${WEB}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n` });
    const { code, out } = await tenantplane(['why', place, '-o', 'json'], { cwd: root });
    const hosts = JSON.parse(out).subjects.map(({ decision: { host } }: { decision: { host: Record<string, string> } }) => host);
    expect([code, hosts.map(({ kind, namespace, name }: Record<string, string>) => `${kind} ${namespace}/${name}`)]).toEqual([0, [object]]);
  });

  test('a file says by itself which package it lies in', async () => {
    const root = await rendered();
    const { out } = await tenantplane(['why', join(root, FILE)], { cwd: '/' });
    expect(out).toContain('Service team-dev/web-x-shop-x-dev\n');
  });

  test.each([
    [['svc/wbe', '--tenant', 'dev'], 'Nothing in the package is called Service wbe.', 'Did you mean service/web?'],
    [['cm/web', '--tenant', 'dev'], 'Nothing in the package is called ConfigMap web.', 'Did you mean service/web -n shop?'],
    [['svc/web', '--tenant', 'dve'], 'The package has no tenant dve.', 'Did you mean dev?'],
    [['srvice/web'], 'There is no folder or file', undefined],
    [['deploi/web', '--tenant', 'dev'], 'The kind deploi', undefined],
    [['svc/web', '--tenant', 'dev', '--field', 'spec..x'], '--field spec..x is no field.', 'spec.containers[app].image'],
  ])('%j is refused in words', async (words, message, hint) => {
    const root = await rendered();
    const { code, err } = await tenantplane(['why', ...words], { cwd: root });
    expect(code).toBe(2);
    if (message.startsWith('There is no')) expect(err).toMatch(/srvice/);
    else expect(err).toContain(message);
    if (hint !== undefined) expect(err).toContain(hint);
  });
});

describe('the file on the disk', () => {
  test.each<[string, (text: string) => string, string]>([
    ['is stale', (text) => text.replace('port: 80', 'port: 81'), 'is stale or was edited by hand: a render would write it otherwise'],
    ['was edited', (text) => `${text}# by hand\n`, 'was edited by hand: a render does not write it like this'],
  ])('%s', async (_, edit, words) => {
    const root = await rendered();
    const text = readFileSync(join(root, FILE), 'utf8');
    writeFileSync(join(root, FILE), edit(text));
    expect(await say(root, 'why', FILE)).toContain(words);
  });

  test('belongs to nobody, or carries our identity for nothing', async () => {
    const root = await rendered();
    put(root, { 'host/team-dev/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n' });
    expect(await say(root, 'why', 'host/team-dev/other.yaml')).toContain('belongs to nobody here');
    put(root, { 'tenants/dev/objects/web.yaml': WEB.replace('name: web,', 'name: www,') });
    const leaving = await say(root, 'why', FILE);
    expect(leaving).toContain('leaves because  TP5');
    expect(leaving).toContain('leaves the tree with the next render');
    expect(await say(root, 'why', 'svc/www', '--tenant', 'dev')).toContain('is not in the tree yet: tenantplane render writes it');
    expect(existsSync(join(root, FILE))).toBe(true);
  });
});

describe('what is compiled', () => {
  test('names the controls that it enforces, whichever word names it', async () => {
    const root = await rendered();
    for (const word of ['netpol/tenantplane-default-deny', 'NetworkPolicy.networking.k8s.io/tenantplane-default-deny']) {
      const text = await say(root, 'why', word, '-n', 'team-dev');
      expect(text).toContain('IsolationProfile/restricted#defaultDenyNetworkPolicy');
      expect(text).toContain('enforces  controls.defaultDenyNetworkPolicy=true');
    }
    expect(await say(root, 'why', 'quota/tenantplane-counts', '-n', 'team-qa')).toContain('ResourceQuota team-qa/tenantplane-counts');
    expect(await say(root, 'why', 'vap/tenantplane-restricted-pods')).toContain('TP3001 IsolationObjectCompiled');
    expect(await say(root, 'why', 'isolationprofile/restricted')).toContain('ConfigCopied');
  });
});

describe('--field', () => {
  test('of a removed annotation says what value was removed', async () => {
    const hook = 'metadata: {name: web, namespace: shop, annotations: {helm.sh/hook: pre-install}}';
    const root = await rendered({ 'tenants/dev/objects/web.yaml': WEB.replace('metadata: {name: web, namespace: shop}', hook) });
    const text = await say(root, 'why', 'svc/web', '--tenant', 'dev', '--field', 'metadata.annotations["helm.sh/hook"]');
    expect(text).toMatch(/rw\.annotations remove \/metadata\/annotations\/helm\.sh~1hook: "?pre-install"? -> \(none\)/);
  });

  test('is the tenant’s, with its line', async () => {
    const text = await say(await rendered(), 'why', 'svc/web', '--tenant', 'dev', '--field', 'spec.ports[http].port');
    expect(text).toContain('/spec/ports/0/port = 80\n  set by the tenant\n  tenant’s value: 80  tenants/dev/objects/web.yaml:5\n');
  });

  test('is a rule’s, with before and after', async () => {
    const text = await say(await rendered(), 'why', FILE, '--field', '/spec/selector/tenantplane.io~1tenant');
    expect(text).toContain('set by rw.selector\n  tenant’s value: (none)');
    expect(text).toContain('rw.selector replace /spec/selector: {"app":"web"} -> {"app":"web",');
  });

  test('is a rule’s that follows the profile, with the place of the control', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: app}\nspec:\n  containers: [{name: app, image: app}]\n';
    const files = {
      'platform.yaml': PLATFORM.replace('spec: {level: restricted}', 'spec:\n  level: baseline\n  controls:\n    runtimeClassName: kata'),
      'tenants/dev/objects/web.yaml': pod,
    };
    const text = await say(await rendered(files), 'why', 'pod/app', '--tenant', 'dev', '--field', 'spec.runtimeClassName');
    expect(text).toContain('/spec/runtimeClassName = "kata"\n  set by rw.runtime-class\n  tenant’s value: (none)\n');
    expect(text).toContain('profile IsolationProfile/restricted#runtimeClassName  platform.yaml:7\n');
  });

  test('is a stamp, or nobody’s', async () => {
    const root = await rendered();
    expect(await say(root, 'why', FILE, '--field', 'metadata.labels["tenantplane.io/tenant"]')).toContain('the render, which stamps');
    expect(await say(root, 'why', FILE, '--field', 'spec.nothing')).toContain('set by nobody');
  });
});

describe('--field that is not there', () => {
  test.each([
    ['port', 'spec.ports[http].port'],
    ['ports.port', 'spec.ports[http].port'],
    ['ports[http].port', 'spec.ports[http].port'],
    ['app', 'spec.selector.app'],
    ['spec.selektor', 'spec.selector'],
    ['replicas', 'spec.replicas'],
    ['spce.replicas', 'spec.replicas'],
  ])('%s is %s', async (text, meant) => {
    const root = await rendered();
    const { code, err } = await tenantplane(['why', FILE, '--field', text], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain(`There is no field ${text} in either object`);
    expect(err).toContain(`Did you mean ${meant}`);
    expect((await tenantplane(['why', FILE, '--field', meant], { cwd: root })).code).toBe(0);
  });

  test('is nobody’s where nothing is near', async () => {
    const { code, out } = await tenantplane(['why', FILE, '--field', 'spec.nothing'], { cwd: await rendered() });
    expect([code, out]).toEqual([0, expect.stringContaining('set by nobody')]);
  });
});

test('--field says that the file on the disk differs, and whether it does in this field', async () => {
  const root = await rendered();
  expect(await say(root, 'why', FILE, '--field', 'spec.ports[http].port')).not.toContain('on the disk');
  writeFileSync(join(root, FILE), readFileSync(join(root, FILE), 'utf8').replace('port: 80', 'port: 81'));
  const text = await say(root, 'why', FILE, '--field', 'spec.ports[http].port');
  expect(text).toContain('/spec/ports/0/port = 80\n');
  expect(text).toContain(
    'the file on the disk is stale or was edited by hand: a render would write it otherwise; it differs in this field\n',
  );
  expect(await say(root, 'why', FILE, '--field', 'spec.selector')).toMatch(/the file on the disk .+ otherwise\n/);
});

describe('--git', () => {
  let minute = 10;
  const git = (cwd: string, ...words: string[]): void => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
    minute += 1;
    const date = `2026-01-02T03:${minute}:00Z`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    expect(spawnSync('git', [...who, ...words], { cwd, encoding: 'utf8', env })).toMatchObject({ status: 0 });
  };
  const commit = (root: string, files: Readonly<Record<string, string>>, subject = 'Change'): void => {
    put(root, files);
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', subject);
  };

  test('tells a stale file from one that was edited', async () => {
    const root = await rendered();
    git(root, 'init', '-q');
    const text = readFileSync(join(root, FILE), 'utf8');
    commit(root, {});
    commit(root, { [FILE]: text.replace('port: 80', 'port: 81') });
    expect(await say(root, 'why', FILE, '--git')).toContain('was edited by hand: it was changed after its source and rule');
    commit(root, { 'tenants/dev/objects/web.yaml': WEB.replace('port: 80', 'port: 82') });
    expect(await say(root, 'why', FILE, '--git')).toContain('is stale: its source or rule was changed after it');
    put(root, { [FILE]: text });
    expect(await say(root, 'why', FILE, '--git')).toContain('differs from a render, and is not as it was committed');
  });

  test('names commit, author and date of the source and of the rule', async () => {
    const root = await rendered();
    git(root, 'init', '-q');
    git(root, 'add', 'platform.yaml', 'tenants');
    git(root, 'commit', '-q', '-m', 'Add the shop');
    const text = await say(root, 'why', 'svc/web', '--tenant', 'dev', '--git');
    expect(text).toMatch(/web.yaml:1 {2}[0-9a-f]{7,} Ada \d{4}-\d\d-\d\d "Add the shop"\n/);
    expect(text).toMatch(/platform.yaml:13 {2}[0-9a-f]{7,} Ada \d{4}-\d\d-\d\d "Add the shop"\n/);
    expect(text).toContain('is what a render gives  not in Git');
    put(root, { 'tenants/dev/objects/web.yaml': WEB.replace('port: 80', 'port: 81') });
    expect(await say(root, 'why', 'svc/web', '--tenant', 'dev', '--git')).toContain('web.yaml:1  not committed yet');
  });

  test('--field names who changed the tenant’s line, or the rule’s', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: app}\nspec:\n  priority: 0\n  containers: [{name: app, image: app}]\n';
    const kata = (name: string): string =>
      PLATFORM.replace('spec: {level: restricted}', `spec:\n  level: baseline\n  controls:\n    runtimeClassName: ${name}`);
    const root = await rendered({ 'platform.yaml': kata('runc'), 'tenants/dev/objects/web.yaml': pod });
    git(root, 'init', '-q');
    commit(root, {}, 'Start');
    commit(root, { 'tenants/dev/objects/web.yaml': pod.replace('image: app', 'image: app:2') }, 'Set the image');
    commit(root, { 'platform.yaml': kata('kata') }, 'Set the runtime');
    const image = ['why', 'pod/app', '--tenant', 'dev', '--git', '--field', 'spec.containers[app].image'];
    expect(await say(root, ...image)).toMatch(/web\.yaml:6 {2}[0-9a-f]{7,} Ada 2026-01-02 "Set the image"\n/);
    const runtime = ['why', 'pod/app', '--tenant', 'dev', '--git', '--field', 'spec.runtimeClassName'];
    expect(await say(root, ...runtime)).toMatch(/platform\.yaml:7 {2}[0-9a-f]{7,} Ada 2026-01-02 "Set the runtime"\n/);
    const [json] = JSON.parse(await say(root, ...image, '-o', 'json')).fields;
    expect(json.git).toMatchObject({ author: 'Ada', subject: 'Set the image' });
  });

  test('in a shallow clone, the commit at which it ends is said to be that', async () => {
    const root = await rendered();
    git(root, 'init', '-q');
    commit(root, {}, 'Start');
    const whole = await say(root, 'why', 'svc/web', '--tenant', 'dev', '--git');
    expect(whole).toContain('"Start"\n');
    commit(root, { 'tenants/dev/objects/web.yaml': WEB.replace('port: 80', 'port: 81') }, 'Set the port');
    commit(root, { 'README.md': 'shop\n' }, 'Say what it is');
    const clone = join(scratch(), 'clone');
    git(root, 'clone', '-q', '--depth', '1', `file://${root}`, clone);
    const field = ['--git', '--field', 'spec.ports[http].port'];
    expect(await say(root, 'why', 'svc/web', '--tenant', 'dev', ...field)).toContain('"Set the port"\n');
    for (const words of [['--git'], field])
      expect(await say(clone, 'why', 'svc/web', '--tenant', 'dev', ...words)).toContain(
        '"Say what it is" (or earlier: this shallow clone ends there)\n',
      );
  });

  test('is refused in words where there is no repository', async () => {
    const root = scratch();
    put(root, { 'platform.yaml': PLATFORM, 'tenant.yaml': tenantYaml('dev'), 'objects/web.yaml': WEB });
    const { code, err } = await tenantplane(['why', 'svc/web', '--git'], { cwd: root });
    expect(code).toBe(3);
    expect(err).toContain('is in no repository that it reads');
  });
});
