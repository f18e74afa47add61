import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeAuthorities } from '../../src/reconciler/pki/make-authorities.ts';
import { mintClient } from '../../src/reconciler/pki/mint-client.ts';
import { tenantKubeconfig } from '../../src/reconciler/pki/tenant-kubeconfig.ts';
import { obeyedByRunners, UNSEEN } from '../report/answer/sinks.ts';
import { type Answers, answeringHost } from './answering-host.ts';
import { type Result, tenantplane } from './harness.ts';
import { scratch } from './tree/disk.ts';

// A real host and a real tenant are in test/e2e/kubeconfig.test.ts; here are answers that those do not give on demand.

const INSIDE = 'https://shop-control-plane.cp-x-shop-x-platform.svc.cluster.local:6443';
const TENANTS = '/apis/tenantplane.io/v1alpha1/tenantclusters';
const NAMED = '/apis/tenantplane.io/v1alpha1/namespaces/platform/tenantclusters/shop';
const SECRET = '/api/v1/namespaces/cp-x-shop-x-platform/secrets/kubeconfig';

let [good, ended]: [string, string] = ['', ''];
beforeAll(async () => {
  const authorities = await makeAuthorities({ name: 'shop', namespace: 'platform' }, Date.now());
  const at = async (from: number): Promise<string> => {
    const minted = await mintClient(authorities, { user: 'tenantplane:admin', groups: ['tenantplane:admins'] }, { from, hours: 1 });
    return tenantKubeconfig({ server: INSIDE, authority: authorities['server-ca.crt'] ?? '', ...minted, cluster: 'shop' });
  };
  [good, ended] = [await at(Date.now()), await at(Date.now() - 7_200_000)];
});

function tenant(
  name: string,
  namespace: string,
  status: object = { endpoint: INSIDE, conditions: [{ type: 'Ready', status: 'True' }] },
): object {
  return { apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', metadata: { name, namespace }, status };
}

const list = (...items: object[]): string => JSON.stringify({ items });
const secret = (text: string): string => JSON.stringify({ data: { value: Buffer.from(text).toString('base64') } });
const refused = (code: number, reason: string, message: string): { code: number; body: string } => ({
  code,
  body: JSON.stringify({ kind: 'Status', status: 'Failure', code, reason, message }),
});

async function ask(answers: Answers, ...args: readonly string[]): Promise<Result> {
  const found: Answers = { [TENANTS]: list(tenant('shop', 'platform')), [SECRET]: secret(good), ...answers };
  return tenantplane(['kubeconfig', '--kubeconfig', await answeringHost(found), ...args]);
}

/** What the printed one says of its cluster. */
function clusterIn({ out }: Result): Record<string, string> {
  const { clusters } = load(out) as { clusters: { cluster: Record<string, string> }[] };
  const { 'certificate-authority-data': _, ...rest } = clusters[0]?.cluster ?? {};
  return rest;
}

describe('the address', () => {
  test('is the one that it was published with, and stderr says how to get there', async () => {
    const got = await ask({}, 'shop');
    expect([got.code, got.out]).toEqual([0, good]);
    expect(got.err).toMatch(/^ {2}kubectl port-forward -n cp-x-shop-x-platform pod\/control-plane-0 6443 --kubeconfig \S+$/m);
    expect(got.err).toMatch(/^ {2}tenantplane kubeconfig platform\/shop --server https:\/\/127\.0\.0\.1:6443 --kubeconfig \S+$/m);
    expect((await ask({}, 'shop', '--quiet')).err).toBe('');
  });

  test('is put into the same file by the line that stderr says', async () => {
    const path = join(scratch(), 'shop.yaml');
    const got = await ask({}, 'shop', '--output-file', path);
    expect(got.err).toMatch(new RegExp(`^ {2}tenantplane kubeconfig platform/shop --server \\S+ --kubeconfig \\S+ > ${path}$`, 'm'));
    expect(got.err).toMatch(/^ {2}kubectl port-forward [^>]+$/m);
  });

  test('is told to programs with the file and its end, and nothing that is in the file', async () => {
    const path = join(scratch(), 'shop.yaml');
    const got = await ask({}, 'shop', '--output-file', path, '-o', 'json');
    const { expires, ...report } = JSON.parse(got.out);
    expect(report).toEqual({
      apiVersion: 'report.tenantplane.io/v1alpha1',
      kind: 'KubeconfigReport',
      tenant: 'platform/shop',
      controlPlaneNamespace: 'cp-x-shop-x-platform',
      file: path,
      server: INSIDE,
      ready: true,
      problem: null,
    });
    expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    expect(readFileSync(path, 'utf8')).toBe(good);
    const nowhere = await ask({}, 'shop', '-o', 'json');
    expect([nowhere.code, JSON.parse(nowhere.out)]).toMatchObject([2, { kind: 'Error', code: 'usage' }]);
  });

  test('may be another, and the server is proven by its own name', async () => {
    const got = await ask({}, 'shop', '--server', 'https://[::1]:7443');
    expect(clusterIn(got)).toEqual({ server: 'https://[::1]:7443', 'tls-server-name': new URL(INSIDE).hostname });
    expect(got.err).toBe('');
  });

  test('is the load balancer’s or the one inside, as asked', async () => {
    const status = { endpoint: INSIDE, externalEndpoint: 'https://203.0.113.7:6443', conditions: [{ type: 'Ready', status: 'True' }] };
    const answers = { [TENANTS]: list(tenant('shop', 'platform', status)) };
    const outside = await ask(answers, 'shop', '--external');
    expect(clusterIn(outside)).toEqual({ server: 'https://203.0.113.7:6443', 'tls-server-name': new URL(INSIDE).hostname });
    expect(clusterIn(await ask(answers, 'shop', '--internal'))).toEqual({ server: INSIDE });
  });

  test.each<[string, readonly string[], number, RegExp]>([
    [
      'a load balancer that has none',
      ['--external'],
      2,
      /^error: Tenant platform\/shop has no external address\.\n {2}try: expose\.loadBalancer/,
    ],
    ['one in the clear', ['--server', 'http://x'], 2, /^error: --server http:\/\/x: only https is spoken/],
    ['two of them', ['--server', 'https://x', '--external'], 2, /cannot be used with option '--external'/],
  ])('%s is refused', async (_, flags, code, words) => {
    const got = await ask({}, 'shop', ...flags);
    expect([got.code, got.out]).toEqual([code, '']);
    expect(got.err).toMatch(words);
  });
});

describe('the tenant', () => {
  const [shops, near] = [
    list(tenant('shop', 'platform'), tenant('shop', 'other')),
    list(tenant('shop', 'platform'), tenant('blog', 'platform')),
  ];
  const object = JSON.stringify(tenant('shop', 'platform'));

  test.each<[string, Answers, readonly string[]]>([
    ['its name', {}, ['shop']],
    ['its full name, and nothing is listed', { [TENANTS]: refused(403, 'Forbidden', 'no'), [NAMED]: object }, ['platform/shop']],
    ['its namespace, which tells it from another', { [TENANTS]: shops, [NAMED]: object }, ['shop', '-n', 'platform']],
  ])('is found by %s', async (_, answers, words) => {
    expect(await ask(answers, ...words)).toMatchObject({ code: 0, out: good });
  });

  test.each<[string, Answers, readonly string[], number, string]>([
    [
      'a name that is not there',
      { [TENANTS]: near },
      ['shpo'],
      2,
      'There is no TenantCluster shpo on the host.\n  try: Did you mean platform/shop?',
    ],
    [
      'a name like no other',
      { [TENANTS]: near },
      ['warehouse'],
      2,
      'try: kubectl get tenantclusters --all-namespaces lists what is there.',
    ],
    ['a name that two have', { [TENANTS]: shops }, ['shop'], 2, 'Several tenants are called shop: other/shop, platform/shop.'],
    ['what is no name', {}, ['a/b/c'], 2, 'a/b/c names no TenantCluster.'],
    ['two namespaces', {}, ['platform/shop', '-n', 'other'], 2, 'The tenant is in platform by its name, and in other by --namespace.'],
    [
      'a host without tenantplane',
      { [TENANTS]: refused(404, 'NotFound', 'the server could not find the requested resource') },
      ['shop'],
      2,
      'The host serves no TenantCluster.',
    ],
    [
      'a host that does not let one list',
      { [TENANTS]: refused(403, 'Forbidden', 'User "jane" cannot list') },
      ['shop'],
      3,
      'The host does not let you see the tenant: User "jane" cannot list.\n  try: Name it as NAMESPACE/NAME',
    ],
  ])('%s is said', async (_, answers, words, code, said) => {
    const got = await ask(answers, ...words);
    expect([got.code, got.out]).toEqual([code, '']);
    expect(got.err).toContain(said);
  });
});

describe('a kubeconfig that cannot be used is not printed', () => {
  const status = (ready: string, reason: string, message: string): Answers => ({
    [TENANTS]: list(tenant('shop', 'platform', { conditions: [{ type: 'Ready', status: ready, reason, message }] })),
    [SECRET]: refused(404, 'NotFound', 'secrets "kubeconfig" not found'),
  });

  test.each<[string, Answers, string]>([
    [
      'not looked at',
      { ...status('', '', ''), [TENANTS]: list(tenant('shop', 'platform', {})) },
      'has no kubeconfig yet: the reconciler has not looked at it.\n  try: See whether the reconciler runs',
    ],
    [
      'on its way',
      status('Unknown', 'Progressing', 'The API does not answer yet.'),
      'it is not ready (Progressing): The API does not answer yet.\n  try: kubectl wait --for=condition=Ready --timeout=5m -n platform tenantcluster/shop waits',
    ],
    [
      'held up',
      status('False', 'ImagePullFailing', 'Image x cannot be pulled.'),
      'it is not ready (ImagePullFailing): Image x cannot be pulled.\n  try: Look at the registry and the image that the message names; or set spec.kubernetesVersion',
    ],
    [
      'held up by what this version does not know',
      status('False', 'Haunted', 'A ghost.'),
      'it is not ready (Haunted): A ghost.\n  try: kubectl describe tenantcluster -n platform shop lists',
    ],
    [
      'not to be read',
      { [SECRET]: refused(403, 'Forbidden', 'User "jane" cannot get resource "secrets"') },
      'The host does not let you read the kubeconfig: User "jane" cannot get resource "secrets".\n  try: Ask for get of Secret kubeconfig in namespace cp-x-shop-x-platform.',
    ],
    [
      'empty',
      { [SECRET]: '{"data": {}}' },
      'Secret cp-x-shop-x-platform/kubeconfig holds no kubeconfig of a tenant: a kubeconfig is a map',
    ],
  ])('%s', async (_, answers, said) => {
    const got = await ask(answers, 'shop');
    expect([got.code, got.out]).toEqual([3, '']);
    expect(got.err).toContain(said);
  });

  test('expired', async () => {
    const got = await ask({ [SECRET]: secret(ended) }, 'shop');
    expect([got.code, got.out]).toEqual([3, '']);
    expect(got.err).toMatch(/The kubeconfig of tenant platform\/shop expired at 20\S+Z\.\n {2}try: The reconciler renews it/);
  });

  test('one that would start a program on this machine, in a user that is not even chosen', async () => {
    const program = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/false' } };
    const config = load(good) as { users: { name: string; user: object }[] };
    const chosen = await ask({ [SECRET]: secret(JSON.stringify({ ...config, users: [{ name: 'shop', user: program }] })) }, 'shop');
    expect(chosen.err).toContain('users[shop].user.exec: it would start a program of the tenant’s choice here');
    const beside = await ask(
      { [SECRET]: secret(JSON.stringify({ ...config, users: [...config.users, { name: 'other', user: program }] })) },
      'shop',
    );
    expect([beside.code, beside.out]).toEqual([0, good]);
  });
});

test('a tenant that is no longer ready still has its kubeconfig, and a warning', async () => {
  const conditions = [{ type: 'Ready', status: 'False', reason: 'BoundaryDrifted', message: 'A policy was changed.' }];
  const got = await ask({ [TENANTS]: list(tenant('shop', 'platform', { endpoint: INSIDE, conditions })) }, 'shop');
  expect([got.code, got.out]).toEqual([0, good]);
  expect(got.err).toContain(
    'warning: tenant platform/shop: it is not ready (BoundaryDrifted): A policy was changed\n  try: Apply the render again',
  );
});

test('of a tenant that is ready a kubeconfig that is not there was deleted, and comes again', async () => {
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Succeeded', message: 'Kubernetes answers.' }];
  const got = await ask(
    { [TENANTS]: list(tenant('shop', 'platform', { conditions })), [SECRET]: refused(404, 'NotFound', 'not found') },
    'shop',
  );
  expect(got.code).toBe(3);
  expect(got.err).toContain('it was deleted, and the reconciler makes it again when it looks next.');
  expect(got.err).toContain(
    'try: kubectl annotate tenantcluster -n platform shop --overwrite tenantplane.io/reconcile-requested-at="$(date)"',
  );
});

const EVIL = '\u001b[2J\u202e\u200b\n::error::x\n##vso[task.complete]y ##[error]z';

test.each<[string, Answers]>([
  [
    'a condition',
    { [TENANTS]: list(tenant('shop', 'platform', { conditions: [{ type: 'Ready', status: 'False', reason: EVIL, message: EVIL }] })) },
  ],
  ['a name', { [TENANTS]: list(tenant('shop', EVIL), tenant('shop', 'platform')) }],
  ['a refusal', { [SECRET]: refused(403, 'Forbidden', EVIL) }],
  [
    'a kubeconfig',
    {
      [SECRET]: secret(
        JSON.stringify({
          'current-context': EVIL,
          contexts: [{ name: EVIL, context: { cluster: EVIL, user: EVIL } }],
          clusters: [{ name: EVIL, cluster: { [EVIL]: EVIL } }],
          users: [{ name: EVIL, user: { exec: { command: EVIL } } }],
        }),
      ),
    },
  ],
])('what the host says is only text: %s', async (_, answers) => {
  const { err } = await ask(answers, 'shop');
  expect(err).toContain('task.complete');
  expect([...err.replaceAll('\n', '')].filter((character) => UNSEEN.test(character))).toEqual([]);
  expect(obeyedByRunners(err)).toEqual([]);
});

test('a file that it is written to is readable by nobody else, and none is overwritten', async () => {
  const path = join(scratch(), 'shop.yaml');
  const got = await ask({}, 'shop', '--output-file', path);
  expect([got.code, got.out]).toEqual([0, '']);
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([good, 0o600]);
  writeFileSync(path, 'kept');
  const again = await ask({}, 'shop', '--output-file', path);
  expect(again.code).toBe(2);
  expect(again.err).toContain('shop.yaml is there already.');
  expect(readFileSync(path, 'utf8')).toBe('kept');
  const nowhere = await ask({}, 'shop', '--output-file', '/nowhere/shop.yaml');
  expect([nowhere.code, existsSync('/nowhere')]).toEqual([3, false]);
});
