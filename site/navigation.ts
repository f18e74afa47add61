import type { Page } from './page.ts';

/** A group of the navigation, as VitePress takes it. */
export interface Group {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** In the order of the navigation. A page that is not there yet is left out; one that nobody named stands under "More". */
const GROUPS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Begin', ['index', 'install', 'install-reconciler', 'operations', 'troubleshooting', 'concepts', 'how-to', 'cli']],
  ['Questions', ['why', 'why-not', 'isolation', 'reach', 'review', 'audit', 'doctor', 'errors']],
  ['Security', ['threat-model', 'threat-cases', 'secrets']],
  ['Delivery', ['delivery', 'observability', 'kpt-functions', 'migrating-from-templates']],
  ['Reference', ['codes/index', 'rules/index', 'fields', 'kinds', 'names', 'dns', 'errors-table', 'examples/index', 'functions/index']],
];

/** Groups of the pages that are there, each page under its first heading. */
export function navigation(pages: readonly Page[]): readonly Group[] {
  const rest = new Map(pages.map(({ path, text }) => [path.replace(/\.md$/, ''), titleOf(text)]));
  const groups = GROUPS.map(([text, names]) => ({ text, items: names.flatMap((name) => itemOf(name, rest)) }));
  const more = [...rest.keys()].filter((name) => !name.includes('/') && name !== 'readme').sort();
  const named = [...groups, { text: 'More', items: more.flatMap((name) => itemOf(name, rest)) }];
  return named.filter(({ items }) => items.length > 0);
}

function itemOf(name: string, rest: Map<string, string>): { text: string; link: string }[] {
  const text = rest.get(name);
  rest.delete(name);
  return text === undefined ? [] : [{ text, link: `/${name.replace(/(^|\/)index$/, '$1')}` }];
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';
}
