import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, number, openPage, openWithoutScripts, startBrowser, writeReports } from './browser.ts';
import { changedPackage } from './changed-package.ts';

const changed = changedPackage();
// one whose pages stand in the document, one whose pages are packed, one that tells of changes
const reports = writeReports({ first: 'examples/first-tenant', fleet: 'examples/fleet', changed: [changed.path, 'HEAD~1..HEAD'] });
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  reports.remove();
  changed.remove();
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

const PHONE = { ...FIRST, width: 375 };

test.each([
  ...CASES.map((view) => ({ name: 'first', ...view })),
  { name: 'fleet', ...FIRST },
  { name: 'changed', ...PHONE },
  { name: 'changed', ...PHONE, scheme: 'dark' as const, scripts: false },
  { name: 'changed', ...FIRST, width: 1280 },
])('the report of $name is accessible and fits at $width x $height, $scheme, scripts $scripts', async ({ name, ...view }) => {
  const open = view.scripts ? openPage : openWithoutScripts;
  const page = await open(browser, reports.url(name), { ...view, scripts: true });
  if (name === 'changed') for (const fold of await page.locator('#changes .fold > summary').all()) await fold.click();
  if (name === 'first') await page.locator('.o.projected > summary').first().click();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

describe('changes on a phone', () => {
  test('each cause is a heading with cards below it, and nothing is narrower than it can be read', async () => {
    const page = await openPage(browser, reports.url('changed'), { width: 375, height: 812 });
    expect(await page.locator('.cause > h3').allTextContents()).toEqual([
      '~ IsolationProfile restricted',
      '~ Deployment default/api of team-dev/dev',
    ]);
    expect(await page.locator('.cards > li').count()).toBeGreaterThan(8);
    expect(
      await number(page, `Math.min(...[...document.querySelectorAll('.cards > li')].map((card) => card.offsetWidth))`),
    ).toBeGreaterThan(300);
    // a field above its values, not beside them
    expect(
      await number(
        page,
        `(([name, value]) => value.getBoundingClientRect().top - name.getBoundingClientRect().bottom)(document.querySelector('.cards .fields > div').children)`,
      ),
    ).toBeGreaterThanOrEqual(0);
  });

  test('what is not on the host stands in blocks, with what is near it', async () => {
    const page = await openPage(browser, reports.url('changed'), { width: 375, height: 812, scripts: false });
    const row = page.locator('#why-not tbody tr', { hasText: 'Job default/web' });
    expect(await row.textContent()).toContain('near: of that name there is Deployment default/web, Service default/web');
    expect(
      await number(page, `document.querySelector('#why-not .scroll').scrollWidth - document.querySelector('#why-not .scroll').clientWidth`),
    ).toBe(0);
  });
});

describe('a folder of pages', () => {
  test.each([PHONE, { ...PHONE, width: 1280, scheme: 'dark' as const }])('is accessible and fits at $width, $scheme', async (view) => {
    const page = await openPage(browser, reports.folder('changed'), view);
    for (const link of [undefined, '#all-tenants tbody a', '.back a', '.after a']) {
      if (link !== undefined) await page.locator(link).first().click();
      expect(await accessibilityProblems(page), page.url()).toEqual([]);
      expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
  });
});

test('axe finds what is wrong', async () => {
  const page = await openPage(browser, reports.url('first'));
  await page.evaluate(`document.querySelector('main').append(document.createElement('input'))`);
  expect((await accessibilityProblems(page)).join('\n')).toContain('label');
});
