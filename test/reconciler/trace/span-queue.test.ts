import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';
import { activeContext } from '../../../src/reconciler/trace/active-context.ts';
import { resourceAttributes } from '../../../src/reconciler/trace/resource-attributes.ts';
import { spanQueue } from '../../../src/reconciler/trace/span-queue.ts';

// the queue looks at no field of a span
const span = (name: string): ReadableSpan => ({ name }) as ReadableSpan;

function collector(answer: 'takes' | 'refuses' | 'throws' | 'hangs'): SpanExporter & { readonly got: string[][] } {
  const got: string[][] = [];
  return {
    got,
    export: (spans, result) => {
      if (answer === 'throws') throw new Error('broken');
      got.push(spans.map(({ name }) => name));
      if (answer !== 'hangs') setImmediate(() => result({ code: answer === 'takes' ? 0 : 1 }));
    },
    shutdown: async () => undefined,
  };
}

describe('spans on their way out', () => {
  test('go in batches, the rest when they are flushed, also after a flush of none', async () => {
    const exporter = collector('takes');
    const queue = spanQueue(exporter, { batch: 2, every: 1e6 });
    await queue.forceFlush();
    for (const name of ['a', 'b', 'c']) queue.onEnd(span(name));
    await queue.forceFlush();
    expect(exporter.got).toEqual([['a', 'b'], ['c']]);
    expect(queue.dropped()).toBe(0);
  });

  test('go without a flush after a while', async () => {
    const exporter = collector('takes');
    const queue = spanQueue(exporter, { every: 5 });
    queue.onEnd(span('a'));
    await expect.poll(() => exporter.got).toEqual([['a']]);
  });

  test('are sent also where they come as the last request ends', async () => {
    const exporter = collector('takes');
    const queue = spanQueue(exporter, { batch: 1, every: 1e6 });
    const first = queue.forceFlush();
    queue.onEnd(span('a'));
    await queue.forceFlush();
    await first;
    expect(exporter.got).toEqual([['a']]);
  });

  test('are counted where they are too many', () => {
    const queue = spanQueue(collector('hangs'), { most: 3, batch: 100, every: 1e6 });
    for (let count = 0; count < 10; count += 1) queue.onEnd(span('a'));
    expect(queue.dropped()).toBe(7);
  });

  test.each(['refuses', 'throws'] as const)('are counted where a collector %s', async (answer) => {
    const queue = spanQueue(collector(answer), { every: 1e6 });
    queue.onEnd(span('a'));
    await queue.forceFlush();
    expect(queue.dropped()).toBe(1);
  });

  test('do not keep a process from ending whose collector hangs', async () => {
    const queue = spanQueue(collector('hangs'), { every: 1e6, last: 20 });
    queue.onEnd(span('a'));
    // the time that it waits keeps no process alive, so something else has to here
    const alive = setInterval(() => undefined, 1000);
    await queue.forceFlush();
    clearInterval(alive);
  });
});

test('who sends is said by the environment', () => {
  expect(resourceAttributes({})).toEqual({ 'service.name': 'tenantplane-reconciler' });
  const env = { OTEL_RESOURCE_ATTRIBUTES: 'k8s.cluster.name=eu%201,service.name=other, broken,=x,bad=%zz' };
  expect(resourceAttributes(env)).toEqual({ 'k8s.cluster.name': 'eu 1', 'service.name': 'other', bad: '%zz' });
  expect(resourceAttributes({ ...env, OTEL_SERVICE_NAME: 'mine' })['service.name']).toBe('mine');
});

test('what is under way is known along promises, and nowhere else', async () => {
  const { ROOT_CONTEXT, createContextKey } = await import('@opentelemetry/api');
  const manager = activeContext();
  const key = createContextKey('who');
  const who = (): unknown => manager.active().getValue(key);
  const seen = await Promise.all(
    ['a', 'b'].map((name) =>
      manager.with(ROOT_CONTEXT.setValue(key, name), async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return who();
      }),
    ),
  );
  expect(seen).toEqual(['a', 'b']);
  expect(who()).toBeUndefined();
  expect(manager.bind(ROOT_CONTEXT.setValue(key, 'c'), who)()).toBe('c');
});
