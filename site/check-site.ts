import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What is wrong with a built site: what it would load from another host, and links that lead nowhere. */
export function siteProblems(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const pages = new Map(files.filter((path) => path.endsWith('.html')).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const styles = files
    .filter((path) => path.endsWith('.css'))
    .map((path): [string, string] => [path, readFileSync(join(folder, path), 'utf8')]);
  return [
    ...[...pages].flatMap(([path, html]) =>
      loaded(html)
        .filter(isElsewhere)
        .map((url) => `${path} loads ${url}`),
    ),
    ...[...styles, ...pages].flatMap(([path, text]) =>
      inStyles(text)
        .filter(isElsewhere)
        .map((url) => `${path} loads ${url} as a style`),
    ),
    ...[...pages].flatMap(([path, html]) =>
      linksOf(html)
        .filter((link) => !leadsSomewhere(folder, pages, path, link))
        .map((link) => `${path} links to ${link}, which is not there`),
    ),
  ];
}

/** Everything that a browser fetches by itself to show the page; an ordinary link waits for a click. */
function loaded(html: string): string[] {
  const tags = html.match(/<(script|link|img|iframe|source|video|audio|embed|object|use|image)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => [...tag.matchAll(/\s(?:src|href|srcset|data|poster)="([^"]*)"/g)].map(([, url = '']) => url));
}

function inStyles(text: string): string[] {
  return [...text.matchAll(/(?:url\(|@import\s+)["']?([^"')\s;]+)/g)].map(([, url = '']) => url);
}

function isElsewhere(url: string): boolean {
  return /^([a-z][a-z0-9+.-]*:)?\/\//i.test(url);
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => !/^[a-z]+:/i.test(link));
}

function leadsSomewhere(folder: string, pages: ReadonlyMap<string, string>, from: string, link: string): boolean {
  const [path = '', anchor = ''] = decodeURI(link).split('#');
  const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path);
  const target = path === '' ? from : joined === '' || joined.endsWith('/') ? `${joined}index.html` : joined;
  const page = pages.get(target) ?? pages.get(`${target}.html`);
  if (page === undefined) return existsSync(join(folder, target));
  return anchor === '' || page.includes(` id="${anchor}"`);
}
