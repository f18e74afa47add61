import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { ROOT } from '../workspace.ts';

const CHROMIUM = '/usr/bin/chromium';

/** Debian's, in a sandbox unless it runs as root, which has none. */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: apt-get install chromium`);
  return chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** Reports that the built command writes, by package, or by package and range; gone with `remove`. */
export function writeReports(packages: Readonly<Record<string, string | readonly string[]>>): {
  readonly url: (name: string) => string;
  /** the index of the same report as a folder of pages */
  readonly folder: (name: string) => string;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-report-'));
  for (const [name, words] of Object.entries(packages)) {
    const [path = '.', ...range] = [words].flat();
    for (const out of [`${name}.html`, `${name}/`]) {
      const argv = [join(ROOT, 'dist/tenantplane.mjs'), 'report', 'html', '.', ...range, '--out', `${folder}/${out}`];
      const { status, stderr } = spawnSync(process.execPath, argv, { cwd: resolve(ROOT, path), encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    }
  }
  return {
    url: (name) => pathToFileURL(join(folder, `${name}.html`)).href,
    folder: (name) => pathToFileURL(join(folder, name, 'index.html')).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly scripts?: boolean;
}

/** A page of its own, closed with the test. That it asks a network for nothing and complains of nothing is checked then. */
export async function openPage(browser: Browser, url: string, view: View = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: view.height ?? 800 },
    colorScheme: view.scheme ?? 'light',
    javaScriptEnabled: view.scripts !== false,
  });
  const tab = await context.newPage();
  const isIndex = url.endsWith('/index.html');
  const said: string[] = [];
  tab.on('console', (message) => said.push(`console: ${message.text()}`));
  tab.on('pageerror', (error) => said.push(`error: ${error.message}`));
  tab.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
  tab.on('request', (request) => {
    const [asked = ''] = request.url().split('#');
    const page =
      asked === url.split('#')[0] || (isIndex && request.isNavigationRequest() && asked.startsWith(url.slice(0, -'index.html'.length)));
    if (!page) said.push(`request: ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(said).toEqual([]);
  });
  await tab.goto(url);
  return tab;
}

/**
 * A page as it is without scripts, in which axe can still run: where a browser has them switched off, it runs none. Its script is
 * taken out, and what is for people without scripts is let out.
 */
export async function openWithoutScripts(browser: Browser, url: string, view: View): Promise<Page> {
  const bare = await openPage(browser, 'about:blank', view);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  await bare.setContent(text.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<\/?noscript>/g, ''));
  return bare;
}

/** What the rules of WCAG 2.2 A and AA, and axe's own of good practice, find: `rule: element`. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // the protocol evaluates it, so neither the page's policy nor switched-off scripts stand against it
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`,
  );
  return Array.isArray(found) ? found.map(String) : ['axe gave no list'];
}

export async function number(page: Page, expression: string): Promise<number> {
  return Number(await page.evaluate(expression));
}
