export const DURATION = 'a duration such as 90s, 2m or 1m30s, longer than nothing';
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration as Go writes it, in milliseconds. */
export function durationOf(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
  // timers of Node's count no further
  return total > 0 && total < 2 ** 31 ? total : undefined;
}
