import { describe, expect, test } from 'vitest';
import { findRelease, KUBERNETES_RELEASES, type KubernetesRelease, nextStep } from '../../../src/core/controlplane/kubernetes-versions.ts';

const release = (version: string): KubernetesRelease => ({ version, image: `k3s:${version}` });
const TABLE = ['1.33.5', '1.34.2', '1.34.10', '1.35.0', '1.37.1'].map(release);

describe('a release', () => {
  test.each([
    [undefined, '1.37.1'],
    ['', '1.37.1'],
    ['1.34', '1.34.10'],
    ['v1.34', '1.34.10'],
    ['1.34.2', '1.34.2'],
    ['v1.34.2', '1.34.2'],
    ['1.34.3', undefined],
    ['1.36', undefined],
    ['1.34.2+k3s2', undefined],
    ['1.34-rc1', undefined],
    ['1.34.2-rc1', undefined],
    ['latest', undefined],
  ])('for %s is %s', (wanted, found) => {
    expect(findRelease(wanted, TABLE)?.version).toBe(found);
  });

  test('with a suffix is the row that has it too', () => {
    const table = [release('1.34.2'), release('1.34.2+k3s2')];
    expect(findRelease('v1.34.2+k3s2', table)?.image).toBe('k3s:1.34.2+k3s2');
    expect(findRelease('1.34', table)?.version).toBe('1.34.2+k3s2');
    expect(findRelease('1.34', [release('1.34.2-rc1'), release('1.34.2')])?.version).toBe('1.34.2');
  });

  test('is there for each minor version that hosts may have, as one image each', () => {
    const minors = Array.from({ length: 10 }, (_, index) => `1.${28 + index}`);
    expect(minors.map((minor) => findRelease(minor)?.version.split('.').slice(0, 2).join('.'))).toEqual(minors);
    for (const { version, image } of KUBERNETES_RELEASES) expect(image).toBe(`rancher/k3s:v${version}-k3s1`);
  });
});

describe('the next step', () => {
  test.each([
    [undefined, '1.37.1', '1.37.1', true],
    ['1.34.2', '1.34.2', '1.34.2', true],
    ['1.34.2', '1.34.10', '1.34.10', true],
    ['1.34.10', '1.35.0', '1.35.0', true],
    ['1.33.5', '1.35.0', '1.34.10', false],
    ['1.33.1', '1.37.1', '1.34.10', false],
  ])('from %s to %s is %s', (current, wanted, to, last) => {
    expect(nextStep(current, release(wanted), TABLE)).toEqual({ to: release(to), last });
  });

  test.each([
    ['1.35.0', '1.34.10', 'downgrade', 'It runs Kubernetes 1.35.0, and 1.34.10 could not read what that has stored.'],
    ['1.34.10', '1.34.2', 'downgrade', 'It runs Kubernetes 1.34.10, and 1.34.2 could not read what that has stored.'],
    ['1.34.2+k3s2', '1.34.2', 'downgrade', 'It runs Kubernetes 1.34.2+k3s2, and 1.34.2 could not read what that has stored.'],
    [
      '1.35.0',
      '1.37.1',
      'unknown',
      'From Kubernetes 1.35.0 to 1.37.1 it has to go one minor version at a time, and no release of 1.36 is known.',
    ],
    ['edge', '1.37.1', 'unknown', 'edge is no version of Kubernetes.'],
  ])('from %s to %s is refused: %s', (current, wanted, refused, why) => {
    expect(nextStep(current, release(wanted), TABLE)).toEqual({ refused, why });
  });

  test('repeated, passes every minor version between and ends at what is wanted', () => {
    const wanted = findRelease(undefined) ?? release('none');
    const way: string[] = [];
    for (let current = '1.28.13'; current !== wanted.version && way.length < 20; ) {
      const step = nextStep(current, wanted, KUBERNETES_RELEASES);
      if ('refused' in step) throw new Error(step.why);
      expect(step.last).toBe(step.to === wanted);
      way.push(step.to.version);
      current = step.to.version;
    }
    expect(way.map((version) => Number(version.split('.')[1]))).toEqual([29, 30, 31, 32, 33, 34, 35, 36, 37]);
  });
});
