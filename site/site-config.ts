import type { DefaultTheme, UserConfig } from 'vitepress';
import type { Group } from './navigation.ts';

export interface SiteOptions {
  readonly outDir: string;
  readonly groups: readonly Group[];
}

/** The settings of the generator. Nothing is fetched from elsewhere by the built pages: system fonts, and a search whose index is a file. */
export function siteConfig({ outDir, groups }: SiteOptions): UserConfig<DefaultTheme.Config> {
  return {
    title: 'tenantplane',
    description: 'Kubernetes multi-tenancy that can be explained',
    lang: 'en',
    outDir,
    // one page after the other, so that the search index, and the names that hold its digest, are the same in each build
    buildConcurrency: 1,
    // what all pages have in common in one file, not in each
    metaChunk: true,
    themeConfig: {
      sidebar: groups.map(({ text, items }) => ({ text, items: [...items] })),
      search: { provider: 'local' },
      outline: [2, 3],
      docFooter: { prev: false, next: false },
    },
    markdown: {
      anchor: { slugify },
      languageAlias: { mjs: 'js' },
      config(md) {
        // Vue would run what stands between double braces; in a page they are text, such as of a template.
        const { escapeHtml } = md.utils;
        md.renderer.rules.text = (tokens, index) => escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '&#123;&#123;');
      },
    },
  };
}

/** As the web pages of Git hosts make anchors of headings, so that a link works in both places. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
