import { describe, expect, it } from 'vitest';
import { METADATA_LIMIT } from '../../../src/core/checks/metadata-checks.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { devPackage, planFiles, profile } from '../../support/observe.ts';

const entries = (count: number): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'a']));
const configMap = (metadata: JsonObject): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } });
const deployment = (metadata: JsonObject): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: { selector: { matchLabels: { k0: 'a' } }, template: { metadata, spec: { containers: [{ name: 'a', image: 'a:1' }] } } },
});
const said = (object: KubeObject): string[] =>
  planFiles(devPackage({ 'a.yaml': emitYaml(object) }, { profile: profile('restricted', 'baseline') }))
    .tenants.flatMap(({ decisions }) => decisions)
    .filter(({ source }) => source?.name === 'a')
    .map(({ action, reason, message }) => (action === 'Skip' ? `${reason}: ${message}` : 'rendered'));

describe('labels and annotations, of an object and of its templates', () => {
  const places: readonly (readonly [string, (count: number) => KubeObject, string])[] = [
    ['labels', (count) => configMap({ labels: entries(count) }), 'labels'],
    ['annotations', (count) => configMap({ annotations: entries(count) }), 'annotations'],
    ['labels of a template', (count) => deployment({ labels: entries(count) }), 'labels'],
    ['annotations of a template', (count) => deployment({ labels: { k0: 'a' }, annotations: entries(count) }), 'annotations'],
  ];
  it.each(places)('are as many as admission can look at: %s', (_, make, field) => {
    expect(said(make(METADATA_LIMIT))).toEqual(['rendered']);
    expect(said(make(METADATA_LIMIT + 1))).toEqual([expect.stringMatching(`^MetadataTooLarge: There are 1001 ${field}, and 1000 at most`)]);
  });
});
