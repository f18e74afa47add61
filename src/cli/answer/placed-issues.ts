import type { Issue } from '../../report/issues.ts';
import type { TextStyle } from '../../report/text.ts';

/** A style that knows the line of each issue: looked up once, however many formats print it. */
export async function placedIssues(
  issues: readonly Pick<Issue, 'source' | 'pointer'>[],
  style: TextStyle,
  find: (path: string, document: number, pointer: string) => Promise<number | undefined>,
): Promise<TextStyle> {
  const lines = new Map<string, number | undefined>();
  for (const { source, pointer } of issues) {
    if (source === undefined || pointer === undefined || pointer === '') continue;
    const key = JSON.stringify([source.path, source.document, pointer]);
    if (!lines.has(key)) lines.set(key, await find(source.path, source.document, pointer));
  }
  const locate: TextStyle['locate'] = (source, pointer) =>
    lines.get(JSON.stringify([source.path, source.document, pointer ?? ''])) ?? source.line;
  return { ...style, locate };
}
