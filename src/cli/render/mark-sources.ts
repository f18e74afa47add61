import type { Plan } from '../../core/plan/plan-types.ts';
import type { PackageFile } from '../../krm/package.ts';
import { LOCAL_CONFIG } from '../../krm/transport.ts';
import { setAnnotation } from '../../krm/yaml/splice.ts';

export interface MarkedSources {
  /** new text by path, of files that are not marked yet */
  readonly texts: ReadonlyMap<string, string>;
  /** `path#index` of objects whose metadata cannot be edited in one place */
  readonly unmarked: readonly string[];
}

/**
 * The sources whose host form is in the tree, with the annotation that keeps kpt and Argo CD from applying them
 * (`output.sources: mark`). No other byte of a source is touched.
 */
export async function markSources(plan: Plan, files: readonly PackageFile[]): Promise<MarkedSources> {
  const texts = new Map<string, string>();
  const unmarked: string[] = [];
  const rendered = renderedSources(plan);
  for (const file of files) {
    let text = file.text;
    for (const slice of file.slices) {
      // What names the annotation is marked already; to look closer would cost a parse of every source at every render.
      if (slice.count === 0 || file.text.slice(slice.start, slice.end).includes(LOCAL_CONFIG)) continue;
      for (let index = slice.first; index < slice.first + slice.count; index += 1) {
        const place = `${file.path}#${index}`;
        if (!rendered.has(place)) continue;
        const marked = await setAnnotation(text, index, LOCAL_CONFIG, 'true');
        if (marked === undefined) unmarked.push(place);
        else text = marked;
      }
    }
    if (text !== file.text) texts.set(file.path, text);
  }
  return { texts, unmarked };
}

function renderedSources(plan: Plan): ReadonlySet<string> {
  const sources = new Set<string>();
  const decisions = [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.shared.map((file) => file.decision)];
  for (const { source } of decisions) if (source !== undefined) sources.add(`${source.file.path}#${source.file.document}`);
  return sources;
}
