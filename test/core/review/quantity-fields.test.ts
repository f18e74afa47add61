import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/kube/json.ts';
import { compareFields } from '../../../src/core/review/field-changes.ts';

/** An object with a value at a place; `[]` is a list of one item. */
function objectWith(apiVersion: string, kind: string, place: string, value: Json): JsonObject {
  const under = (steps: readonly string[]): Json => {
    const [step, ...rest] = steps;
    if (step === undefined) return value;
    return step === '[]' ? [under(rest)] : { [step]: under(rest) };
  };
  const spec = under(place.split('/'));
  return { apiVersion, kind, metadata: { name: 'a' }, spec };
}

function differs(apiVersion: string, kind: string, place: string, before: string, after: string): boolean {
  return compareFields(objectWith(apiVersion, kind, place, before), objectWith(apiVersion, kind, place, after)).length > 0;
}

const POD = 'template/spec/containers/[]';

describe('a quantity', () => {
  it.each([
    ['apps/v1', 'Deployment', `${POD}/resources/requests/cpu`],
    ['apps/v1', 'Deployment', `${POD}/resources/limits/example.com~gpu`],
    ['apps/v1', 'Deployment', `${POD}/env/[]/valueFrom/resourceFieldRef/divisor`],
    ['apps/v1', 'Deployment', 'template/spec/volumes/[]/emptyDir/sizeLimit'],
    ['apps/v1', 'Deployment', 'template/spec/overhead/cpu'],
    ['apps/v1', 'StatefulSet', 'volumeClaimTemplates/[]/spec/resources/requests/storage'],
    ['v1', 'PersistentVolumeClaim', 'resources/requests/storage'],
    ['v1', 'PersistentVolume', 'capacity/storage'],
    ['v1', 'ResourceQuota', 'hard/requests.memory'],
    ['v1', 'LimitRange', 'limits/[]/max/memory'],
    ['v1', 'LimitRange', 'limits/[]/defaultRequest/cpu'],
    ['autoscaling/v2', 'HorizontalPodAutoscaler', 'metrics/[]/resource/target/averageValue'],
    ['tenantplane.io/v1alpha1', 'IsolationProfile', 'limits/max/cpu'],
    ['tenantplane.io/v1alpha1', 'IsolationProfile', 'quota/pods'],
    ['tenantplane.io/v1alpha1', 'TenantCluster', 'resources/storage'],
    ['tenantplane.io/v1alpha1', 'TenantCluster', 'controlPlane/resources/requests/memory'],
  ])('of %s %s at %s is the same however it is written', (apiVersion, kind, place) => {
    expect(differs(apiVersion, kind, place, '1Gi', '1024Mi')).toBe(false);
    expect(differs(apiVersion, kind, place, '1', '1.0')).toBe(false);
    expect(differs(apiVersion, kind, place, '1Gi', '1025Mi')).toBe(true);
  });

  it.each([
    ['v1', 'Service', 'selector/storage'],
    ['v1', 'Pod', 'nodeSelector/cpu'],
    ['apps/v1', 'Deployment', 'selector/matchLabels/memory'],
    ['apps/v1', 'Deployment', 'template/metadata/labels/cpu'],
    ['apps/v1', 'Deployment', 'template/metadata/annotations/sizeLimit'],
    ['apps/v1', 'Deployment', 'template/metadata/labels/limits/max/cpu'],
    ['apps/v1', 'Deployment', `${POD}/args/limits/cpu`],
    ['networking.k8s.io/v1', 'NetworkPolicy', 'ingress/[]/from/[]/podSelector/matchLabels/storage'],
    ['v1', 'PersistentVolumeClaim', 'selector/matchLabels/storage'],
    ['example.com/v1', 'Widget', 'resources/requests/cpu'],
  ])('is none in %s %s at %s: text is text', (apiVersion, kind, place) => {
    expect(differs(apiVersion, kind, place, '1Gi', '1024Mi')).toBe(true);
    expect(differs(apiVersion, kind, place, '1', '1.0')).toBe(true);
  });
});
