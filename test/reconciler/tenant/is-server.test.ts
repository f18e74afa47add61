import { describe, expect, test } from 'vitest';
import { CONTROL_PLANE_POD } from '../../../src/core/isolation/peers.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { isServer } from '../../../src/reconciler/tenant/observe.ts';

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
  ])('%s', (_, object, is) => expect(isServer(object)).toBe(is));
});
