import { describe, expect, test } from 'vitest';
import { unknownKind } from '../../../src/core/checks/unknown-kind.ts';
import { isOrMeansKind } from '../../../src/core/kube/misnamed-kind.ts';

describe('a kind that no host has is refused, with what to write:', () => {
  test.each([
    ['extensions/v1beta1', 'Deployment', 'Write apiVersion: apps/v1.'],
    ['extensions/v1beta1', 'Ingress', 'Write apiVersion: networking.k8s.io/v1.'],
    ['v1', 'Deployment', 'Write apiVersion: apps/v1.'],
    ['core/v1', 'Service', 'Write apiVersion: v1.'],
    ['v2', 'Namespace', 'Write apiVersion: v1.'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'Write apiVersion: policy/v1.'],
    ['batch/v1beta1', 'CronJob', 'Write apiVersion: batch/v1.'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'Write apiVersion: autoscaling/v2.'],
    ['networking.k8s.io/v1beta1', 'Ingress', 'Write apiVersion: networking.k8s.io/v1.'],
    ['discovery.k8s.io/v1beta1', 'EndpointSlice', 'Write apiVersion: discovery.k8s.io/v1.'],
    ['apps/v1', 'deployment', 'Write kind: Deployment.'],
    ['apps/v1', 'Deployments', 'Write kind: Deployment.'],
    ['v1', 'deployment', 'Write apiVersion: apps/v1 and kind: Deployment.'],
    ['v1', 'secret', 'Write kind: Secret.'],
    ['external-secrets.io/v1', 'externalsecret', 'Write kind: ExternalSecret.'],
    ['apps/v1', 'Deploymnt', 'Did you mean kind Deployment of apps/v1?'],
    ['networking.k8s.io/v1', 'Ingres', 'Did you mean kind Ingress of networking.k8s.io/v1?'],
    ['batch/v1', 'Deploymnt', 'Did you mean kind Deployment of apps/v1?'],
    ['v1', 'Gadget', 'Write a kind that the host has, or take the object out; the group of a custom kind has a dot in it.'],
  ])('%s %s', (apiVersion, kind, fix) => {
    expect(unknownKind({ apiVersion, kind }, 'p')).toMatchObject({
      reason: 'KindNotServed',
      params: { kind: `${apiVersion} ${kind}`, fix },
    });
  });
});

const CUSTOM = 'If it is a custom kind, add an entry with scope, references and selectors to SyncPolicy p.';

describe('what may be a custom kind is unknown, and no more:', () => {
  test.each([
    ['serving.knative.dev/v1', 'Service', CUSTOM],
    ['example.com/v1', 'Secrets', CUSTOM],
    ['example.com/v1', 'Gadget', CUSTOM],
    ['gateway.networking.k8s.io/v1', 'HTTPRoute', CUSTOM],
    ['external-secrets.io/v1', 'ClusterExternalSecret', CUSTOM],
    ['external-secrets.io/v1alpha1', 'ExternalSecret', CUSTOM],
    ['apps.k8s.io/v1', 'Deployment', 'Write apiVersion: apps/v1.'],
  ])('%s %s', (apiVersion, kind, fix) => {
    expect(unknownKind({ apiVersion, kind }, 'p')).toMatchObject({ reason: 'KindUnknown', params: { kind: `${apiVersion} ${kind}`, fix } });
  });
});

test.each([
  ['apps/v1', 'Deployment', true],
  ['v1', 'Deployment', true],
  ['', 'Deployment', true],
  ['apps/v1', 'deployment', true],
  ['example.com/v1', 'Deployment', false],
  ['apps/v1', 'StatefulSet', false],
])('%s %s is looked for as a Deployment: %s', (apiVersion, kind, meant) => {
  expect(isOrMeansKind(apiVersion, kind, 'Deployment.apps')).toBe(meant);
});
