import { describe, expect, test } from 'vitest';
import { tenantplane, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

/** A remedy that is typed has to work: each of these commands is wrong, and what its error offers is run. */

const WEB = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - name: app
    image: app
    securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}
    resources: {requests: {cpu: 10m, memory: 8Mi}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;

const remedyOf = (err: string): string => /^ {2}try: (.*)$/m.exec(err)?.[1] ?? '';
const words = (command: string): readonly string[] => command.split(' ').map((word) => word.replaceAll("'", ''));

async function wrong(argv: readonly string[], cwd: string): Promise<{ readonly err: string; readonly remedy: string }> {
  const { code, err } = await tenantplane(argv, { cwd });
  expect(code).toBe(2);
  return { err, remedy: remedyOf(err) };
}

describe('a command that is offered answers', () => {
  test.each<[string, readonly string[], string]>([
    ['a name alone', ['why', 'nothing-like-it'], 'tenantplane tree lists the objects of every tenant.'],
    ['the same in a graph', ['graph', 'nothing-like-it'], 'tenantplane tree lists the objects of every tenant.'],
    ['a file', ['why', 'tenants/none-like-it-at-all.yaml'], 'tenantplane tree lists the objects of every tenant.'],
    [
      'a kind and a tenant',
      ['why', 'deploy/nothing', '--tenant', 'dev'],
      'tenantplane why-not deployment/nothing --tenant team-dev/dev says what would be needed.',
    ],
    [
      'a folder of Applications',
      ['doctor', '--gitops', 'nosuch'],
      'Name the folder that holds the Applications or Kustomizations, or leave --gitops out. tenantplane help render application says how they are made.',
    ],
  ])('%s', async (_, argv, expected) => {
    const root = twoTenants({ 'tenants/dev/objects/web.yaml': WEB });
    const { remedy } = await wrong(argv, root);
    expect(remedy).toBe(expected);
    const command = /tenantplane ((?:why-not|tree|help) ?.*?) (?:lists|says)/.exec(remedy)?.[1] ?? 'nothing is offered';
    const { code, out } = await tenantplane(words(command), { cwd: root });
    expect([code, out === '']).toEqual([0, false]);
  });

  test('with the package, where that is elsewhere', async () => {
    const root = scratch();
    await tenantplane(['init', 'fleet', '-q'], { cwd: root });
    const { remedy } = await wrong(['why', 'deploy/nothing', 'fleet'], root);
    expect(remedy).toBe('tenantplane why-not deployment/nothing --tenant team-dev/dev fleet says what would be needed.');
    expect((await wrong(['why', 'nothing-like-it', 'fleet'], root)).remedy).toContain('tenantplane tree fleet lists');
    const asked = await tenantplane(words('why-not deployment/nothing --tenant team-dev/dev fleet'), { cwd: root });
    expect(asked.out).toContain('Deployment default/nothing is not defined');
  });
});

describe('what was meant can be typed in place of what was written', () => {
  test.each<[readonly string[], string, string]>([
    [['why', 'deploy/web', '--tenant', 'dev'], 'deploy/web', 'pod/web -n default'],
    [['why', 'pod/wbe', '--tenant', 'dev'], 'pod/wbe', 'pod/web'],
    [['why', 'tenants/dev/objects/wbe.yaml'], 'tenants/dev/objects/wbe.yaml', 'tenants/dev/objects/web.yaml'],
    [['reach', 'dev:pod/web', 'svc/wbe'], 'svc/wbe', 'dev:default/service/web'],
    [['reach', 'dev:pod/web', 'svc/node'], 'svc/node', ''],
    [['reach', 'dev:pod/web', 'intrnet'], 'intrnet', 'internet'],
  ])('%j', async (argv, written, meant) => {
    const root = twoTenants({ 'tenants/dev/objects/web.yaml': WEB });
    const { remedy } = await wrong(argv, root);
    if (meant === '') return expect(remedy).toBe('Name one that there is, such as dev:default/service/web.');
    expect(remedy).toBe(`Did you mean ${meant}?`);
    const { code, err } = await tenantplane(
      argv.flatMap((word) => (word === written ? words(meant) : word)),
      { cwd: root },
    );
    expect([code, err]).toEqual([0, '']);
  });

  test.each(['tree', 'isolation'])('%s of a tenant that there is not names those that there are', async (command) => {
    const { remedy } = await wrong([command, 'nothing-like-it'], twoTenants());
    expect(remedy).toBe('Its tenants are: team-dev/dev, team-qa/qa.');
  });
});

describe('a tenant whose name makes no namespace', () => {
  test.each([
    ['a.b', 'team-a-b'],
    ['a'.repeat(60), `team-${'a'.repeat(58)}`],
    [`${'a'.repeat(57)}.${'b'.repeat(9)}`, `team-${'a'.repeat(57)}`],
  ])('%s is offered one, with which init and the generator work', async (tenant, namespace) => {
    const root = scratch();
    const { remedy, err } = await wrong(['init', '--tenant', tenant], root);
    expect(err).toContain(`error: Tenant ${tenant} has no namespace: team-${tenant} `);
    expect(remedy).toBe(`Name one: --namespace ${namespace}`);
    expect((await wrong(['render', 'tenantcluster', tenant], root)).remedy).toBe(remedy);
    expect((await tenantplane(['init', '--tenant', tenant, '--namespace', namespace], { cwd: root })).code).toBe(0);
    expect((await tenantplane(['render'], { cwd: root })).code).toBe(0);
    const printed = await tenantplane(['render', 'tenantcluster', tenant, '--namespace', namespace], { cwd: root });
    expect(printed.out).toContain(`namespace: ${namespace}\n`);
  });

  test('one that is no name of a tenant either is told so', async () => {
    const { err } = await wrong(['init', '--tenant', 'A_b'], scratch());
    expect(err).toContain('metadata.name is "A_b"');
  });

  test('an empty namespace is refused before anything is written', async () => {
    const { err } = await wrong(['init', '--namespace', ''], scratch());
    expect(err).toContain('--namespace is empty.');
  });
});

describe('a host that is not reached', () => {
  const kubeconfig = (server: string): string =>
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server } }],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
      'current-context': 'x',
    });

  test.each<[string, string, readonly string[], string, string]>([
    [
      'is down',
      kubeconfig('https://127.0.0.1:1'),
      [],
      'https://127.0.0.1:1 cannot be reached (ECONNREFUSED).',
      'kubectl version with the same',
    ],
    ['no kubeconfig', 'hello', [], '{file}: it is no YAML map.', 'kubectl config view --kubeconfig {file} prints what kubectl reads.'],
    [
      'http',
      kubeconfig('http://127.0.0.1:1'),
      [],
      '{file}: clusters[c].cluster.server: only https is spoken',
      'kubectl config view --kubeconfig {file} prints',
    ],
    [
      'no such context',
      kubeconfig('https://127.0.0.1:1'),
      ['--context', 'y'],
      '{file}: contexts: there is no context "y"',
      'Name one with --context: kubectl config get-contexts --kubeconfig {file} lists them.',
    ],
  ])('%s', async (_, text, flags, why, remedy) => {
    const root = scratch();
    put(root, { config: text });
    const { code, err } = await tenantplane(['facts', '--kubeconfig', 'config', ...flags], { cwd: root });
    expect(code).toBe(3);
    expect(err).toContain(`error: The host cannot be reached: ${why.replace('{file}', `${root}/config`)}`);
    expect(remedyOf(err)).toContain(remedy.replace('{file}', `${root}/config`));
    expect(err).not.toContain('Name it with');
  });

  test('a file that is not there', async () => {
    const { err } = await tenantplane(['facts', '--kubeconfig', 'nosuch'], { cwd: scratch() });
    expect(remedyOf(err)).toBe('Name a file that is there with --kubeconfig, or leave it out for the one that kubectl reads.');
  });
});
