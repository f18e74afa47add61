import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { devPackage, type Files, planFiles, previousOf, profile } from '../../support/observe.ts';

/** A range that leaves `hostCIDRs` stays closed in a frozen tenant's own policies: its tree is older than the platform, and says so. */

const policy = (name: string, to: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: ${name}}\nspec: {podSelector: {}, policyTypes: [Egress], egress: [{to: ${to}}]}\n`;
const ALL = policy('all', '[{ipBlock: {cidr: 0.0.0.0/0}}]');
const SOME = policy('some', '[{ipBlock: {cidr: 8.0.0.0/8, except: [8.1.0.0/16]}}]');
const ranges = (...cidrs: string[]): string => profile('restricted', 'restricted', `  network: {hostCIDRs: [${cidrs.join(', ')}]}\n`);

const files = devPackage(
  { 'all.yaml': ALL, 'some.yaml': SOME },
  { profile: ranges('8.8.0.0/16', '9.0.0.0/8', '2a00::/16'), spec: '  networking: {egressPolicy: unrestricted}\n' },
);
const BAD = { 'tenants/dev/objects/bad.yaml': 'a: [' };

function waiting(more: Files, given: Plan = planFiles(files)): { readonly said: readonly string[]; readonly plan: Plan } {
  const plan = planFiles({ ...files, ...more }, { maxDeletions: 1000 }, previousOf(given));
  expect(plan.tenants[0]?.frozen).toBeDefined();
  return { plan, said: plan.findings.filter(({ reason }) => reason === 'BoundaryWaits').map(({ message }) => message) };
}

test('each policy is named with the ranges that it keeps closed', () => {
  const { said } = waiting({ ...BAD, 'platform/profile.yaml': ranges('9.0.0.0/8') });
  expect(said).toEqual([
    'Tenant team-dev/dev is frozen, and this of its boundary with it: NetworkPolicy/all-x-default-x-dev (keeps 8.8.0.0/16 closed, which nothing asks for any more), ' +
      'NetworkPolicy/some-x-default-x-dev (keeps 8.8.0.0/16 closed, which nothing asks for any more) would change and stay as they last were.',
  ]);
});

test('a range of which parts are closed still, and not all, is named', () => {
  const { said } = waiting({ ...BAD, 'platform/profile.yaml': ranges('8.8.0.0/17', '8.8.128.0/18', '9.0.0.0/8', '2a00::/16') });
  expect(said.join()).toContain('NetworkPolicy/all-x-default-x-dev (keeps 8.8.0.0/16 closed, which nothing asks for any more)');
});

test('it is said as long as it is so, and not once the tenant is sound', () => {
  const narrowed = { 'platform/profile.yaml': ranges('9.0.0.0/8') };
  const first = waiting({ ...BAD, ...narrowed });
  // what is written of the boundary stands now; the tenant's own policies as they stood
  const tree = [...previousOf(first.plan), ...previousOf(planFiles(files)).filter(({ source }) => /_(all|some)-x/.test(source.path))];
  const again = planFiles({ ...files, ...BAD, ...narrowed }, {}, tree);
  expect(again.findings.filter(({ reason }) => reason === 'BoundaryWaits').map(({ message }) => message)).toEqual(first.said);
  const sound = planFiles({ ...files, ...narrowed }, {}, tree);
  expect(sound.findings.filter(({ reason }) => reason === 'BoundaryWaits')).toEqual([]);
});

test.each<[string, Files]>([
  ['no range left', {}],
  ['a range was split', { 'platform/profile.yaml': ranges('8.8.0.0/17', '8.8.128.0/18', '8.8.192.0/18', '9.0.0.0/8', '2a00::/16') }],
  ['a range was added', { 'platform/profile.yaml': ranges('8.8.0.0/16', '9.0.0.0/8', '2a00::/16', '11.0.0.0/8') }],
  ['the tenant’s own exceptions are all there is', { 'platform/profile.yaml': ranges('8.8.0.0/16', '9.0.0.0/8', '2a00::/16') }],
  [
    'the tenant’s own policies name the range now',
    {
      'platform/profile.yaml': ranges('9.0.0.0/8', '2a00::/16'),
      'tenants/dev/objects/all.yaml': policy('all', '[{ipBlock: {cidr: 0.0.0.0/0, except: [8.8.0.0/16]}}]'),
      'tenants/dev/objects/some.yaml': policy('some', '[{ipBlock: {cidr: 8.0.0.0/8, except: [8.1.0.0/16, 8.8.0.0/16]}}]'),
    },
  ],
  ['egress is closed, so nothing is left of the policy’s ranges', { 'platform/profile.yaml': ranges('9.0.0.0/8'), ...closed() }],
])('nothing of the kind is said where %s', (_, more) => {
  expect(waiting({ ...BAD, ...more }).said.filter((text) => text.includes('closed'))).toEqual([]);
});

test('whether a range is the tenant’s own is not guessed where its policy cannot be read', () => {
  const lost = { 'tenants/dev/objects/some.yaml': 'a: [', 'platform/profile.yaml': ranges('9.0.0.0/8', '2a00::/16') };
  const { said } = waiting(lost);
  expect(said.join()).toContain('NetworkPolicy/all-x-default-x-dev (keeps 8.8.0.0/16 closed');
  expect(said.join()).not.toContain('some-x-default');
});

function closed(): Files {
  const text = files['tenants/dev/tenant.yaml'] ?? '';
  expect(text).toContain('unrestricted');
  return { 'tenants/dev/tenant.yaml': text.replace('unrestricted', 'deny-by-default') };
}
