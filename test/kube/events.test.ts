import { describe, expect, test } from 'vitest';
import { correlator, SERIES_END, SERIES_WRITE, writtenState } from '../../src/kube/events/correlate.ts';
import { eventObject, type Occurrence } from '../../src/kube/events/event-object.ts';
import { seededRandom } from '../../src/kube/random.ts';

const what = (name: string, reason = 'Failed', note = 'no'): Occurrence => ({
  type: 'Warning',
  reason,
  action: 'Sync',
  note,
  regarding: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', uid: name } },
});
const start = Date.parse('2026-01-01T00:00:00Z');

describe('what is written of what happens', () => {
  test('the first time an event, the second time its count, then nothing until some time has gone', () => {
    const known = correlator(seededRandom(1));
    const first = known.occur(what('a'), start);
    expect(first).toMatchObject({ do: 'create', series: { count: 1 } });
    if (first.do === 'nothing') throw new Error('nothing');
    writtenState(first.series, start);
    expect(known.occur(what('a', 'Failed', 'another note'), start + 1000)).toMatchObject({ do: 'count', series: { count: 2 } });
    expect(writtenState(first.series, start + 1000)).toEqual({ count: 2, last: start + 1000 });
    for (let n = 0; n < 200; n += 1) expect(known.occur(what('a'), start + 2000 + n)).toEqual({ do: 'nothing', dropped: false });
    expect(known.due(start + 60_000)).toEqual([]);
    expect(known.due(start + 1000 + SERIES_WRITE)).toMatchObject([{ count: 202 }]);
    // it waits to be written, and is not asked for twice
    expect(known.due(start + 1000 + SERIES_WRITE)).toEqual([]);
  });

  test('a series that ended is written a last time and forgotten; what comes then is news', () => {
    const known = correlator(seededRandom(1));
    for (let n = 0; n < 3; n += 1) {
      const step = known.occur(what('a'), start + n);
      if (step.do !== 'nothing') writtenState(step.series, start + n);
    }
    expect(known.due(start + 2 + SERIES_END)).toMatchObject([{ count: 3 }]);
    expect(known.size).toBe(0);
    expect(known.occur(what('a'), start + 3 + SERIES_END)).toMatchObject({ do: 'create' });
  });

  test('what happened again before it was written is in the count of the one event', () => {
    const known = correlator(seededRandom(1));
    const first = known.occur(what('a'), start);
    expect(known.occur(what('a'), start + 1)).toEqual({ do: 'nothing', dropped: false });
    expect(first.do !== 'nothing' && writtenState(first.series, start + 2)).toEqual({ count: 2, last: start + 1 });
  });

  test('another reason, object or type is another event', () => {
    const known = correlator(seededRandom(1));
    const all = [
      what('a'),
      what('b'),
      what('a', 'Other'),
      { ...what('a'), type: 'Normal' as const },
      { ...what('a'), related: what('c').regarding },
    ];
    const steps = all.map((each) => known.occur(each, start));
    expect(steps.map((step) => step.do)).toEqual(all.map(() => 'create'));
    expect(new Set(steps.map((step) => step.do !== 'nothing' && step.series.name)).size).toBe(all.length);
  });

  test('of one object at most 25 at once, then one in five minutes; others are not kept from theirs', () => {
    const known = correlator(seededRandom(1));
    const steps = Array.from({ length: 40 }, (_, n) => known.occur(what('a', `Reason${n}`), start + n));
    expect(steps.filter((step) => step.do === 'create').length).toBe(25);
    expect(steps.at(-1)).toEqual({ do: 'nothing', dropped: true });
    expect(known.occur(what('b'), start)).toMatchObject({ do: 'create' });
    expect(known.occur(what('a', 'Later'), start + 301_000)).toMatchObject({ do: 'create' });
    expect(known.occur(what('a', 'Latest'), start + 301_000)).toMatchObject({ dropped: true });
  });

  test('what is remembered is bounded', () => {
    const known = correlator(seededRandom(1));
    for (let n = 0; n < 5000; n += 1) known.occur(what(`a${n}`), start);
    expect(known.size).toBe(4096);
  });
});

test('a note is cut at the API’s limit, in bytes and between characters', () => {
  for (const text of ['ä'.repeat(2000), `x${'ä'.repeat(2000)}`, '🙂'.repeat(500), `xx${'🙂'.repeat(500)}`]) {
    const note = String(eventObject('e', what('a', 'R', text), { controller: 'c', instance: 'i' }, start)['note']);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(note)).toBeGreaterThan(1015);
    expect(note).toMatch(/^x*[ä🙂]+…$/u);
  }
});
