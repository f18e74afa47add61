import { describe, expect, test } from 'vitest';
import { call } from '../../../src/core/reach/call.ts';
import { pairOf, pairsAcross, passes, portsOf, type Server } from '../../../src/core/reach/pairs.ts';
import { declaredPorts, portText } from '../../../src/core/reach/ports.ts';
import { type World, type WorldFacts, worldOf } from '../../../src/core/reach/world.ts';
import { type Files, planFiles, policy, profile, tenant } from '../../support/observe.ts';

const POD = `{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [{name: main, image: 'r.example/a:1',
  securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}, ports: [{name: http, containerPort: 8080}]}]`;
const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}, spec: ${POD}}}
`;
const service = (name: string, port: string): string => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {selector: {app: ${name}}, ports: [${port}]}
`;

function world(files: Files, facts: WorldFacts = { enforcement: 'enforced' }): World {
  const { tenants } = planFiles({ 'platform/policy.yaml': policy(), ...files }, { host: { version: '1.34' } });
  return worldOf(
    tenants.map(({ namespace, name, files }) => ({ id: `${namespace}/${name}`, files })),
    facts,
  );
}

const servers = (found: World): Server[] =>
  found.workloads.map((workload) => ({
    name: `${workload.tenant}:${workload.name}`,
    end: workload.end,
    tenant: workload.tenant,
    single: workload.single,
    ports: declaredPorts(found, workload),
  }));

function named(found: World, name: string): Server {
  const server = servers(found).find((each) => each.name === name);
  if (server === undefined) throw new Error(`${name} is not rendered`);
  return server;
}

describe('what a plan says of pods', () => {
  const one = (objects: string): World =>
    world({ 'platform/profile.yaml': profile(), 'tenants/dev/tenant.yaml': tenant('dev'), 'tenants/dev/objects/a.yaml': objects });

  test('labels that controllers give are not known, and their keys are', () => {
    const [web] = one(deployment('web')).workloads;
    expect(web?.end.labels.open('pod-template-hash')).toBe(true);
    expect(web?.end.labels.open('app')).toBe(false);
    expect(web).toMatchObject({ kind: 'Deployment', name: 'web', virtualNamespace: 'shop', single: false, tenant: 'team-dev/dev' });
  });

  test('a Job’s pods carry its name on the host', () => {
    const job = `apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: shop}
spec: {template: {spec: ${POD}, restartPolicy: Never}}}
`;
    const [once] = one(job).workloads;
    expect(once?.end.labels.known.get('job-name')).toBe(once?.hostName);
  });

  test('ports are those of containers and of Services that lead there', () => {
    const found = one(
      deployment('web') + service('web', '{name: http, port: 80, targetPort: http}, {name: metrics, port: 81, targetPort: 9090}'),
    );
    expect(found.workloads.map((workload) => declaredPorts(found, workload).map(portText))).toEqual([['TCP 8080', 'TCP 9090']]);
  });

  test('a pod always reaches itself, several of a kind do as policies say', () => {
    const found = world({
      'platform/profile.yaml': profile('tight', 'sandboxed'),
      'tenants/dev/tenant.yaml': tenant('dev', { profile: 'tight', spec: '  networking: {egressPolicy: deny-by-default}\n' }),
      'tenants/dev/objects/a.yaml': `${deployment('web')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: one, namespace: shop}\nspec: ${POD}}\n`,
    });
    const verdicts = servers(found).map((each) => [each.name, call(found, each, each, { protocol: 'TCP', port: 8080 }).verdict]);
    expect(Object.fromEntries(verdicts)).toEqual({ 'team-dev/dev:web': 'DoesNotAdmit', 'team-dev/dev:one': 'Admits' });
  });
});

const FLEET: Files = {
  'platform/profiles.yaml': [profile('open', 'baseline'), profile('middle')].join('---\n'),
  'tenants/a/tenant.yaml': tenant('a', { profile: 'open', spec: '  networking: {egressPolicy: unrestricted}\n' }),
  'tenants/b/tenant.yaml': tenant('b', { profile: 'open' }),
  'tenants/c/tenant.yaml': tenant('c', { profile: 'middle' }),
  ...Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`tenants/${name}/objects/app.yaml`, `${deployment('web')}---\n${deployment('db')}`]),
  ),
};

describe('what the host does decides', () => {
  const verdict = (facts: WorldFacts): unknown => {
    const found = world(FLEET, facts);
    const { verdict, byPolicies, missing } = call(found, named(found, 'team-c/c:web'), named(found, 'team-b/b:web'), {
      protocol: 'TCP',
      port: 8080,
    });
    return [verdict, byPolicies, missing];
  };
  test.each<[WorldFacts, unknown]>([
    [{ enforcement: 'enforced' }, ['DoesNotAdmit', 'DoesNotAdmit', []]],
    [{}, ['Undecidable', 'DoesNotAdmit', ['enforcement']]],
    [{ enforcement: 'ignored' }, ['NotSelected', 'DoesNotAdmit', []]],
  ])('%j', (facts, expected) => {
    expect(verdict(facts)).toEqual(expected);
  });
});

test('pairs across tenants are those that asking each one gives', () => {
  const found = world(FLEET);
  const all = servers(found);
  const asked = all.flatMap((from) => all.filter((to) => to.tenant !== from.tenant).map((to) => pairOf(found, from, to)));
  const { count, pairs } = pairsAcross(found, all);
  const text = (list: typeof asked): string[] =>
    list.map((pair) => `${pair.from.name} ${pair.to.name} ${portsOf(pair, '?').join()}`).sort();
  expect(count).toBe(asked.length);
  expect(text([...pairs])).toEqual(text(asked.filter(passes)));
  // an unrestricted tenant may reach pods whose addresses are not private, where their ingress is open
  expect(text([...pairs])).toEqual(['db', 'web'].flatMap((from) => ['db', 'web'].map((to) => `team-a/a:${from} team-b/b:${to} TCP 8080`)));
});
