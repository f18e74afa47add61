import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, number, openPage, openWithoutScripts, startBrowser, writeReports } from './browser.ts';

// one whose pages stand in the document, one whose pages are packed
const reports = writeReports({ first: 'examples/first-tenant', fleet: 'examples/fleet' });
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  reports.remove();
});

const SIZES = [
  [360, 800],
  [1280, 800],
  [1920, 1200],
] as const;
const CASES = SIZES.flatMap(([width, height]) =>
  (['light', 'dark'] as const).flatMap((scheme) => [true, false].map((scripts) => ({ width, height, scheme, scripts }))),
);

const [FIRST = { width: 1280, height: 800, scheme: 'light' as const, scripts: true }] = CASES;

test.each([...CASES.map((view) => ({ name: 'first', ...view })), { name: 'fleet', ...FIRST }])(
  'the report of $name is accessible and fits at $width x $height, $scheme, scripts $scripts',
  async ({ name, ...view }) => {
    const open = view.scripts ? openPage : openWithoutScripts;
    const page = await open(browser, reports.url(name), { ...view, scripts: true });
    if (name === 'first') await page.locator('.o.projected > summary').first().click();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  },
);

test('axe finds what is wrong', async () => {
  const page = await openPage(browser, reports.url('first'));
  await page.evaluate(`document.querySelector('main').append(document.createElement('input'))`);
  expect((await accessibilityProblems(page)).join('\n')).toContain('label');
});
