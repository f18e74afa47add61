/** Plain scalars to ask about: a seeded stream, so that recording them again gives the same list. */
const ALPHABETS: readonly string[] = [
  '0123456789',
  '01',
  '01234567',
  '0123456789abcdefABCDEF',
  '+-._eE0123456789',
  'yYnNtTfFoOrRuUeEsSlLaA~',
  '.infNaIAF+-',
  '0xXoObB+-_123',
  '-:TZ. 0123456789',
];
const SEEDS: readonly string[] = [
  '0755',
  '0o755',
  '0O17',
  '0b11',
  '0B11',
  '0b-11',
  '0b+1',
  '-0b1',
  '0xFF',
  '0XfF',
  '-0x1F',
  '+0x1f',
  '1_000',
  '_1',
  '1__0',
  '0_755',
  '0x_F',
  '08',
  '0789',
  '-08',
  '1e3',
  '1E3',
  '1.e3',
  '.5',
  '.5e3',
  '.e3',
  '5.',
  '-.5',
  '+.5',
  '._5',
  '1_0.5',
  '.5_0',
  '1e1000',
  '-1e1000',
  '1e-1000',
  '1e',
  '1e+',
  '0',
  '-0',
  '+0',
  '-0.0',
  '00',
  '0.0',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
  '18446744073709551616',
  '+9223372036854775807',
  '+9223372036854775808',
  '0xFFFFFFFFFFFFFFFF',
  '0x10000000000000000',
  '01777777777777777777777',
  '02777777777777777777777',
  '12345678901234567890123',
  'yes',
  'Yes',
  'YES',
  'yEs',
  'no',
  'on',
  'On',
  'off',
  'OFF',
  'y',
  'Y',
  'n',
  'N',
  'true',
  'True',
  'tRUE',
  'false',
  '~',
  'null',
  'Null',
  'NULL',
  'nULL',
  '<<',
  '=',
  '2020-01-01',
  '2020-01-01T00:00:00Z',
  '12:30',
  '12:30:45',
  '1:2',
  '190:20:30',
  '1.2.3',
  '10.0.0.1',
  '100m',
  '128Mi',
  '1Gi',
  '1e3m',
  '0.5',
  '1/2',
  'a',
  'foo bar',
  'x:y',
];

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function plainScalars(count: number): readonly string[] {
  const next = random(20_261_129);
  const pick = (text: string | readonly string[]): string => text[Math.floor(next() * text.length)] ?? '';
  const scalars = new Set<string>(SEEDS);
  while (scalars.size < count) {
    let text = next() < 0.4 ? pick(SEEDS) : '';
    const alphabet = pick(ALPHABETS);
    for (let left = 1 + Math.floor(next() * 6); left > 0; left -= 1) {
      const at = Math.floor(next() * (text.length + 1));
      text = text.slice(0, at) + pick(alphabet) + text.slice(at + (next() < 0.3 ? 1 : 0));
    }
    if (isPlain(text)) scalars.add(text);
  }
  return [...scalars];
}

/** Whether a text can stand as a plain scalar at all. */
function isPlain(text: string): boolean {
  return text !== '' && text === text.trim() && !/^[-?:](?: |$)|: |:$| #|^---|^\.\.\./.test(text);
}
