import { describe, expect, test } from 'vitest';
import { parseField, resolveField } from '../../../src/core/explain/field-path.ts';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', annotations: { 'a.b/c': 'x' } },
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'side' }, { name: 'app', image: 'web:1' }] } } },
};

const pathOf = (text: string): unknown => {
  const steps = parseField(text);
  return steps === undefined ? undefined : resolveField(DEPLOYMENT, steps);
};

describe('a field as people write it', () => {
  test.each([
    ['/spec/replicas', ['spec', 'replicas']],
    ['spec.replicas', ['spec', 'replicas']],
    ['.spec.replicas', ['spec', 'replicas']],
    ['/metadata/annotations/a.b~1c', ['metadata', 'annotations', 'a.b/c']],
    ['metadata.annotations["a.b/c"]', ['metadata', 'annotations', 'a.b/c']],
    ["metadata.annotations['a.b/c']", ['metadata', 'annotations', 'a.b/c']],
    ['spec.template.spec.containers[app].image', ['spec', 'template', 'spec', 'containers', 1, 'image']],
    ['spec.template.spec.containers[name=app].image', ['spec', 'template', 'spec', 'containers', 1, 'image']],
    ['/spec/template/spec/containers/0/name', ['spec', 'template', 'spec', 'containers', 0, 'name']],
    ['spec.containers[app].image', ['spec', 'template', 'spec', 'containers', 1, 'image']],
  ])('%s', (text, path) => {
    expect(pathOf(text)).toEqual({ path, there: true });
  });

  test('one that is not there keeps the way it was written', () => {
    expect(pathOf('spec.paused')).toEqual({ path: ['spec', 'paused'], there: false });
    expect(pathOf('spec.containers[nope].image')).toEqual({ path: ['spec', 'containers', 'nope', 'image'], there: false });
  });

  test.each(['', 'spec..x', 'spec.[', 'spec]x'])('%j is none', (text) => {
    expect(parseField(text)).toBeUndefined();
  });
});
