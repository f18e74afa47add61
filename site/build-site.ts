import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { siteProblems } from './check-site.ts';
import { codePages } from './code-pages.ts';
import { navigation } from './navigation.ts';
import type { Page } from './page.ts';
import { repositoryPages } from './repository-pages.ts';
import { rulePages } from './rule-pages.ts';

/** Every page of the site, made from the pages of the repository and from its tables. */
export function sitePages(root: string): readonly Page[] {
  return [...repositoryPages(root), ...codePages(join(root, 'docs')), ...rulePages()];
}

/** Builds the site into a folder. It fails where a link leads nowhere or a page would load something from elsewhere. */
export async function buildSite(root: string, outDir: string): Promise<number> {
  const pages = sitePages(root);
  const cache = join(root, 'site/.cache');
  mkdirSync(cache, { recursive: true });
  // a folder of its own for each run: the generator keeps what it works on beside its settings
  const work = mkdtempSync(join(cache, 'pages-'));
  try {
    for (const page of pages) write(work, page);
    for (const page of settings(root, outDir, pages)) write(work, page);
    await build(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const problems = siteProblems(outDir);
  if (problems.length > 0) throw new Error(`the site is not fit to be read:\n${problems.join('\n')}`);
  return pages.length;
}

function write(folder: string, { path, text }: Page): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The generator takes its settings and theme from default exports in files of these names. */
function settings(root: string, outDir: string, pages: readonly Page[]): readonly Page[] {
  const options = JSON.stringify({ outDir, groups: navigation(pages) });
  const from = (file: string): string => JSON.stringify(join(root, 'site', file));
  return [
    {
      path: '.vitepress/config.ts',
      text: `import { siteConfig } from ${from('site-config.ts')};\nexport default siteConfig(${options});\n`,
    },
    { path: '.vitepress/theme/index.ts', text: `export { theme as default } from ${from('theme.ts')};\n` },
  ];
}
