import { describe, expect, test } from 'vitest';
import { levelDefaults } from '../../../src/core/isolation/levels.ts';
import { effectiveLimits, limitProblems } from '../../../src/core/isolation/limit-problems.ts';
import type { ContainerLimits } from '../../../src/core/plan/settings.ts';

const NONE: ContainerLimits = { defaultRequest: {}, default: {}, min: {}, max: {}, maxLimitRequestRatio: {} };

describe('limits of a profile', () => {
  test.each(['baseline', 'restricted', 'sandboxed'] as const)('the defaults of %s agree with each other', (level) => {
    expect(limitProblems(levelDefaults(level).limits)).toEqual([]);
  });

  test('no limits at all contradict nothing', () => {
    expect(limitProblems(NONE)).toEqual([]);
  });

  test.each<[string, Partial<ContainerLimits>, string[]]>([
    [
      'a default request above the default limit',
      { defaultRequest: { cpu: '1' }, default: { cpu: '500m' } },
      ['defaultRequest.cpu (1) is more than default.cpu (500m)'],
    ],
    [
      'a default above the maximum',
      { default: { memory: '2Gi' }, max: { memory: '1Gi' } },
      ['default.memory (2Gi) is more than max.memory (1Gi)'],
    ],
    [
      'a minimum above the maximum, written in other units',
      { min: { cpu: '1.5' }, max: { cpu: '1499m' } },
      ['min.cpu (1.5) is more than max.cpu (1499m)'],
    ],
    [
      'defaults that break their own ratio',
      { defaultRequest: { cpu: '100m' }, default: { cpu: '1' }, maxLimitRequestRatio: { cpu: '4' } },
      ['default.cpu (1) is more than maxLimitRequestRatio.cpu (4) times defaultRequest.cpu (100m)'],
    ],
    [
      'a maximum that becomes the default and breaks the ratio',
      { defaultRequest: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '4' } },
      ['default.cpu (1) is more than maxLimitRequestRatio.cpu (4) times defaultRequest.cpu (100m)'],
    ],
    [
      'a ratio below one',
      { maxLimitRequestRatio: { memory: '0.5' } },
      ['maxLimitRequestRatio.memory (0.5) is below 1, so no limit could hold its request'],
    ],
    [
      'a ratio that the bounds rule out',
      { min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
      ['maxLimitRequestRatio.cpu (3) is more than max.cpu (2) over min.cpu (1)'],
    ],
    ['a value that is no quantity', { max: { cpu: '2 cores' } }, ['max.cpu (2 cores) is no quantity']],
    ['a negative value', { min: { cpu: '-1' } }, ['min.cpu (-1) is negative']],
  ])('%s is named', (_, limits, problems) => {
    expect(limitProblems({ ...NONE, ...limits })).toEqual(problems);
  });

  test('what is left open is filled as the API server fills it', () => {
    const limits = effectiveLimits({ ...NONE, max: { cpu: '2' }, min: { memory: '1Mi' } });
    expect(limits.default).toEqual({ cpu: '2' });
    expect(limits.defaultRequest).toEqual({ cpu: '2', memory: '1Mi' });
  });
});
