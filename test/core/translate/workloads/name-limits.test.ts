import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostName } from '../../../../src/core/identity/host-name.ts';
import type { Json } from '../../../../src/core/kube/json.ts';
import { nameLimitsOf } from '../../../../src/core/translate/workloads/name-limits.ts';
import { testSubject } from '../../context.ts';
import { podSpec, workload } from '../../pods.ts';

const limits = (kind: string, fields = {}) => nameLimitsOf(testSubject(workload(kind, podSpec(), fields)));
const indexed = (completions: Json) => ({ completionMode: 'Indexed', completions });

describe('the limits of a host name', () => {
  it('are the kind’s', () => {
    expect(limits('Deployment')).toEqual({ nameLimit: 63, dots: true });
    expect(limits('StatefulSet')).toEqual({ nameLimit: 52, dots: false });
    expect(limits('Job', { completionMode: 'NonIndexed', completions: 1000 })).toEqual({ nameLimit: 63, dots: true });
    expect(limits('CronJob')).toEqual({ nameLimit: 52, dots: true });
  });

  it('leave an Indexed Job room for the last index, in a DNS label', () => {
    expect(limits('Job', indexed(1))).toEqual({ nameLimit: 61, dots: false });
    expect(limits('Job', indexed(10))).toEqual({ nameLimit: 61, dots: false });
    expect(limits('Job', indexed(11))).toEqual({ nameLimit: 60, dots: false });
    expect(limits('Job', indexed(1001))).toEqual({ nameLimit: 58, dots: false });
  });

  it('leave an Indexed CronJob the same, at most 52', () => {
    expect(limits('CronJob', indexed(10))).toEqual({ nameLimit: 52, dots: false });
    expect(limits('CronJob', indexed(11))).toEqual({ nameLimit: 51, dots: false });
    expect(limits('CronJob', indexed(100001))).toEqual({ nameLimit: 47, dots: false });
  });

  it('hold for any number that somebody writes', () => {
    const any = fc.oneof(fc.integer(), fc.bigInt(), fc.double(), fc.string(), fc.constant(null));
    fc.assert(
      fc.property(any, fc.constantFrom('Job', 'CronJob'), (completions, kind) => {
        const { nameLimit, dots } = limits(kind, indexed(completions));
        expect(nameLimit).toBeGreaterThan(40);
        const { name } = hostName('a.long-name-of-a-job-'.repeat(3), 'default', 'dev', { nameLimit, dots });
        expect(name.length).toBeLessThanOrEqual(nameLimit);
        expect(name).not.toContain('.');
      }),
    );
  });
});
