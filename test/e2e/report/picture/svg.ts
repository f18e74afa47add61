import { markupText } from '../../../../src/report/escape.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly fill: string;
  readonly stroke: string;
}

interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** how far it runs, whatever font it is shown in */
  readonly length: number;
  /** from below to above */
  readonly up: boolean;
  readonly size: number;
  readonly weight: string;
  readonly mono: boolean;
  readonly fill: string;
}

export type Piece = Box | Line;

const SANS = 'ui-sans-serif,system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,DejaVu Sans,sans-serif';
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace';

/** Draws a page from its pieces in light and in dark, which differ in colours alone. */
export function svgOf(light: readonly Piece[], dark: readonly Piece[], size: { readonly width: number; readonly height: number }): string {
  if (light.length !== dark.length) throw new Error('the page is laid out otherwise in dark');
  const colours = new Colours();
  const body = light.map((piece, index) => {
    const other = dark[index] ?? piece;
    return 'text' in piece ? lineOf(piece, colours.name(piece.fill, other.fill)) : boxOf(piece, other, colours);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="${SANS}">
<title>A report of examples/first-tenant</title>
<style>.m{font-family:${MONO}}text{white-space:pre}
${colours.rules()}</style>
${body.join('\n')}
</svg>
`;
}

/** A variable for each pair of a colour in light and the one that stands for it in dark. */
class Colours {
  readonly #names = new Map<string, string>();

  name(light: string, dark: string): string {
    if (light === 'none') return 'none';
    const pair = `${light}|${dark}`;
    const name = this.#names.get(pair) ?? `--c${this.#names.size}`;
    this.#names.set(pair, name);
    return `var(${name})`;
  }

  rules(): string {
    const all = (side: number): string => [...this.#names].map(([pair, name]) => `${name}:${pair.split('|')[side] ?? ''}`).join(';');
    return `:root{${all(0)}}\n@media (prefers-color-scheme:dark){:root{${all(1)}}}`;
  }
}

function boxOf({ x, y, width, height, radius, fill, stroke }: Box, other: Piece, colours: Colours): string {
  const paint = `fill:${colours.name(fill, other.fill)}${stroke === 'none' ? '' : `;stroke:${colours.name(stroke, 'stroke' in other ? other.stroke : stroke)}`}`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}"${radius > 0 ? ` rx="${radius}"` : ''} style="${paint}"/>`;
}

function lineOf({ text, x, y, length, up, size, weight, mono }: Line, fill: string): string {
  const face = `${mono ? ' class="m"' : ''} font-size="${size}"${weight === '400' ? '' : ` font-weight="${weight}"`}`;
  const turned = up ? ` transform="rotate(-90 ${x} ${y})"` : '';
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${face}${turned} style="fill:${fill}">${markupText(text)}</text>`;
}
