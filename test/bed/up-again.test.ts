import { describe, expect, test } from 'vitest';
import { type Ended, upAgain, upArguments } from './up-again.ts';

test.each<[readonly string[], readonly string[]]>([
  [[], ['examples/first-tenant']],
  [['mine'], ['mine']],
  [
    ['--timeout', '5m'],
    ['examples/first-tenant', '--timeout', '5m'],
  ],
  [
    ['--timeout', '5m', 'mine'],
    ['--timeout', '5m', 'mine'],
  ],
  [['--until-ready'], ['examples/first-tenant', '--until-ready']],
  [
    ['mine', '--until-ready'],
    ['mine', '--until-ready'],
  ],
])('%j is up %j', (given, argv) => {
  expect(upArguments(given)).toMatchObject({ help: false, argv });
});

test('help is asked for in any place', () => {
  for (const given of [['--help'], ['-h'], ['mine', '--help']]) expect(upArguments(given).help).toBe(true);
});

describe('a run that ends', () => {
  async function runs(
    ends: readonly Ended[],
    end?: AbortController,
    gone = false,
  ): Promise<{ code: number; begun: number; said: string[] }> {
    const said: string[] = [];
    let begun = 0;
    const once = async (): Promise<Ended> => {
      begun += 1;
      if (begun === ends.length) end?.abort();
      return ends[begun - 1] ?? { code: 0, lost: false };
    };
    const code = await upAgain(
      once,
      (what) => said.push(what),
      async () => undefined,
      (end ?? new AbortController()).signal,
      () => gone,
    );
    return { code, begun, said };
  }
  const [lost, failed, done] = [
    { code: 1, lost: true },
    { code: 3, lost: false },
    { code: 0, lost: false },
  ];

  test('because the Lease was lost is begun again, and that is said', async () => {
    expect(await runs([lost, lost, done])).toMatchObject({
      code: 0,
      begun: 3,
      said: [expect.stringContaining('lost the Lease'), expect.anything()],
    });
  });

  test('because all that it applied was taken off is not', async () => {
    expect(await runs([lost, done], undefined, true)).toEqual({ code: 0, begun: 1, said: [expect.stringContaining('down --everything')] });
  });

  test('by itself is not', async () => {
    expect(await runs([failed])).toEqual({ code: 3, begun: 1, said: [] });
    expect(await runs([done])).toEqual({ code: 0, begun: 1, said: [] });
  });

  test('and cannot begin again is tried for a while only', async () => {
    expect(await runs([lost, failed, failed, done])).toMatchObject({ code: 0, begun: 4 });
    expect(await runs([lost, ...Array.from({ length: 50 }, () => failed)])).toMatchObject({ code: 3, begun: 13 });
  });

  test('because the person ended it is not begun again', async () => {
    expect(await runs([lost], new AbortController())).toEqual({ code: 1, begun: 1, said: [] });
  });
});
