/**
 * Lines of the items of a block-style List, counted from 0 inside its document. Found by indent, without a parse; where the
 * number of items does not come out as it should, the answer is no lines rather than wrong ones.
 */
export function listItemLines(text: string, items: number): readonly number[] {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => /^items:[ \t]*(?:#.*)?\r?$/.test(line));
  if (head < 0) return [];
  let indent: number | undefined;
  const found: number[] = [];
  for (let index = head + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const dash = /^([ ]*)-(?:[ \t\r]|$)/.exec(line);
    if (dash !== null && (indent === undefined || dash[1]?.length === indent)) {
      indent = dash[1]?.length ?? 0;
      found.push(index);
    } else if (/^[^\s#-]/.test(line)) break;
  }
  return found.length === items ? found : [];
}
