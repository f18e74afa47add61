import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { number, openPage, startBrowser, writeReports } from './browser.ts';

const reports = writeReports({ shop: 'examples/first-tenant', fleet: 'examples/fleet' });
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  reports.remove();
});

const focused = (page: Page, what: string): Promise<unknown> => page.evaluate(`document.activeElement.${what}`);

describe('without scripts', () => {
  test('a number of the header leads to what it counts, and to nothing else', async () => {
    const page = await openPage(browser, reports.url('shop'), { scripts: false });
    await page.locator('.counts .refused a').click();
    expect(await page.locator('.o:visible').count()).toBe(1);
    expect(await page.locator('.o:visible > summary').textContent()).toContain('log-shipper');
    await page.getByRole('link', { name: 'Show all objects' }).click();
    expect(await page.locator('.o.projected:visible').count()).toBe(5);
  });

  test('an object opens beside what the host gets, and the reason of a line leads to its rule', async () => {
    const page = await openPage(browser, reports.url('shop'), { scripts: false });
    const object = page.locator('.o.projected', { hasText: 'Deployment' }).first();
    await object.locator('> summary').click();
    expect(await object.locator('.is').first().isVisible()).toBe(true);
    await object.locator('.chip', { hasText: 'reference' }).click();
    const rule = object.locator('dt:target');
    expect(await rule.textContent()).toBe('rw.reference');
    expect(await rule.isVisible()).toBe(true);
  });

  test('where pages are packed the page says so, and all tables are there', async () => {
    const page = await openPage(browser, reports.url('fleet'), { scripts: false });
    await expect.poll(() => page.locator('.hint').isVisible()).toBe(true);
    expect(await page.locator('.matrix tbody tr').count()).toBeGreaterThan(2);
    expect(await page.locator('.o').count()).toBeGreaterThan(1000);
    expect(await page.locator('input:visible').count()).toBe(0);
  });
});

describe('with scripts', () => {
  test('a link to an object unpacks and opens it', async () => {
    const page = await openPage(browser, reports.url('fleet'));
    await page.locator('#attention .said a').first().click();
    await expect.poll(() => page.locator('.o[open] .page').count()).toBe(1);
    expect(await page.locator('.o[open] > summary').textContent()).toContain('sniffer');
    expect(await page.locator('.hint:visible').count()).toBe(0);
  });

  test('a search finds objects by name, and says how many', async () => {
    const page = await openPage(browser, reports.url('fleet'));
    await page.locator('#find').fill('sniffer');
    await expect.poll(() => page.locator('#found').textContent()).toBe('1 object');
    expect(await page.locator('.o:visible').count()).toBe(1);
    await page.locator('#find').press('Escape');
    await expect.poll(() => page.locator('.tenant:visible').count()).toBeGreaterThan(49);
  });

  test('the list of tenants can be filtered', async () => {
    const page = await openPage(browser, reports.url('fleet'));
    await page.locator('#tenants').fill('heron-dev');
    await expect.poll(() => page.locator('.tenants li:visible').count()).toBe(1);
  });
});

describe('with the keyboard', () => {
  test('the first stop skips to the report; an object and a reason open, and focus goes where they lead', async () => {
    const page = await openPage(browser, reports.url('shop'));
    await page.keyboard.press('Tab');
    expect(await focused(page, 'textContent')).toBe('Skip to the report');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page, 'id')).toBe('main');
    await page.locator('.o.projected > summary').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page, 'className')).toBe('chip');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page, 'tagName')).toBe('DT');
  });

  test('every stop is seen, has an outline, and the walk ends', async () => {
    const page = await openPage(browser, reports.url('shop'));
    const seen = new Set<unknown>();
    for (let stop = 0; stop < 400; stop += 1) {
      await page.keyboard.press('Tab');
      if ((await focused(page, 'tagName')) === 'BODY') break;
      const [outline, width, height] = [
        await style(page, 'outlineStyle'),
        await focused(page, 'offsetWidth'),
        await focused(page, 'offsetHeight'),
      ];
      expect([outline, Number(width) > 0, Number(height) > 0], String(await focused(page, 'outerHTML.slice(0, 200)'))).toEqual([
        'solid',
        true,
        true,
      ]);
      seen.add(await focused(page, 'outerHTML'));
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(await focused(page, 'tagName')).toBe('BODY');
  });
});

function style(page: Page, property: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.activeElement).${property}`);
}

test('at 400 % zoom nothing is cut off', async () => {
  const page = await openPage(browser, reports.url('shop'), { width: 320, height: 256 });
  expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

test('on paper what is folded is there, and what is for a screen is not', async () => {
  const page = await openPage(browser, reports.url('fleet'), { scripts: false });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.tenant').nth(3).locator('.o').first().isVisible()).toBe(true);
  expect(await page.locator('nav:visible').count()).toBe(0);
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
});

describe('a folder of pages, without scripts', () => {
  test('leads from the index to a tenant, to an object beside what the host gets, and back, within the folder alone', async () => {
    const page = await openPage(browser, reports.folder('fleet'), { scripts: false });
    expect(await page.locator('.hint').count()).toBe(0);
    await page.getByRole('link', { name: 'Pod default/sniffer' }).click();
    expect(page.url()).toMatch(/\/tenants\/heron-dev\.heron-dev\.html#o\d+$/);
    await page.locator('.o.projected > summary').first().click();
    expect(await page.locator('.o[open] .is').first().isVisible()).toBe(true);
    await page.getByRole('link', { name: '← fleet' }).click();
    await page.locator('#all-tenants').getByRole('link', { name: 'atlas-dev' }).click();
    expect(await page.locator('h1').textContent()).toBe('atlas-dev');
  });

  test('tells the same to whoever has scripts: the search and the filter of tenants', async () => {
    const page = await openPage(browser, reports.folder('fleet'));
    await page.locator('#tenants').fill('heron-dev');
    await expect.poll(() => page.locator('.rows tr:visible').count()).toBe(1);
    await page.locator('.rows a:visible').click();
    await page.locator('#find').fill('sniffer');
    await expect.poll(() => page.locator('#found').textContent()).toBe('1 object');
  });
});
