import type { Browser } from 'playwright-core';
import { COLLECT } from './collect.ts';
import { type Piece, svgOf } from './svg.ts';

const WIDTH = 940;
/** What the README shows of a report: what is refused, what isolates, and one object with what became of it. */
const PREPARE = `
  document.querySelectorAll('.side, .tools, #reach, #why-not, #appendix').forEach((part) => part.remove());
  document.querySelector('.o.projected').open = true;
`;

/** A picture of a report, from where Chromium puts its boxes and texts. */
export async function drawReport(browser: Browser, url: string): Promise<string> {
  const [light, dark] = [await piecesOf(browser, url, 'light'), await piecesOf(browser, url, 'dark')];
  return svgOf(light.pieces, dark.pieces, { width: WIDTH, height: light.height });
}

async function piecesOf(
  browser: Browser,
  url: string,
  colorScheme: 'light' | 'dark',
): Promise<{ pieces: readonly Piece[]; height: number }> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 3000 }, colorScheme });
  try {
    await page.goto(url);
    await page.evaluate(PREPARE);
    const height: number = await page.evaluate('Math.ceil(document.querySelector(".o.projected .page").getBoundingClientRect().bottom)');
    const pieces: readonly Piece[] = JSON.parse(await page.evaluate(COLLECT));
    return { pieces, height };
  } finally {
    await page.close();
  }
}
