import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/kube/failure.ts';
import { seededRandom } from '../../../src/kube/random.ts';
import { pace } from '../../../src/kube/reflector/pace.ts';

const status = (code: number): Failure => ({ kind: 'status', code, reason: '', message: '', details: {} });
const round = (failure: Failure | undefined, milliseconds = 10, listed = false, governed = false) => ({
  failure,
  milliseconds,
  listed,
  governed,
});

describe('how long a reflector waits after a round', () => {
  test.each([
    ['a list: its watch is next', round(undefined, 10, true)],
    ['a watch that the server ended in its time', round(undefined, 300_000)],
    ['a watch that was cut after a while', round(status(500), 60_000)],
    ['a failure of the server, for which the budget waits', round(status(503), 10, true, true)],
    ['a version that was forgotten', round(status(410))],
  ])('not after %s', (_, given) => {
    expect(pace(seededRandom(1)).after(given)).toBe(0);
  });

  test.each([
    ['a watch that ended as soon as it began', round(undefined)],
    ['a refusal', round(status(403), 10, true)],
  ])('after %s, each time longer', (_, given) => {
    const rest = pace(() => 0.9);
    const waits = Array.from({ length: 6 }, () => rest.after(given));
    expect(waits[0]).toBeGreaterThan(800);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.at(-1)).toBe(30_000);
    expect(rest.after(round(undefined, 300_000))).toBe(0);
    expect(rest.after(given)).toBe(waits[0]);
  });

  test('after a version that is forgotten again and again', () => {
    const rest = pace(() => 0);
    expect(rest.after(round(status(410)))).toBe(0);
    expect(rest.after(round(undefined, 10, true))).toBe(0);
    expect(rest.after(round(status(410)))).toBe(800);
  });
});
