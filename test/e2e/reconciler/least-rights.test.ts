import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectAt, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import type { AuditEntry } from '../../bed/audit.ts';
import { eventually } from '../delivery/eventually.ts';
import { ROOT } from '../workspace.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';
import { isAskedFor, type Right, rightsOf, tell, without } from './rights.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';

let host: TenantHost;
let kubeconfig: string;
beforeAll(async () => {
  // where lists are not streamed they are asked for, so that both verbs are seen
  host = await startTenantHost({ flags: ['--feature-gates=WatchList=false'] });
  kubeconfig = await host.signedIn();
});
afterAll(() => host?.stop());

const ROLE = 'tenantplane-reconciler';
const OVERLAY = 'tenantplane-reconciler-isolation';
const place = (name: string): string => `cp-x-${name}-x-team-${name}`;
const tenant = (name: string): Promise<JsonObject | undefined> => host.get('tenantcluster', name, `team-${name}`);
const until = (name: string, holds: (object: JsonObject | undefined) => boolean): Promise<unknown> =>
  eventually(() => tenant(name), holds, 120);
const hasCondition = (object: JsonObject | undefined, wanted: string): boolean =>
  objectsOf(objectAt(object, 'status')?.['conditions']).some(({ type, reason }) => `${type} ${reason}` === wanted);

async function takeDown(name: string): Promise<void> {
  await host.kubectl(['delete', 'tenantcluster', name, '-n', `team-${name}`, '--wait=false']);
  await until(name, (object) => object === undefined);
}

function run(): ReconcilerProcess {
  const flags = [`--releases=${host.releases}`, '--leader-elect-namespace=tenantplane-system', '--log-level=info'];
  return startReconciler({ kubeconfig, flags });
}

/** What between them ask for everything that the rights are for. */
const LIVES: Readonly<Record<string, string>> = {
  whole: '  controlPlane: {expose: {loadBalancer: true}}\n',
  members: '  controlPlane: {replicas: 3, datastore: {type: etcd}, storage: {onDelete: Retain}}\n',
  database: '  controlPlane: {datastore: {type: postgres, secretRef: {name: database}, egress: {cidrs: [192.0.2.1/32]}}}\n',
};

const OWN_ROLE = 'rbac.authorization.k8s.io/roles tenantplane-reconciler';
const refused = (entries: readonly AuditEntry[]): string[][] =>
  entries.filter(({ code }) => code === 403).map(({ verb, resource, namespace, name }) => [verb, resource, namespace, name]);
const unused = (rights: readonly Right[], entries: readonly AuditEntry[]): string[] =>
  rights.filter((right) => !isAskedFor(right, entries)).map(tell);

describe('the rights that the reconciler is installed with', () => {
  test('are all that its tenants’ lives need, and each of them is needed', { tags: 'release', timeout: 600_000 }, async () => {
    run();
    for (const [name, spec] of Object.entries(LIVES)) await host.commit(name, spec);
    const cluster = [await host.get('clusterrole', ROLE), await host.get('role', ROLE, 'tenantplane-system')].flatMap(rightsOf);
    const inTenants = new Map<string, readonly Right[]>();
    for (const name of Object.keys(LIVES)) inTenants.set(name, rightsOf(await host.get('role', ROLE, place(name))));
    await until('database', (object) => hasCondition(object, 'Stalled DatastoreSecretMissing'));
    const hasServers = async (): Promise<boolean> => (await host.get('statefulset', 'control-plane', place('members'))) !== undefined;
    await eventually(hasServers, Boolean);
    await until('whole', (object) => stringAt(object, 'status', 'phase') === 'Ready');
    // an Event is counted, not written again, where the same happens twice
    for (const value of ['=true', '-', '=true', '-']) {
      await host.kubectl(['annotate', 'tenantcluster', 'whole', '-n', 'team-whole', `tenantplane.io/paused${value}`]);
      await until('whole', (object) => hasCondition(object, 'Paused User') === (value === '=true'));
    }
    for (const name of Object.keys(LIVES)) await takeDown(name);
    // volumes go with their StatefulSet; one that was kept, of a tenant that comes back and never starts, has none
    await host.commit('members', LIVES['database'] ?? '');
    await until('members', (object) => hasCondition(object, 'Stalled DatastoreSecretMissing'));
    await takeDown('members');

    const asked = host.cluster.audit();
    expect(refused(asked)).toEqual([]);
    const inside = (name: string): readonly AuditEntry[] => asked.filter(({ namespace }) => namespace === place(name));
    expect(unused(cluster, asked)).toEqual([]);
    // one life of them has to need it: a tenant whose database is missing has no servers, and one server no members
    const tenantRights = [...inTenants].flatMap(([name, rights]) =>
      rights.map((right) => ({
        right: tell(right).replace(`${name}-control-plane`, 'TENANT-control-plane'),
        needed: isAskedFor(right, inside(name)),
      })),
    );
    const needed = new Set(tenantRights.filter((each) => each.needed).map(({ right }) => right));
    const never = [...new Set(tenantRights.map(({ right }) => right))].filter((right) => !needed.has(right));
    expect(never).toEqual([]);
    expect(needed.size).toBeGreaterThan(15);
  });

  test('with overlay controller-delivery are those of a life whose boundary it delivers, and no more', {
    tags: 'release',
    timeout: 240_000,
  }, async () => {
    const before = host.cluster.audit().length;
    for (const file of ['admission', 'clusterrole', 'clusterrolebinding'])
      await host.kubectl(['apply', '--server-side', '-f', join(ROOT, `deploy/overlays/controller-delivery/${file}.yaml`)]);
    run();
    // several members have a disruption budget; without their database none is started
    const spec = `  delivery: controller\n${LIVES['database']?.replace('{', '{replicas: 2, ')}`;
    await host.commit('delivered', spec, (file) => file.endsWith('/namespace_team-delivered.yaml'));
    await until('delivered', (object) => hasCondition(object, 'Stalled DatastoreSecretMissing'));
    await takeDown('delivered');
    const asked = host.cluster.audit().slice(before);
    // it looks for Secrets and settings before it has made its Role there, and after it has taken it away
    const looks = ([verb, resource, namespace]: readonly string[]): boolean =>
      verb === 'get' && ['secrets', 'configmaps'].includes(resource ?? '') && namespace === place('delivered');
    expect(refused(asked).filter((each) => !looks(each))).toEqual([]);
    const rights = rightsOf(await host.get('clusterrole', OVERLAY));
    expect(rights.length).toBeGreaterThan(15);
    // who makes roles and bindings needs these, and asks for the roles and bindings: test/e2e/deploy/rbac.test.ts takes them away
    expect(unused(rights, asked)).toEqual([`escalate ${OWN_ROLE}`, `bind ${OWN_ROLE}`]);
  });

  test.each([
    { kind: 'role', where: () => 'tenantplane-system', verb: 'get', resource: 'leases', says: 'the lease could not be asked for' },
    { kind: 'clusterrole', where: () => undefined, verb: 'list', resource: 'networkpolicies', says: 'cannot list resource' },
    { kind: 'clusterrole', where: () => undefined, verb: 'patch', resource: 'tenantclusters/status', says: 'tenantclusters/status' },
    { kind: 'role', where: () => place('broken'), verb: 'create', resource: 'secrets', says: 'cannot create resource' },
    { kind: 'clusterrole', where: () => undefined, verb: 'create', resource: 'events', says: 'an Event was given up', ready: true },
  ])(
    'without $verb of $resource nothing is silent: "$says"',
    { tags: 'release' },
    async ({ kind, where, verb, resource, says, ready = false }) => {
      await host.commit('broken', '');
      const namespace = where();
      const before = await host.get(kind, ROLE, namespace);
      expect(before).toBeDefined();
      const rules = (role: JsonObject | undefined): string =>
        JSON.stringify([{ op: 'replace', path: '/rules', value: role?.['rules'] ?? [] }]);
      const there = namespace === undefined ? [] : ['-n', namespace];
      const patch = (role: JsonObject | undefined): Promise<string> =>
        host.kubectl(['patch', kind, ROLE, ...there, '--type=json', '-p', rules(role)]);
      await patch(without(before ?? {}, { verb, resource }));
      try {
        const process = run();
        const told = async (): Promise<boolean> =>
          process
            .stderr()
            .split('\n')
            .some((line) => line.includes(says) && line.includes('forbidden') && line.includes(resource));
        await eventually(told, Boolean, 60);
        if (!ready) expect(stringAt(await tenant('broken'), 'status', 'phase')).not.toBe('Ready');
      } finally {
        await patch(before);
      }
    },
  );
});
