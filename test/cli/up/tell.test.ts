import { expect, test } from 'vitest';
import { checkServed } from '../../../src/cli/up/apply-stage.ts';
import { afterwards, leaderWords } from '../../../src/cli/up/leader-words.ts';
import { tellConditions } from '../../../src/cli/up/tell-conditions.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import type { Discovery } from '../../../src/kube/discovery/discovery.ts';

const tenant = (...conditions: { type: string; status: string; reason: string; message?: string }[]): KubeObject => ({
  metadata: { name: 'dev', namespace: 'team-dev' },
  status: { conditions },
});

test('each condition that is not as wanted is told, with what its row says to do', () => {
  const told = tellConditions(
    tenant(
      { type: 'Ready', status: 'False', reason: 'VersionUnsupported', message: 'no release of 1.99' },
      { type: 'Stalled', status: 'True', reason: 'VersionUnsupported', message: 'no \u001b[31mrelease of 1.99' },
      { type: 'ControlPlaneReady', status: 'Unknown', reason: 'NotStarted' },
      { type: 'IsolationEnforced', status: 'True', reason: 'Enforced' },
      { type: 'Paused', status: 'False', reason: 'User' },
      { type: 'constructor', status: 'False', reason: 'User' },
    ),
  );
  expect(told.slice(0, 3)).toEqual([
    '  Ready is False (VersionUnsupported): no release of 1.99',
    expect.stringMatching(/^ {2}Stalled is True \(VersionUnsupported\): no .+release of 1\.99$/),
    '    try: Use a version that the message lists, or give the reconciler the release (--releases).',
  ]);
  expect(told.join('\n')).toContain('ControlPlaneReady is Unknown (NotStarted)');
  expect(told.join('\n')).not.toMatch(/Enforced|Paused|constructor/);
  expect(told.join('\n')).not.toContain('\u001b');
});

test('of a tenant that nobody has looked at, where to look', () => {
  expect(tellConditions(tenant())).toEqual([expect.stringContaining('kubectl get lease -n tenantplane-system')]);
});

test('who leads is said as it is, whatever an identity holds', () => {
  expect(leaderWords(undefined)).toBe('the reconciler runs here and leads, as tenantplane-system/tenantplane-reconciler');
  expect(leaderWords(`pod\u001b[2J_${'x'.repeat(500)}`)).toMatch(/^the reconciler here stands by: pod.{1,120}… leads/);
  expect(leaderWords('\u001b[2J')).not.toContain('\u001b');
  expect(afterwards(undefined, false)).toContain('nobody looks after them');
  expect(afterwards('pod_1', false)).not.toContain('nobody');
});

const serves = (...kinds: string[]): Discovery =>
  ({
    lookUp: async ({ kind }: { kind: string }) => ({
      value: kinds.includes(kind) ? { group: '', version: 'v1', kind, plural: 'x', namespaced: true } : undefined,
    }),
  }) as unknown as Discovery;
const stage = (...objects: KubeObject[]) => [{ name: 'all', objects }];
const object = (apiVersion: string, kind: string, spec = {}): KubeObject => ({ apiVersion, kind, metadata: { name: 'a' }, spec });
const { signal } = new AbortController();

test.each([
  ['external-secrets.io/v1', 'ExternalSecret', /CustomResourceDefinition/],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute', /CustomResourceDefinition/],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', /Kubernetes 1\.30 or later/],
])('a host that does not serve %s %s is told so before anything is applied', async (apiVersion, kind, hint) => {
  const all = stage(object('v1', 'ConfigMap'), object(apiVersion, kind));
  await expect(checkServed(all, serves('ConfigMap'), signal)).rejects.toMatchObject({
    message: `The host does not serve ${apiVersion} ${kind}.`,
    hint: expect.stringMatching(hint),
  });
});

test('a kind whose definition is applied as well need not be served yet', async () => {
  const definition = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { group: 'a.example', names: { kind: 'A' } });
  await checkServed(stage(object('a.example/v1', 'A'), definition), serves('CustomResourceDefinition'), signal);
});
