import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import type { Page } from './page.ts';

/**
 * The pages of the repository as pages of the site: everything under docs/, and whatever is reached from there by links, so that no link
 * leads out. Files that are no Markdown become a page with their text, folders one with what is in them.
 */
export function repositoryPages(root: string): readonly Page[] {
  const waiting = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`);
  const pages = new Map<string, Page>();
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const path = sitePath(file);
    if (pages.has(path)) continue;
    const { text, links } = pageOf(root, file);
    pages.set(path, { path, text });
    waiting.push(...links);
  }
  return [...pages.values()];
}

/** Where a file or folder of the repository stands in the site. */
function sitePath(file: string): string {
  if (file === 'README.md') return 'readme.md';
  if (!file.endsWith('.md')) return `files/${file}.md`;
  return file.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

function pageOf(root: string, file: string): { text: string; links: readonly string[] } {
  const place = join(root, file);
  if (statSync(place).isDirectory()) return { text: shown(file, 'text', readdirSync(place).sort().join('\n')), links: [] };
  const text = readFileSync(place, 'utf8');
  return file.endsWith('.md') ? relinked(root, file, text) : { text: shown(file, extname(file).slice(1) || 'text', text), links: [] };
}

/** Kept from the search, which is for what is explained. */
function shown(file: string, language: string, text: string): string {
  const fence = '`'.repeat(4);
  return `---\nsearch: false\n---\n# ${posix.basename(file)}\n\n\`${file}\` in the repository.\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

const LINK = /\]\(([^()\s]+)\)/g;

/** The page with its links as they are in the site. A link to nothing fails the build. */
function relinked(root: string, file: string, text: string): { text: string; links: readonly string[] } {
  const links: string[] = [];
  const replaced = outsideFences(text, (line) =>
    line.replace(LINK, (all: string, link: string) => {
      if (/^([a-z]+:|#)/.test(link)) return all;
      const [path = '', anchor] = link.split('#');
      const target = fileMeant(root, posix.normalize(posix.join(posix.dirname(file), path)));
      if (target === undefined) throw new Error(`${file} links to ${link}, which is not there`);
      links.push(target);
      return `](/${sitePath(target)}${anchor === undefined ? '' : `#${anchor}`})`;
    }),
  );
  return { text: replaced, links };
}

/** The file that a link means: of a folder its README, where it has one. */
function fileMeant(root: string, target: string): string | undefined {
  const path = target.replace(/\/$/, '');
  if (!existsSync(join(root, path))) return undefined;
  const readme = `${path}/README.md`;
  return existsSync(join(root, readme)) ? readme : path;
}

function outsideFences(text: string, edit: (line: string) => string): string {
  let fenced = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return fenced ? line : edit(line);
  });
  return lines.join('\n');
}
