import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, HOST_PATH_POD, PLATFORM, type Result, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

async function whyNot(root: string, ...words: string[]): Promise<Result> {
  return tenantplane(['why-not', ...words, '--exit-code'], { cwd: root });
}

const CRON = 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec: {schedule: "0 4 * * *"}\n';

describe('why something is not on the host', () => {
  test('the kind is not listed: what to add, and where', async () => {
    const root = twoTenants({ 'tenants/dev/objects/cron.yaml': CRON });
    const { code, out } = await whyNot(root, 'cj/nightly', '--tenant', 'dev');
    expect(code).toBe(1);
    expect(out).toContain('CronJob default/nightly is not on the host.\n  TP2002 KindNotListed');
    expect(out).toMatch(/\n {2}checked {2}STOP policy\.entry\n {2}checked {2}\d+ pass, \d+ not reached \(-v lists all in order\)\n$/);
    // what to do stands before all that is only told
    expect(out.indexOf('to project it')).toBeLessThan(out.indexOf('tenant   '));
    const { out: all } = await tenantplane(['why-not', 'cj/nightly', '--tenant', 'dev', '-v'], { cwd: root });
    expect(all).toMatch(/checked in order\n(?: {4}(?:pass|n\/a) .*\n)+ {4}STOP +policy\.entry\n(?: {4}not reached .*\n)+$/);
    const { out: wide } = await tenantplane(['why-not', 'cj/nightly', '--tenant', 'dev', '-o', 'wide'], { cwd: root });
    expect(wide).toMatch(/pass scope\.known, .*STOP policy\.entry, not reached /);
    expect(out).toContain('near: SyncPolicy default lists v1/ConfigMap, v1/Secret, v1/Service, v1/Pod');
    expect(out).toContain(
      'add to spec.resources of SyncPolicy default  platform.yaml:10\n    - {apiVersion: batch/v1, kind: CronJob, direction: toHost}\n',
    );
    expect(out).toContain("tenantplane what-if --set 'SyncPolicy/default:+spec.resources={apiVersion: batch/v1,");
  });

  test('what is to be added does what is said', async () => {
    const root = twoTenants({ 'tenants/dev/objects/cron.yaml': CRON });
    const { out } = await whyNot(root, 'cj/nightly', '--tenant', 'dev');
    const entry = /^ {4}(- \{.+\})$/m.exec(out)?.[1] ?? '';
    put(root, { 'platform.yaml': `${PLATFORM}  ${entry}\n` });
    expect((await whyNot(root, 'cj/nightly', '--tenant', 'dev')).out).not.toContain('KindNotListed');
  });

  test('isolation refuses it', async () => {
    const root = twoTenants({ 'tenants/dev/objects/worker.yaml': HOST_PATH_POD });
    const { code, out } = await whyNot(root, 'pod/worker');
    expect(code).toBe(1);
    expect(out).toContain('TP3004 HostPathBlocked');
    expect(out).toMatch(/STOP isolation\.host-path\n/);
    expect(out.split('\n')[2]).toMatch(/^ {2}try: /);
    expect(out).toContain('IsolationProfile/restricted#controls.blockHostPathVolumes  platform.yaml:4 (follows from the level)');
    expect(out).toMatch(/try: /);
  });

  test.each(['text', 'wide', 'github', 'html', 'markdown'])(
    '-o %s has each refusal at the line of its field, as validate has',
    async (output) => {
      const pod = HOST_PATH_POD.replace('spec:\n', 'spec:\n  hostNetwork: true\n');
      const root = twoTenants({ 'tenants/dev/objects/worker.yaml': `${configMap('first')}---\n${pod}` });
      const { out } = await tenantplane(['why-not', 'pod/worker', '-o', output], { cwd: root });
      const validated = (await tenantplane(['validate', '-o', 'github'], { cwd: root })).out;
      const lines = [...validated.matchAll(/worker\.yaml,line=(\d+),title=TP\d+ (HostPathBlocked|HostNamespaceBlocked)/g)].map(
        ([, line]) => line,
      );
      expect(lines).toEqual(['17', '11']);
      // a table of objects has a line for each object
      const [path, namespace] = output === 'wide' ? [lines[0]] : lines;
      for (const line of [path, namespace].flatMap((one) => one ?? [])) {
        expect(out).toContain(
          output === 'github' ? `tenants/dev/objects/worker.yaml,line=${line},` : `tenants/dev/objects/worker.yaml:${line}`,
        );
      }
      expect(out).not.toMatch(/worker\.yaml(:|,line=)6\b/);
    },
  );

  test.each([
    ['Widget/gadget'],
    ['widgets/gadget'],
    ['widget', 'gadget'],
    ['widgets.example.com/gadget'],
    ['example.com/v1/Widget/gadget'],
  ])('%s %s: a kind that only an object of a tenant has is known by it', async (...words) => {
    const root = twoTenants({
      'tenants/dev/objects/more.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: gadget}\n',
      'tenants/qa/objects/more.yaml': 'apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: other}\n',
    });
    const { code, out } = await whyNot(root, ...words);
    expect(code).toBe(1);
    expect(out).toContain('Widget default/gadget is not on the host.\n  TP2014 KindUnknown: example.com/v1 Widget');
    const { out: why } = await tenantplane(['why', ...words], { cwd: root });
    expect(why).toContain('TP2014 KindUnknown');
  });

  test.each([
    ['no apiVersion', 'kind: Deployment', 'Deployment', 'TP9010 ObjectMalformed', 'Write apiVersion: apps/v1.'],
    ['that of another kind', 'apiVersion: v1\nkind: Deployment', 'Deployment', 'TP2033 KindNotServed', 'Write apiVersion: apps/v1.'],
    [
      'one that is gone',
      'apiVersion: extensions/v1beta1\nkind: Deployment',
      'Deployment',
      'TP2033 KindNotServed',
      'Write apiVersion: apps/v1.',
    ],
    ['a kind in small letters', 'apiVersion: apps/v1\nkind: deployment', 'deployment', 'TP2033 KindNotServed', 'Write kind: Deployment.'],
  ])('%s: the object is refused, and found by the kind that was meant', async (_, head, kind, code, fix) => {
    const root = twoTenants({ 'tenants/dev/objects/more.yaml': `---\n${head}\nmetadata: {name: gadget}\n` });
    const { code: exit, out } = await tenantplane(['validate'], { cwd: root });
    expect(exit).toBe(1);
    expect(out).toMatch(new RegExp(`! tenants/dev/objects/more\\.yaml:2  ${kind} default/gadget  ${code}\n.*\n.*try: ${fix}`));
    for (const asked of ['Deployment/gadget', 'deploy/gadget']) {
      const { out: whyNotOut } = await whyNot(root, asked);
      expect(whyNotOut).toContain(`${kind} default/gadget is not on the host.\n  ${code}`);
      expect(whyNotOut).toContain(`try: ${fix}`);
      expect((await tenantplane(['why', asked], { cwd: root })).out).toContain(code);
      const explained = await tenantplane(['explain-sync', '--tenant', 'dev', asked, '-o', 'text'], { cwd: root });
      expect(explained.out).toContain(code);
    }
  });

  test('a kind that nothing has is told from one that is known, and what is to be typed is an option of this command', async () => {
    const { code, err } = await whyNot(twoTenants(), 'Widget/gadget');
    expect(code).toBe(2);
    expect(err).toBe(
      'error: The kind Widget is not in the table of kinds, and neither a SyncPolicy nor such an object of the package names it.\n' +
        '  try: Write it with its version: GROUP/VERSION/KIND.\n',
    );
  });

  test('it is on the host after all', async () => {
    const root = twoTenants();
    const { code, out } = await whyNot(root, 'cm/a', '--tenant', 'dev');
    expect(code).toBe(0);
    expect(out).toContain('ConfigMap default/a is on the host after all.');
    expect(out).toContain('host     ConfigMap team-dev/a-x-default-x-dev  host/team-dev/configmap_a-x-default-x-dev.yaml');
    expect(out).toContain('undecided: whether the applier has applied it');
  });

  test('nobody wrote it: what is near, and what stays undecided', async () => {
    const root = twoTenants({ 'tenants/dev/objects/settings.yaml': configMap('settings') });
    const near = await whyNot(root, 'cm/setings', '--tenant', 'dev');
    expect(near.code).toBe(1);
    expect(near.out).toContain('is not defined anywhere in the tenant’s objects.\n  if it were: TP2001 PolicyMatched');
    expect(near.out).toContain('near: did you mean ConfigMap default/settings?');
    expect(near.out).toContain('undecided: the object itself');
    expect((await whyNot(root, 'cm/settings', '--tenant', 'dev', '--virtual-namespace', 'shop')).out).toContain(
      'near: there is one in default',
    );
    expect((await whyNot(root, 'secret/settings', '--tenant', 'dev')).out).toContain(
      'near: of that name there is ConfigMap default/settings',
    );
  });

  test('it is defined twice', async () => {
    const root = twoTenants({ 'tenants/dev/objects/a2.yaml': configMap('a') });
    const { out } = await whyNot(root, 'cm/a', '--tenant', 'dev');
    expect(out.match(/SourceDuplicated/g)).toHaveLength(2);
    expect(out).toContain('tenants/dev/objects/a.yaml:1, tenants/dev/objects/a2.yaml:1');
  });

  test('its tenant is frozen, or the render stops', async () => {
    const frozen = twoTenants({ 'tenants/dev/tenant.yaml': tenantYaml('dev').replace('name: restricted', 'name: gone') });
    expect((await whyNot(frozen, 'cm/a', '--tenant', 'dev')).out).toContain(
      'is frozen, and what it has stays as it last was.\n  why: IsolationProfile gone does not exist',
    );
    const stopped = twoTenants({ 'tenants/qa/tenant.yaml': tenantYaml('qa').replace('team-qa', 'team-dev') });
    expect((await whyNot(stopped, 'cm/a', '--tenant', 'dev')).out).toContain('waits: the render stops, and nothing is written.');
  });

  test('it is removed', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-q'], { cwd: root });
    put(root, { 'tenants/dev/objects/a.yaml': configMap('b') });
    const { out } = await whyNot(root, 'host/team-dev/configmap_a-x-default-x-dev.yaml');
    expect(out).toContain('leaves the host.');
    expect(out).toContain('TP5001 SourceRemoved');
  });

  test('which tenant, where several could be meant', async () => {
    const { code, err } = await whyNot(twoTenants(), 'cm/none');
    expect(code).toBe(2);
    expect(err).toContain('Give --tenant NAME.');
  });
});

interface Control {
  readonly control: string;
  readonly declared: string;
  readonly holds: string;
  readonly enforcedBy: readonly string[];
  readonly notEnforced?: { readonly why: string; readonly fix: string };
}

const HOST_IGNORES = `apiVersion: fn.tenantplane.io/v1alpha1
kind: HostFacts
metadata: {name: host}
spec: {networkPolicies: ignored}
`;

describe('isolation', () => {
  test('says of the network plugin what reach says of it', async () => {
    const { out } = await tenantplane(['isolation', 'dev', '-o', 'wide'], { cwd: twoTenants() });
    expect(out).toMatch(/no API says it.* {2}Try it once on the host, and write networkPolicies: enforced into its HostFacts/);
  });

  test('of one tenant: each control with what enforces it', async () => {
    const root = twoTenants();
    const { out } = await tenantplane(['isolation', 'dev'], { cwd: root });
    expect(out).toContain('tenant team-dev/dev   profile restricted (restricted)');
    expect(out).toMatch(/controls\.defaultDenyNetworkPolicy +true +unknown +NetworkPolicy\/tenantplane-default-deny/);
    expect(out).toMatch(/controls\.podSecurity +restricted +enforced +Namespace\/team-dev/);
  });

  test('fits a terminal, and what is left out of it is in wide', async () => {
    const root = twoTenants({ 'facts.yaml': HOST_IGNORES });
    const said = async (...flags: string[]): Promise<string> => (await tenantplane(['isolation', 'dev', ...flags], { cwd: root })).out;
    const text = await said();
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
    const { tenants } = JSON.parse(await said('-o', 'json')) as { tenants: { controls: Control[] }[] };
    const wide = await said('-o', 'wide');
    for (const { control, declared, holds, enforcedBy, notEnforced } of tenants.flatMap(({ controls }) => controls)) {
      expect(text).toContain(control);
      expect(wide).toMatch(new RegExp(`${control} +${declared.replaceAll(/[.*+?^$()|[\]{}]/g, '\\$&')} +${holds} `));
      expect(wide).toContain(enforcedBy.join(', '));
      for (const said of [notEnforced?.why ?? '', notEnforced?.fix ?? '']) {
        expect(wide).toContain(said);
        for (const word of said.split(' ')) expect(text).toContain(word);
      }
    }
  });

  test('facts of the host settle what is unknown', async () => {
    const facts = (said: string): string =>
      `apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {networkPolicies: ${said}}\n`;
    for (const [said, hold] of [
      ['enforced', 'enforced'],
      ['ignored', 'partly'],
    ] as const) {
      const root = twoTenants({ 'facts.yaml': facts(said) });
      const { out } = await tenantplane(['isolation', '--tenant', 'team-dev/dev', '-o', 'ndjson'], { cwd: root });
      const line = out.split('\n').find((text) => text.includes('controls.defaultDenyNetworkPolicy')) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({ tenant: 'team-dev/dev', holds: hold });
    }
  });

  test('of all tenants: a line each', async () => {
    const { out } = await tenantplane(['isolation', '.'], { cwd: twoTenants() });
    expect(out).toMatch(/^\? team-dev\/dev +restricted +restricted +\d+ /m);
    expect(out).toMatch(/^\? team-qa\/qa +restricted +restricted +\d+ /m);
  });
});

describe('tree and graph', () => {
  test('a tree is compact, unless all is asked for', async () => {
    const many = Array.from({ length: 14 }, (_, index) => configMap(`cm-${index}`)).join('---\n');
    const root = twoTenants({ 'tenants/dev/objects/a.yaml': many });
    const short = (await tenantplane(['tree', 'dev'], { cwd: root })).out;
    expect(short).toContain('│     ├─ cm-0 -> ConfigMap team-dev/cm-0-x-default-x-dev\n');
    expect(short).toContain('└─ … and 4 more (-v lists them all)\n');
    expect((await tenantplane(['tree', 'dev', '-v'], { cwd: root })).out).not.toContain('more (-v');
    expect((await tenantplane(['tree'], { cwd: root })).out).toContain('├─ default  ConfigMap 14\n');
  });

  test('a tenant may be called like the folder of the package', async () => {
    const root = twoTenants();
    const cwd = scratch();
    cpSync(root, join(cwd, 'dev'), { recursive: true });
    expect((await tenantplane(['tree', 'dev', 'dev'], { cwd })).out).toContain('a -> ConfigMap team-dev/a-x-default-x-dev');
    expect((await tenantplane(['tree', 'dev'], { cwd })).out).toContain('tenant team-qa/qa');
    const { code, err } = await tenantplane(['tree', './dev', './dev'], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining('Two folders: ./dev and ./dev.')]);
  });

  test('a graph is drawn as a tree too, with the same ends', async () => {
    const root = twoTenants();
    const drawn = (await tenantplane(['graph', 'cm/a', '--tenant', 'dev', '-o', 'tree'], { cwd: root })).out;
    expect(drawn).toMatch(/^tenants\/dev\/objects\/a\.yaml.*\n[└├]─ ConfigMap default\/a[\s\S]*configmap_a-x-default-x-dev\.yaml/m);
    expect((await tenantplane(['graph', '-o', 'tree'], { cwd: root })).out).toMatch(
      /^IsolationProfile\/restricted\n├─ team-dev\/dev\n└─ team-qa\/qa\n/,
    );
  });

  test('what is only read has the mark of what is for the record, here and in explain-sync', async () => {
    const root = twoTenants({
      'tenants/dev/objects/robot.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot}\n',
      'tenants/dev/objects/role.yaml': 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all}\nrules: []\n',
    });
    const { out } = await tenantplane(['tree', 'dev'], { cwd: root });
    expect(out).toContain('= robot  TP2015 FactRead\n');
  });

  test('a graph goes from the source file to the host file', async () => {
    const root = twoTenants();
    const { out } = await tenantplane(['graph', 'cm/a', '--tenant', 'dev'], { cwd: root });
    expect(out.split('\n')).toEqual([
      'tenants/dev/objects/a.yaml -> ConfigMap default/a',
      'ConfigMap default/a -> ConfigMap team-dev/a-x-default-x-dev  (TP2001 PolicyMatched)',
      'SyncPolicy/default[v1/ConfigMap] -> ConfigMap team-dev/a-x-default-x-dev',
      'IsolationProfile/restricted -> ConfigMap team-dev/a-x-default-x-dev',
      'ConfigMap team-dev/a-x-default-x-dev -> host/team-dev/configmap_a-x-default-x-dev.yaml',
      '',
    ]);
    const whole = JSON.parse((await tenantplane(['graph', 'dev', '-o', 'json'], { cwd: root })).out);
    const ids = new Set(whole.nodes.map((node: { id: string }) => node.id));
    expect(whole.edges.filter(({ from, to }: { from: string; to: string }) => !ids.has(from) || !ids.has(to))).toEqual([]);
  });

  test('a report is written beside', async () => {
    const root = twoTenants();
    await tenantplane(['tree', 'dev', '--report', 'json=tree.json', '--report', 'table=tree.txt'], { cwd: root });
    expect(JSON.parse(readFileSync(join(root, 'tree.json'), 'utf8'))).toMatchObject({ kind: 'TreeReport' });
    expect(readFileSync(join(root, 'tree.txt'), 'utf8')).toContain('HOST OBJECT');
  });
});
