import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteProblems } from '../../site/check-site.ts';
import { navigation } from '../../site/navigation.ts';
import { repositoryPages } from '../../site/repository-pages.ts';
import { ruleIds } from '../../src/cli/explain-rule.ts';
import { WHYS } from '../../src/cli/whys/whys.ts';
import { REASONS, type ReasonName, reasonOf } from '../../src/core/decision/reasons.ts';
import { ROOT, readPage } from '../docs/markdown.ts';

const SCRATCH = mkdtempSync(join(tmpdir(), 'tenantplane-site-'));
const SITE = join(SCRATCH, 'site');
const text = (path: string): string =>
  readFileSync(join(SITE, path), 'utf8')
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }));

describe('the built site', () => {
  beforeAll(async () => {
    // a process of its own, as it is run: the generator takes another build of its framework under a test runner
    const { NODE_ENV: _, ...env } = process.env;
    await promisify(execFile)('npm', ['run', '--silent', 'site', '--', SITE], { cwd: ROOT, env });
  }, 180_000);

  test('has every page of docs/ under its heading', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages) {
      const heading = /^# (.+)$/m.exec(readPage(`docs/${page}`))?.[1]?.replaceAll('`', '') ?? 'none';
      expect(text(page.replace(/md$/, 'html'))).toContain(heading);
      expect({ page, named: text('index.html').includes(heading) }).toEqual({ page, named: true });
    }
  });

  test('has a page for every reason code: what, why, what to do', () => {
    for (const name of Object.keys(REASONS) as ReasonName[]) {
      const { code, message } = reasonOf(name);
      const page = text(`codes/${code}.html`);
      expect(page).toContain(`${code} ${name}`);
      expect(page).toContain(message);
      expect(page).toContain(WHYS[name][1]);
      expect(page).toContain('What to do');
      expect(text('codes/index.html')).toContain(name);
    }
    expect(text('codes/TP3004.html')).toMatch(/An example.*hostPath volume root is forbidden by controls\.blockHostPathVolumes/s);
  });

  test('has a page for every rule of the admission policies', () => {
    for (const id of ruleIds()) expect(text(`rules/${id}.html`)).toContain(`$ tenantplane explain-code ${id}`);
  });

  test('shows double braces as text', () => {
    expect(text('errors-table.html')).toContain('the line holds a template ({{ … }})');
  });

  test('holds its own search', () => {
    const chunks = readdirSync(join(SITE, 'assets/chunks')).filter((name) => name.includes('localSearchIndex'));
    expect(chunks).toHaveLength(1);
    expect(readFileSync(join(SITE, 'assets/chunks', chunks[0] ?? ''), 'utf8')).toContain('HostPathBlocked');
  });

  test('loads nothing from elsewhere and links to nothing that is not there', () => {
    expect(siteProblems(SITE)).toEqual([]);
  });

  test.each([
    ['<script src="https://cdn.example/x.js"></script>', 'loads https://cdn.example/x.js'],
    ['<link rel="stylesheet" href="//fonts.example/css">', 'loads //fonts.example/css'],
    ['<img alt="" src="http://example.com/a.png">', 'loads http://example.com/a.png'],
    ['<style>@font-face { src: url("https://fonts.example/a.woff2") }</style>', 'loads https://fonts.example/a.woff2 as a style'],
    ['<a href="/no-such-page.html">', 'links to /no-such-page.html, which is not there'],
    ['<a href="/cli.html#no-such-place">', 'links to /cli.html#no-such-place, which is not there'],
  ])('a page with %s would fail', (html, problem) => {
    const copy = join(SCRATCH, 'copy');
    mkdirSync(copy, { recursive: true });
    for (const page of ['cli.html', 'index.html']) cpSync(join(SITE, page), join(copy, page));
    writeFileSync(join(copy, 'bad.html'), html);
    expect(siteProblems(copy).filter((found) => found.startsWith('bad.html'))).toEqual([`bad.html ${problem}`]);
    rmSync(copy, { recursive: true });
  });
});

test('a link to a file that is not there stops the build', () => {
  const root = join(SCRATCH, 'dead');
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(root, 'docs/index.md'), '# Here\n\n[gone](gone.md)\n');
  expect(() => repositoryPages(root)).toThrow('docs/index.md links to gone.md, which is not there');
});

test('the navigation holds what is there, and all of it', () => {
  const page = (path: string, title: string) => ({ path, text: `# ${title}\n` });
  expect(
    navigation([page('why-not.md', 'Why `not`?'), page('why.md', 'Why?'), page('new.md', 'New'), page('codes/TP1001.md', 'x')]),
  ).toEqual([
    {
      text: 'Questions',
      items: [
        { text: 'Why?', link: '/why' },
        { text: 'Why not?', link: '/why-not' },
      ],
    },
    { text: 'More', items: [{ text: 'New', link: '/new' }] },
  ]);
});
