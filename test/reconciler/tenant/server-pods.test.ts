import { describe, expect, test } from 'vitest';
import { serversFound } from '../../../src/core/controlplane/lifecycle/servers.ts';
import { CONTROL_PLANE_POD } from '../../../src/core/isolation/peers.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { serverPods } from '../../../src/reconciler/tenant/server-pods.ts';

const OWNER: JsonObject = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'control-plane', uid: 'u', controller: true };
const pod = (owners: JsonObject[], labels: JsonObject = { ...CONTROL_PLANE_POD }): JsonObject => ({
  kind: 'Pod',
  metadata: { name: 'x', labels, ownerReferences: owners },
});

describe('whether a pod is a server of the control plane', () => {
  test.each([
    ['one of the StatefulSet', pod([OWNER]), true],
    ['one that has no more than the label', pod([]), false],
    ['one of another set', pod([{ ...OWNER, name: 'other' }]), false],
    ['one that somebody else controls', pod([{ ...OWNER, controller: false }]), false],
    ['one without the label', pod([OWNER], {}), false],
  ])('%s', (_, object, is) => expect(serverPods([object])).toHaveLength(is ? 1 : 0));
});

test('what a server said last is told without the credentials in it, also where the line is cut', () => {
  const token = `K10${'0'.repeat(64)}::server:${'s3cret'.repeat(80)}`;
  const words = (said: string): string => {
    const status = {
      containerStatuses: [
        { name: 'k3s', state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { message: said } } },
      ],
    };
    const pods = serverPods([{ ...pod([OWNER]), status }]);
    const live = { statefulSet: {}, pods, services: [], configMaps: [], claims: [], workloads: 0 };
    return serversFound({ live, api: { kind: 'not-asked' }, now: 0, tenantCluster: {} }).message;
  };
  expect(words('dial https://admin:s3cret@database:5432 failed\n')).toContain('It said last: dial https://***@database:5432 failed');
  expect(words(`joining with ${token}\n`)).toContain('It said last: joining with ***');
});
