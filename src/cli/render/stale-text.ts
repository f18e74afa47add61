import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { visible, visibleLines } from '../../report/escape.ts';
import { listing, plural, type TextStyle } from '../../report/text.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';
import type { Siblings } from '../tree/write-tree.ts';

/** What `--check` found, with what mends it. Empty where the committed tree is what a render would give. */
export function staleText(difference: TreeDifference, siblings: Siblings, mend: string, style: TextStyle): string {
  const { added, changed, removed } = difference;
  const beside = [...siblings.write.keys(), ...siblings.remove];
  if (added.length + changed.length + removed.length + beside.length === 0) return '';
  const counts = [`${changed.length} stale`, `${added.length} missing`, `${removed.length} extra`];
  if (beside.length > 0) counts.push(`${plural(beside.length, 'file')} beside it`);
  const host = (path: string): string => visible(style.hostPrefix + path);
  const lines = [style.paint('refused', `stale: ${counts.join(', ')}`)];
  lines.push(
    ...listing(
      changed.map((path) => [style.paint('changed', `  ~ ${host(path)}`)]),
      'stale files',
      style,
    ),
  );
  lines.push(
    ...listing(
      added.map((path) => [style.paint('added', `  + ${host(path)}`)]),
      'missing files',
      style,
    ),
  );
  lines.push(
    ...listing(
      removed.map((path) => [style.paint('removed', `  - ${host(path)}`)]),
      'extra files',
      style,
    ),
  );
  lines.push(
    ...listing(
      beside.sort().map((path) => [`  ~ ${visible(path)}`]),
      'files beside the tree',
      style,
    ),
  );
  lines.push(`  to mend it: ${visible(mend)}`);
  return `${lines.join('\n')}\n`;
}

/** Unified diffs from the tree on the disk to the rendered one. What a Secret holds is not shown. */
export function* differenceText(difference: TreeDifference, style: TextStyle): Generator<string> {
  const { tree, contents, removed } = difference;
  const paths = [...new Set([...contents.keys(), ...removed])].sort();
  for (const path of paths) {
    const name = visible(style.hostPrefix + path);
    const before = tree.files.has(path) ? readFileSync(join(tree.root, path), 'utf8') : '';
    const after = contents.get(path)?.() ?? '';
    if (holdsSecret(before) || holdsSecret(after)) {
      yield `# ${name} differs; it holds a Secret, so its content is not shown\n`;
      continue;
    }
    const from = before === '' ? '/dev/null' : `a/${name}`;
    const to = after === '' ? '/dev/null' : `b/${name}`;
    yield visibleLines(createTwoFilesPatch(from, to, before, after, '', '', { context: 3 })).replace(/^=+\n/, '');
  }
}

function holdsSecret(text: string): boolean {
  return /^\s*["']?kind["']?\s*:\s*["']?Secret["']?\s*(#.*)?$/m.test(text);
}
