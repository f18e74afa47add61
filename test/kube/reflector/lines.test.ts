import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineTooLong, lines } from '../../../src/kube/reflector/lines.ts';

async function read(chunks: readonly Buffer[], most = 1000): Promise<string[]> {
  async function* stream(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const found: string[] = [];
  for await (const line of lines(stream(), most)) found.push(line);
  return found;
}

describe('lines of a stream', () => {
  test('wherever it is cut, in a character of several bytes too', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => text !== '' && !text.includes('\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(60)), async (texts, cuts) => {
        const whole = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect(await read(chunks)).toEqual(texts);
      }),
    );
  });

  test('one that was not ended is none', async () => {
    expect(await read([Buffer.from('{"a":1}\n{"b"')])).toEqual(['{"a":1}']);
  });

  test('one that is too long is thrown before it is there', async () => {
    await expect(read([Buffer.from('ok\n'), Buffer.alloc(600, 65), Buffer.alloc(600, 65)])).rejects.toThrow(LineTooLong);
  });
});
