import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../workspace.ts';
import { startBrowser, writeReports } from './browser.ts';
import { drawReport } from './picture/draw.ts';

const PICTURE = join(ROOT, 'docs/report.svg');

const textsOf = (svg: string): readonly string[] => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text = '']) => text);

// Where its texts stand depends on the fonts of the machine, what they say does not; where lines break may.
test('the picture of the README says what the report of examples/first-tenant says', async () => {
  const reports = writeReports({ first: 'examples/first-tenant' });
  const browser = await startBrowser();
  try {
    const drawn = await drawReport(browser, reports.url('first'));
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PICTURE, drawn);
    const kept = readFileSync(PICTURE, 'utf8');
    expect(textsOf(kept).join(' ')).toBe(textsOf(drawn).join(' '));
    expect(kept.length).toBeLessThan(150_000);
  } finally {
    await browser.close();
    reports.remove();
  }
});
