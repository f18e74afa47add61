import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { devPackage, profile } from '../support/observe.ts';
import { tenantplane } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: disk}
spec:
  containers: [{name: main, image: "web:1"}]
  volumes: [{name: node, hostPath: {path: /}}]
`;

/** The profile's own control, and what Pod Security forbids where that is off. */
test.each([
  ['true', 'controls.blockHostPathVolumes', 'platform/profile.yaml:7'],
  ['false', 'controls.podSecurity', 'platform/profile.yaml:8'],
])('a refusal with blockHostPathVolumes: %s is caused by the field %s alone, in every printer', async (value, field, place) => {
  const root = scratch();
  const controls = `  controls:\n    blockHostPathVolumes: ${value}\n    podSecurity: restricted\n`;
  put(root, devPackage({ 'pod.yaml': POD }, { profile: profile('restricted', 'restricted', controls) }));
  await tenantplane(['render', '-q', '--ledger'], { cwd: root });
  const cause = `IsolationProfile/restricted#${field}`;
  const json = async (...argv: string[]): Promise<string> => (await tenantplane([...argv, '-o', 'json'], { cwd: root })).out;

  const ledger = readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8');
  const line = ledger.split('\n').find((text) => text.includes('v1/Pod|'));
  expect(JSON.parse(line ?? '')).toMatchObject({ action: 'Skip', profile: cause });
  const sync = await json('explain-sync', '.', '--tenant', 'dev', '--kind', 'v1/Pod', '--name', 'disk', '-n', 'default');
  expect(JSON.parse(sync)).toMatchObject({ decision: { rules: [cause] } });
  const why = JSON.parse(await json('why', 'pod/disk'));
  expect(why.subjects[0].decision.causes).toEqual([{ ref: 'IsolationProfile/restricted', control: field }]);
  const { out } = await tenantplane(['why', 'pod/disk'], { cwd: root });
  expect(out).toMatch(new RegExp(`profile +${cause} +${place}`));
});

const DAEMON_SET = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: main, image: "web:1"}]}}
`;
const ENDPOINTS = `apiVersion: v1
kind: Endpoints
metadata: {name: db}
subsets: [{addresses: [{ip: 10.0.0.5}], ports: [{port: 80}]}]
`;
const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {rules: []}
`;

/** The SyncPolicy lists these kinds: it is the profile that does not agree. */
test.each([
  ['ds/agent', DAEMON_SET, 'allow.daemonSets'],
  ['endpoints/db', ENDPOINTS, 'allow.endpoints'],
  ['ingress/web', INGRESS, 'allow.ingressClasses'],
])('the opt-in that %s needs is the profile’s', async (name, object, field) => {
  const root = scratch();
  put(root, devPackage({ 'object.yaml': object }, { profile: profile('restricted', 'baseline', '  allow: {ingressClasses: []}\n') }));
  const why = JSON.parse((await tenantplane(['why', name, '-o', 'json'], { cwd: root })).out);
  expect(why.subjects[0].decision).toMatchObject({
    reason: 'OptInNeeded',
    causes: [{ ref: 'IsolationProfile/restricted', control: field }],
  });
});
