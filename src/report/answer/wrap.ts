/** Wider than that, a terminal breaks the lines of a table itself, and nobody finds the columns again. */
export const TEXT_WIDTH = 120;

/** Widths at which columns fit the text width, those that may be wrapped shrunk down to what they need at least. */
export function fitted(natural: readonly number[], least: readonly (number | undefined)[], gap: number): readonly number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width + gap, -gap) - TEXT_WIDTH;
  while (over > 0) {
    // the widest first, so that all end up alike
    const widest = widths.reduce<number | undefined>((best, width, index) => {
      const may = width > (least[index] ?? width);
      return may && (best === undefined || width > (widths[best] ?? 0)) ? index : best;
    }, undefined);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

/** A text in lines of this width: between words, else behind a slash, else anywhere. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    for (const [index, piece] of pieces(word, width).entries()) {
      const last = lines.at(-1) ?? '';
      const joined = last === '' ? piece : index === 0 ? `${last} ${piece}` : `${last}${piece}`;
      if (joined.length <= width && (index === 0 || last.endsWith('/'))) lines[lines.length - 1] = joined;
      else lines.push(piece);
    }
  }
  return lines;
}

function pieces(word: string, width: number): readonly string[] {
  if (word.length <= width) return [word];
  return word.split(/(?<=\/)/).flatMap((part) => part.match(new RegExp(`[^]{1,${width}}`, 'gu')) ?? []);
}
