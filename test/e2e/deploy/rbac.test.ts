import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ACCESS_ROWS, type AccessRow } from '../../../deploy/install/access-rows.ts';
import { compileReconcilerAccess } from '../../../src/core/isolation/reconciler-access.ts';
import { at, type JsonObject, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { tenantContext } from '../../core/isolation/tenant.ts';
import { ELSEWHERE, GUARD_CASES, NAMESPACES, PLANE, WORK } from '../../support/guard-cases.ts';
import { eventually } from '../delivery/eventually.ts';
import { get, kubectl } from '../delivery/host.ts';
import { type Answer, type ApiClient, apiClient, type Identity } from '../isolation/api-client.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { without } from '../reconciler/rights.ts';
import { ROOT } from '../workspace.ts';
import { collection, sendGuardCase } from './send-guard-case.ts';

const SYSTEM = 'tenantplane-system';
const accountOf = (namespace: string, name: string): Identity => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
});
const ACCOUNT = accountOf(SYSTEM, 'tenantplane-reconciler');
/** An account that nobody gave anything: what it may do, Kubernetes lets every account do. */
const ANYBODY = accountOf('default', 'default');
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** A question to RBAC: of the whole cluster where no namespace is said. */
interface Question {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

const said = ({ verb, group, resource, namespace, name }: Question): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}${name === undefined ? '' : ` ${name}`}${namespace === undefined ? '' : ` in ${namespace}`}`;

/** What a row lets the account do, each as a question. */
function questionsOf({ where, group, resources, verbs, names }: AccessRow): Question[] {
  const scope = where === 'own' ? { namespace: SYSTEM } : {};
  const named = names?.map((name) => ({ name })) ?? [{}];
  return resources.flatMap((resource) => verbs.flatMap((verb) => named.map((name) => ({ verb, group, resource, ...scope, ...name }))));
}

const rowsOf = (...where: readonly AccessRow['where'][]): Question[] =>
  ACCESS_ROWS.filter((row) => where.includes(row.where)).flatMap(questionsOf);

const RBAC = 'rbac.authorization.k8s.io/v1';
const ROLES = { group: 'rbac.authorization.k8s.io', resource: 'roles' } as const;

/** What discovery does not list, or what would be worst; each in a namespace of its own kind too. */
const NEVER: readonly Question[] = [
  ...['get', 'list', 'watch'].flatMap((verb) => [
    { verb, group: '', resource: 'secrets' },
    { verb, group: '', resource: 'secrets', namespace: SYSTEM },
    { verb, group: '', resource: 'secrets', namespace: 'kube-system' },
  ]),
  ...['exec', 'attach', 'portforward', 'ephemeralcontainers', 'eviction'].map((sub) => ({
    verb: 'create',
    group: '',
    resource: `pods/${sub}`,
    namespace: SYSTEM,
  })),
  ...['users', 'groups', 'serviceaccounts'].map((resource) => ({ verb: 'impersonate', group: '', resource })),
  ...['clusterroles', 'roles'].flatMap((resource) =>
    ['escalate', 'bind', 'create', 'patch'].map((verb) => ({ verb, group: 'rbac.authorization.k8s.io', resource })),
  ),
  { verb: 'create', group: '', resource: 'serviceaccounts/token', namespace: SYSTEM },
  { verb: 'get', group: '', resource: 'nodes' },
  { verb: 'get', group: '', resource: 'nodes/proxy' },
  { verb: 'approve', group: 'certificates.k8s.io', resource: 'signers' },
  { verb: 'update', group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system' },
];

vi.setConfig({ testTimeout: 200_000 });

onEachKubernetes('the reconciler’s account on Kubernetes %s', (version) => {
  let cluster: Cluster;
  let api: ApiClient;

  beforeAll(async () => {
    cluster = await startCluster({ version });
    api = apiClient(cluster);
    for (const folder of ['crds', 'base']) await kubectl(cluster, ['apply', '--server-side', '-k', join(ROOT, 'deploy', folder)]);
    await kubectl(cluster, ['wait', '--for=condition=Established', '-f', join(ROOT, 'deploy/crds')]);
    await eventuallyAllowed(rowsOf('cluster')[0]);
  });
  afterAll(async () => {
    api?.close();
    await cluster?.stop();
  });

  async function allows({ resource, ...rest }: Question, who = ACCOUNT): Promise<boolean> {
    const [plural, subresource] = resource.split('/');
    const resourceAttributes = { ...rest, resource: plural ?? '', ...(subresource === undefined ? {} : { subresource }) };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } };
    const { status, object, message } = await api.send('POST', REVIEWS, review, who);
    expect([status, message]).toEqual([201, '']);
    return at(object, 'status', 'allowed') === true;
  }
  const allowed = async (questions: readonly Question[], who = ACCOUNT): Promise<string[]> => {
    const answers = await Promise.all(questions.map((question) => allows(question, who)));
    return questions
      .filter((_, index) => answers[index])
      .map(said)
      .sort();
  };
  /** What it may do of all that is served, and anybody may not. */
  const beyondAnybody = async (namespace?: string): Promise<string[]> => {
    const all = await everything(namespace);
    expect(all.length).toBeGreaterThan(800);
    const common = new Set(await allowed(all, ANYBODY));
    return (await allowed(all)).filter((line) => !common.has(line));
  };
  const lines = (questions: readonly Question[]): string[] => questions.map(said).sort();
  /** The API server's own copy of the roles comes a moment after they are written. */
  async function eventuallyAllowed(question: Question | undefined): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if (question !== undefined && (await allows(question))) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the roles do not count after ten seconds');
  }

  /** Everything that the server serves, subresources too, with each verb of RBAC. */
  async function everything(namespace?: string): Promise<Question[]> {
    const get = async (path: string): Promise<JsonObject> => (await api.send('GET', path)).object;
    const groups = objectsOf(at(await get('/apis'), 'groups')).flatMap((group) => objectsOf(group['versions']));
    const paths = ['/api/v1', ...groups.map((row) => `/apis/${stringAt(row, 'groupVersion') ?? ''}`)];
    const lists = await Promise.all(paths.map(get));
    const served = lists.flatMap((list, index) =>
      objectsOf(list['resources']).map((row) => `${(paths[index] ?? '').split('/')[2] ?? ''} ${stringAt(row, 'name') ?? ''}`),
    );
    return [...new Set(served)].flatMap((entry) => {
      const [group = '', resource = ''] = entry.split(' ');
      const question = { group: group === 'v1' ? '' : group, resource, ...(namespace === undefined ? {} : { namespace }) };
      return VERBS.map((verb) => ({ verb, ...question }));
    });
  }

  test('may do all that the rows say', async () => {
    const wanted = rowsOf('cluster', 'own');
    expect(wanted.length).toBeGreaterThan(30);
    expect(await allowed(wanted)).toEqual(lines(wanted));
  });

  test('may do nothing else in the cluster, of all that is served', async () => {
    expect(await beyondAnybody()).toEqual(lines(rowsOf('cluster')));
  });

  test('and in its own namespace nothing more but Leases', async () => {
    const here = rowsOf('cluster', 'own').map((question) => ({ ...question, namespace: SYSTEM }));
    expect(await beyondAnybody(SYSTEM)).toEqual(lines(here));
  });

  test.each(NEVER.map((question) => [said(question), question] as const))('may not %s', async (_, question) => {
    expect(await allows(question)).toBe(false);
  });

  test('is refused for real too', async () => {
    const tried = [
      await api.send('GET', '/api/v1/secrets', undefined, ACCOUNT),
      await api.send('POST', `/api/v1/namespaces/${SYSTEM}/pods/any/exec?command=id`, undefined, ACCOUNT),
      await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'another' } }, ACCOUNT),
    ];
    expect(tried.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await api.send('GET', '/api/v1/namespaces', undefined, ACCOUNT)).status).toBe(200);
  });

  test('with overlay controller-delivery may do the rows of that, and nothing else', async () => {
    const more = rowsOf('controller');
    expect(await allowed(more)).toEqual([]);
    await kubectl(cluster, ['apply', '--server-side', '-k', join(ROOT, 'deploy/overlays/controller-delivery')]);
    await eventuallyAllowed(more[0]);
    // a question about all objects of a kind is denied where some alone are named
    expect(await beyondAnybody()).toEqual(lines([...rowsOf('cluster'), ...more.filter(({ name }) => name === undefined)]));
    expect(await allowed(more)).toEqual(lines(more));
    expect(await allowed(NEVER)).toEqual([]);
  });

  const rules = [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['control-plane-token'], verbs: ['get'] }];
  const subjects = [{ kind: 'ServiceAccount', name: 'tenantplane-reconciler', namespace: SYSTEM }];
  const role = (name: string): JsonObject => ({ apiVersion: RBAC, kind: 'Role', metadata: { name, namespace: PLANE }, rules });
  const binding = (name: string, kind: string, to = name): JsonObject => ({
    apiVersion: RBAC,
    kind: 'RoleBinding',
    metadata: { name, namespace: PLANE },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: to },
    subjects,
  });
  const made = async (object: JsonObject): Promise<void> => {
    expect(await api.send('POST', collection(object), object)).toMatchObject({ status: 201 });
  };

  describe('and then', () => {
    // in this order: a binding needs its role
    const tried: readonly (readonly [what: string, object: JsonObject, refused: string])[] = [
      ['applies the Role of a control plane', role('tenantplane-reconciler'), ''],
      ['binds no other Role under that name', binding('tenantplane-reconciler', 'Role', 'another'), 'attempting to grant RBAC permissions'],
      ['binds no ClusterRole', binding('tenantplane-reconciler', 'ClusterRole', 'cluster-admin'), 'attempting to grant RBAC permissions'],
      ['but binds it', binding('tenantplane-reconciler', 'Role'), ''],
      ['applies no other Role', role('one-more'), 'forbidden'],
    ];
    beforeAll(async () => {
      for (const namespace of NAMESPACES) await made(namespace);
      await kubectl(cluster, ['create', 'role', 'another', '--verb=get', '--resource=secrets', '-n', PLANE]);
    });
    test.each(tried)('%s', async (_, object, refused) => {
      const as = cluster.kubeconfigFor(ACCOUNT.user, ACCOUNT.groups);
      const input = JSON.stringify(object);
      if (refused === '') await eventuallyAllowed({ verb: 'escalate', ...ROLES, name: 'tenantplane-reconciler' });
      const ran = await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input, as });
      expect([ran.status, ran.stderr]).toEqual(refused === '' ? [0, ''] : [1, expect.stringContaining(refused)]);
    });
  });

  describe('and that takes', () => {
    const wider = { ...role('tenantplane-reconciler'), rules: [{ ...rules[0], resourceNames: ['control-plane-token', 'more'] }] };
    test.each([
      ['escalate', wider],
      ['bind', binding('tenantplane-reconciler', 'Role')],
    ] as const)('%s', async (verb, object) => {
      const [name, as] = ['tenantplane-reconciler-isolation', cluster.kubeconfigFor(ACCOUNT.user, ACCOUNT.groups)];
      const standing = await get<JsonObject>(cluster, ['clusterrole', name]);
      const put = (body: JsonObject): Promise<unknown> =>
        api.send('PATCH', `/apis/${RBAC}/clusterroles/${name}`, { rules: body['rules'] ?? [] });
      // what it holds already it may give without
      await kubectl(cluster, ['delete', 'rolebinding', 'tenantplane-reconciler', '-n', PLANE, '--ignore-not-found']);
      const apply = () => cluster.kubectl(['apply', '--server-side', '--dry-run=server', '-f', '-'], { input: JSON.stringify(object), as });
      await eventually(apply, ({ status }) => status === 0);
      await put(without(standing, { verb, resource: 'roles' }));
      const { seen } = await eventually(apply, ({ status }) => status !== 0);
      expect(seen.stderr).toContain('attempting to grant RBAC permissions not currently held');
      await put(standing);
    });
  });

  describe('and whatever its roles let through', () => {
    beforeAll(async () => {
      const rules = compileReconcilerAccess(tenantContext()).map(({ object }) => object['rules'])[0];
      for (const namespace of [PLANE, WORK, ELSEWHERE]) {
        await made({ ...role('rights'), rules: rules ?? [], metadata: { name: 'rights', namespace } });
        await made({ ...binding('rights', 'Role'), metadata: { name: 'rights', namespace } });
      }
      await eventuallyAllowed({ verb: 'create', group: '', resource: 'secrets', namespace: ELSEWHERE });
    });
    const refusal = ({ status, message }: Answer): string =>
      status < 300 ? '' : (/tenantplane-[a-z]+-by-reconciler' denied request: ([a-z-]+): /.exec(message)?.[1] ?? message);

    test('admission lets it make control planes, and refuses all else by its rule', async () => {
      const last = GUARD_CASES.filter(({ rules }) => rules.length > 0).at(-1);
      // a policy counts a moment after it was applied
      if (last !== undefined)
        await eventually(
          () => sendGuardCase(api, last, ACCOUNT),
          ({ status }) => status === 403,
        );
      const seen: [string, string][] = [];
      for (const row of GUARD_CASES) seen.push([row.what, refusal(await sendGuardCase(api, row, ACCOUNT))]);
      const wanted = GUARD_CASES.map(({ what, rules, rbac }) => [what, rbac ? expect.stringContaining('grant') : rules.join()]);
      expect(seen).toEqual(wanted);
    });

    test('and names who may what, and why', async () => {
      const row = GUARD_CASES.find(({ what }) => what === 'a tenant’s spec');
      if (row === undefined) throw new Error('no such case');
      expect((await sendGuardCase(api, row, ACCOUNT)).message).toBe(
        'tenantclusters.tenantplane.io "dev" is forbidden: ValidatingAdmissionPolicy \'tenantplane-tenantclusters-by-reconciler\' with binding ' +
          "'tenantplane-tenantclusters-by-reconciler' denied request: tenant: tenantplane-reconciler may change nothing of a TenantCluster but its finalizer: what a tenant is, people say.",
      );
      // whoever else may, may
      expect(await sendGuardCase(api, row, { user: 'admin', groups: ['system:masters'] })).toMatchObject({ status: 200 });
    });
  });
});
