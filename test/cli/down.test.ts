import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { obeyedByRunners, UNSEEN } from '../report/answer/sinks.ts';
import { type Answers, answeringHost, kubeconfig } from './answering-host.ts';
import { type Result, start, tenantplane } from './harness.ts';

// a real host is in test/e2e/reconciler/down.test.ts; here is what is hard to come by there

const OURS = {
  labels: { 'app.kubernetes.io/managed-by': 'tenantplane' },
  annotations: { 'tenantplane.io/tenant-cluster': 'team-dev/dev' },
};
const PLACE_OF = { ...OURS, labels: { ...OURS.labels, 'tenantplane.io/role': 'control-plane' } };
const of = (name: string, more: object = {}): object => ({ metadata: { name, uid: name, ...more } });
const list = (...items: object[]): string => JSON.stringify({ items });

const kind = (resource: string, responseKind: string, scope: string): object => ({
  resource,
  responseKind: { kind: responseKind },
  scope,
  verbs: ['list', 'delete', 'get'],
});
const CORE = JSON.stringify({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: '' },
      versions: [
        {
          version: 'v1',
          resources: [
            kind('configmaps', 'ConfigMap', 'Namespaced'),
            kind('persistentvolumeclaims', 'PersistentVolumeClaim', 'Namespaced'),
            kind('pods', 'Pod', 'Namespaced'),
            kind('namespaces', 'Namespace', 'Cluster'),
          ],
        },
      ],
    },
  ],
});

const tenant = (name: string, namespace: string, spec: object = {}): object => ({
  apiVersion: 'tenantplane.io/v1alpha1',
  kind: 'TenantCluster',
  metadata: { name, namespace, uid: name },
  spec,
});

function host(answers: Answers, spec: object = {}): Answers {
  return {
    '/api': CORE,
    '/apis/tenantplane.io/v1alpha1/tenantclusters': list(tenant('dev', 'team-dev', spec)),
    '/api/v1/namespaces': list(of('team-dev', OURS), of('cp-x-dev-x-team-dev', PLACE_OF), of('other', { labels: OURS.labels })),
    ...answers,
  };
}

async function preview(answers: Answers, spec: object = {}, ...flags: readonly string[]): Promise<string> {
  const { code, out } = await tenantplane(['down', 'dev', '--dry-run', '--kubeconfig', await answeringHost(host(answers, spec)), ...flags]);
  expect(code).toBe(0);
  return out;
}

const DEV = '/api/v1/namespaces/team-dev';
const PLACE = '/api/v1/namespaces/cp-x-dev-x-team-dev';

test('what is the tenant’s goes in order, and what an owner takes along or Kubernetes makes is not told', async () => {
  const inside = list(of('settings', OURS), of('kube-root-ca.crt'), of('made', { ownerReferences: [{ kind: 'X', name: 'x' }] }));
  expect(await preview({ [`${DEV}/configmaps`]: inside, [`${PLACE}/configmaps`]: list(of('control-plane-config', OURS)) })).toBe(
    [
      '- TenantCluster team-dev/dev, and its control plane',
      '- ConfigMap settings',
      '- Namespace team-dev',
      '- Namespace cp-x-dev-x-team-dev',
      '4 objects would be deleted, with all that is in a Namespace or belongs to one of them; 0 kept.',
      '',
    ].join('\n'),
  );
});

test('a namespace that holds anything of somebody else stays, whatever is said of volumes', async () => {
  const pods = { [`${DEV}/pods`]: list(of('theirs'), of('ours', OURS)) };
  for (const flags of [[], ['--delete-volumes']]) {
    const out = await preview(pods, {}, ...flags);
    expect(out).toContain(
      '= Namespace team-dev stays: it holds what is not tenantplane’s: Pod theirs; kubectl delete namespace/team-dev deletes it with all that\n',
    );
    expect(out).not.toContain('- Namespace team-dev\n');
  }
});

test('one that holds volumes stays until they are said to go; those of a control plane go with it, but where they are retained', async () => {
  const claims = { [`${DEV}/persistentvolumeclaims`]: list(of('data', OURS)), [`${PLACE}/persistentvolumeclaims`]: list(of('data-0')) };
  const stays = 'stays: it holds the volumes data';
  const plain = await preview(claims);
  expect(plain).toContain(`= Namespace team-dev ${stays} (--delete-volumes takes them too)`);
  expect(plain).toContain('- Namespace cp-x-dev-x-team-dev\n');
  expect(await preview(claims, { controlPlane: { storage: { onDelete: 'Retain' } } })).toContain(
    `= Namespace cp-x-dev-x-team-dev ${stays}-0`,
  );
  expect(await preview(claims, {}, '--delete-volumes')).not.toContain('stays');
});

test('a namespace that another TenantCluster is in stays', async () => {
  const core = CORE.replace('"resources":[', `"resources":[${JSON.stringify(kind('tenantclusters', 'TenantCluster', 'Namespaced'))},`);
  const both = list(tenant('dev', 'team-dev'), tenant('qa', 'team-dev'));
  expect(await preview({ '/api': core, [`${DEV}/tenantclusters`]: both })).toContain(
    'it holds what is not tenantplane’s: TenantCluster qa',
  );
});

test('what the host says is only text', async () => {
  const evil = '\u001b[2J\u202e\u200b\n::error::x\n##vso[task.complete]y ##[error]z';
  const named = { [`${DEV}/pods`]: list(of(evil)), [`${DEV}/configmaps`]: list(of(evil, OURS)) };
  const refusal = {
    [`${DEV}/pods`]: { code: 403, body: JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: evil }) },
  };
  const told = [named, refusal].map(async (answers) => down('dev', '--dry-run', '--kubeconfig', await answeringHost(host(answers))));
  for (const { out, err } of await Promise.all(told)) {
    const all = out + err;
    expect(all).toContain('task.complete');
    expect([...all.replaceAll('\n', '')].filter((character) => UNSEEN.test(character))).toEqual([]);
    expect(obeyedByRunners(all)).toEqual([]);
  }
});

test('one that somebody makes while down runs keeps its namespaces, and what tenants share', async () => {
  let asked = 0;
  const made: Answers = {
    '/apis/tenantplane.io/v1alpha1/tenantclusters': () => {
      asked += 1;
      return list(...(asked === 1 ? [] : [tenant('dev', 'team-dev')]));
    },
    [`${DEV}/configmaps`]: list(of('settings', OURS)),
  };
  const { code, out, err } = await tenantplane([
    ...['down', '--everything', '-o', 'json', '--timeout', '5s', '--kubeconfig', await answeringHost(host(made))],
  ]);
  expect(err).toContain('made while down ran: team-dev/dev\n');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ tenants: [{ tenant: 'team-dev/dev', gone: false }], deleted: [], kept: [] });
});

async function down(...args: readonly string[]): Promise<Result> {
  return tenantplane(['down', ...args]);
}

test('a host that is not on this machine has to be meant, but for a look', async () => {
  const elsewhere = kubeconfig('https://host.example.com:6443', { token: 'test' });
  const { code, err } = await down('dev', '--kubeconfig', elsewhere);
  expect([code, err]).toEqual([5, expect.stringContaining('not on this machine: https://host.example.com:6443.')]);
});

test('a tenant whose TenantCluster is gone is still named by what it left', async () => {
  const body = JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message: 'not found' });
  const tenants = '/apis/tenantplane.io/v1alpha1/tenantclusters';
  const namespaced = '/apis/tenantplane.io/v1alpha1/namespaces/team-dev/tenantclusters';
  const gone = { [tenants]: list(), [`${namespaced}/dev`]: { code: 404, body }, [namespaced]: list() };
  for (const word of ['dev', 'team-dev/dev']) {
    const { code, out } = await down(word, '--dry-run', '--kubeconfig', await answeringHost(host(gone)));
    expect([code, out]).toEqual([0, expect.stringContaining('- Namespace team-dev\n- Namespace cp-x-dev-x-team-dev\n2 objects would')]);
  }
});

test('a folder, as up takes it, is said to be none of its words', async () => {
  const { code, err } = await down('tmp', '--dry-run', '--kubeconfig', await answeringHost(host({})));
  expect([code, err]).toEqual([2, expect.stringContaining('tmp is no tenant but a folder, and down reads none.')]);
});

test('a host without tenants is said to have none', async () => {
  const none = { '/apis/tenantplane.io/v1alpha1/tenantclusters': list(), '/api/v1/namespaces': list() };
  const { code, err } = await down('--all', '--kubeconfig', await answeringHost(host(none)));
  expect([code, err]).toEqual([0, expect.stringContaining('nothing to take off is there\n')]);
});

test('a tenant that is not there is said, and what is near', async () => {
  const body = JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message: 'not found' });
  const namespaced = '/apis/tenantplane.io/v1alpha1/namespaces/team-dev/tenantclusters';
  const none = { [`${namespaced}/dve`]: { code: 404, body }, [namespaced]: list(tenant('dev', 'team-dev')) };
  const { code, err } = await down('team-dev/dve', '--kubeconfig', await answeringHost(host(none)));
  expect([code, err]).toEqual([2, expect.stringContaining('There is no TenantCluster dve')]);
});

test('the reconciler works on the host that was asked, whatever the kubeconfig names by then', async () => {
  const asked: string[] = [];
  const profiles = (host: string): Answers => ({
    '/apis/tenantplane.io/v1alpha1/isolationprofiles': () => {
      asked.push(host);
      return list();
    },
  });
  const other = await answeringHost(profiles('another'));
  const dev = tenant('dev', 'team-dev');
  const gone = { code: 404, body: JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message: 'gone' }) };
  const path = await answeringHost({
    ...profiles('this'),
    '/apis/tenantplane.io/v1alpha1/tenantclusters': () => {
      copyFileSync(other, path);
      return list(dev);
    },
    '/apis/tenantplane.io/v1alpha1/namespaces/team-dev/tenantclusters/dev': () => (asked.length > 0 ? gone : JSON.stringify(dev)),
  });
  const [code] = await once(start(['down', '--all', '--timeout', '20s', '--kubeconfig', path], '/'), 'close');
  expect([code, new Set(asked)]).toEqual([0, new Set(['this'])]);
}, 60_000);
