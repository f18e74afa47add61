import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelDefaults } from '../../../src/core/isolation/levels.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { formatQuantity, parseQuantity } from '../../../src/core/kube/quantity.ts';
import type { ContainerLimits } from '../../../src/core/plan/settings.ts';
import { containerResources } from '../../../src/core/translate/pod/container-resources.ts';
import { testContext } from '../context.ts';
import { container, first, pod, refusalsOf, render } from '../pods.ts';

const LIMITS: ContainerLimits = {
  defaultRequest: { cpu: '100m', memory: '128Mi' },
  default: { cpu: '500m', memory: '512Mi' },
  min: { cpu: '10m', memory: '16Mi' },
  max: { cpu: '4', memory: '8Gi' },
  maxLimitRequestRatio: { cpu: '10', memory: '4' },
};
const outcome = (resources: JsonObject, limits = LIMITS) => containerResources({ resources }, limits);
const problems = (resources: JsonObject) => outcome(resources).problems.map(({ problem }) => problem);

describe('a container that states nothing', () => {
  it('takes both values from the LimitRange, and the pod says which', () => {
    expect(outcome({})).toEqual({
      stamps: [],
      problems: [],
      supplied: [
        { resource: 'cpu', request: '100m', limit: '500m' },
        { resource: 'memory', request: '128Mi', limit: '512Mi' },
      ],
    });
    const rendered = render(pod({ containers: [container()] }), testContext({ profile: { limits: LIMITS } }));
    expect(rendered.note('RequestsMissing')?.params).toEqual({
      container: 'app',
      resource: 'cpu, memory',
      default: 'cpu 100m (limit 500m), memory 128Mi (limit 512Mi)',
    });
    expect(first(rendered.spec)['resources']).toBeUndefined();
  });

  it('is not told of ephemeral storage alone, which hardly anybody states', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' } };
    expect(render(pod({ containers: [container({ resources })] }), testContext()).note('RequestsMissing')).toBeUndefined();
  });

  it('is refused where there is a minimum and no default to meet it', () => {
    const bare: ContainerLimits = { defaultRequest: {}, default: {}, min: {}, max: {}, maxLimitRequestRatio: { cpu: '2' } };
    expect(outcome({}, bare).problems).toHaveLength(1);
  });
});

describe('a container that states a limit only', () => {
  it('requests as much, as the API server itself fills in', () => {
    expect(outcome({ limits: { cpu: '2', memory: '1Gi' } })).toMatchObject({ stamps: [], problems: [], supplied: [] });
  });
  it('is refused past the maximum', () => {
    expect(problems({ limits: { cpu: '5', memory: '1Gi' } })).toEqual(['the cpu request 5 is above the maximum 4']);
  });
});

describe('a container that states a request only', () => {
  const stamps = (resources: JsonObject) => outcome(resources).stamps;
  it('keeps the default limit where that fits', () => {
    expect(stamps({ requests: { cpu: '200m', memory: '256Mi' } })).toEqual([]);
  });
  it('gets its request as limit where the default is below it: the API server would refuse the pair', () => {
    expect(stamps({ requests: { cpu: '1', memory: '1Gi' } })).toEqual([
      { resource: 'cpu', limit: '1' },
      { resource: 'memory', limit: '1Gi' },
    ]);
  });
  it('gets what the ratio allows where the default is too far above it', () => {
    expect(stamps({ requests: { cpu: '20m', memory: '64Mi' } })).toEqual([
      { resource: 'cpu', limit: '200m' },
      { resource: 'memory', limit: '256Mi' },
    ]);
  });
  it('keeps whole millis and bytes: a finer limit is none', () => {
    const limits = { ...LIMITS, maxLimitRequestRatio: { cpu: '1.5' } };
    expect(containerResources({ resources: { requests: { cpu: '15m' } } }, limits).stamps).toEqual([{ resource: 'cpu', limit: '22m' }]);
  });
  it('is refused past the maximum and below the minimum', () => {
    expect(problems({ requests: { cpu: '5', memory: '8Mi' } })).toEqual([
      'the cpu request 5 is above the maximum 4',
      'the memory request 8Mi is below the minimum 16Mi',
    ]);
  });
  it('is rendered with the stamped limit', () => {
    const rendered = render(
      pod({ containers: [container({ resources: { requests: { cpu: '1' } } })] }),
      testContext({ profile: { limits: LIMITS } }),
    );
    expect(first(rendered.spec)['resources']).toEqual({ requests: { cpu: '1' }, limits: { cpu: '1' } });
    expect(rendered.note('RequestsMissing')?.params).toMatchObject({ resource: 'memory' });
  });
});

describe('a container that states both', () => {
  it('is refused where the ratio, the order or the bounds do not hold', () => {
    expect(problems({ requests: { cpu: '100m' }, limits: { cpu: '2' } })).toEqual([
      'the cpu limit 2 is more than 10 times the request 100m',
    ]);
    expect(problems({ requests: { cpu: '2' }, limits: { cpu: '1' } })).toEqual(['the cpu request 2 is above the limit 1']);
    expect(problems({ requests: { cpu: '0' }, limits: { cpu: '1' } })).toEqual(['the cpu request 0 is below the minimum 10m']);
    expect(problems({ requests: { cpu: '-1' }, limits: { cpu: '1' } })).toEqual(['cpu is negative']);
    expect(problems({ requests: { memory: '7Gi' }, limits: { memory: '9Gi' } })).toEqual(['the memory limit 9Gi is above the maximum 8Gi']);
  });
  it('is refused for a request of nothing under a ratio, which the LimitRange takes for none', () => {
    const bare: ContainerLimits = { defaultRequest: {}, default: {}, min: {}, max: {}, maxLimitRequestRatio: { cpu: '2' } };
    expect(outcome({ requests: { cpu: '0' }, limits: { cpu: '0' } }, bare).problems).toHaveLength(1);
  });
  it('passes at exactly the ratio', () => {
    expect(problems({ requests: { cpu: '0.1' }, limits: { cpu: '1000m' } })).toEqual([]);
  });
  it('is refused for init containers too, and by name', () => {
    const item = container({ name: 'setup', resources: { limits: { cpu: '5' } } });
    const found = refusalsOf(pod({ containers: [container()], initContainers: [item] }), testContext({ profile: { limits: LIMITS } }));
    expect(found.map(({ reason, params }) => [reason, params['container']])).toEqual([['LimitRangeViolation', 'setup']]);
    expect(found[0]?.params).toMatchObject({ resource: 'cpu', min: '10m', max: '4' });
  });
});

describe('a profile that requires no requests', () => {
  it('judges and stamps nothing', () => {
    const ctx = testContext({ profile: { limits: LIMITS, requireResourceRequests: false } });
    const object = pod({ containers: [container({ resources: { requests: { cpu: '5' } } })] });
    expect(first(render(object, ctx).spec)['resources']).toEqual({ requests: { cpu: '5' } });
    expect(render(object, ctx).note('RequestsMissing')).toBeUndefined();
  });
});

describe('whatever passes', () => {
  /** The LimitRanger's own arithmetic, written down once more (plugin/pkg/admission/limitranger). */
  function admitted(requests: JsonObject, limits: JsonObject, range: ContainerLimits): boolean {
    for (const resource of ['cpu', 'memory']) {
      const amount = (value: unknown): bigint | undefined => parseQuantity(value as string | undefined);
      let request = amount(requests[resource]);
      let limit = amount(limits[resource]);
      request ??= limit;
      limit ??= amount(range.default[resource] ?? range.max[resource]);
      request ??= amount(range.defaultRequest[resource] ?? range.default[resource] ?? range.min[resource]);
      const [min, max, ratio] = [amount(range.min[resource]), amount(range.max[resource]), amount(range.maxLimitRequestRatio[resource])];
      if (request !== undefined && limit !== undefined && request > limit) return false;
      if (min !== undefined && (request === undefined || request < min)) return false;
      if (max !== undefined && (limit === undefined || limit > max)) return false;
      if (ratio !== undefined && (request === undefined || limit === undefined || request === 0n)) return false;
      if (ratio !== undefined && request !== undefined && limit !== undefined && limit * 1_000_000_000n > ratio * request) return false;
    }
    return true;
  }

  it('is admitted by the LimitRange, and what is refused is not', () => {
    const quantity = fc.option(
      fc.bigInt(0n, 20_000n).map((milli) => formatQuantity(milli * 1_000_000n, 'decimal')),
      { nil: undefined },
    );
    const bytes = fc.option(
      fc.bigInt(0n, 20_000n).map((mebi) => `${mebi}Mi`),
      { nil: undefined },
    );
    const side = fc.record({ cpu: quantity, memory: bytes });
    const set = (values: { cpu: string | undefined; memory: string | undefined }): JsonObject =>
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    fc.assert(
      fc.property(
        side,
        side,
        fc.constantFrom(LIMITS, levelDefaults('restricted').limits, levelDefaults('sandboxed').limits),
        (a, b, range) => {
          const [requests, limits] = [set(a), set(b)];
          const { stamps, problems: found } = containerResources({ resources: { requests, limits } }, range);
          const stamped = { ...limits, ...Object.fromEntries(stamps.map(({ resource, limit }) => [resource, limit])) };
          if (found.length === 0) expect(admitted(requests, stamped, range)).toBe(true);
          else expect(admitted(requests, limits, range)).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
