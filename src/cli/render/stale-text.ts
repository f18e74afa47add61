import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { reasonOf } from '../../core/decision/reasons.ts';
import { visible, visibleLines } from '../../report/escape.ts';
import { listing, plural, type TextStyle, type Tone } from '../../report/text.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';
import type { Siblings } from '../tree/write-tree.ts';

export interface Stale {
  readonly difference: TreeDifference;
  readonly siblings: Siblings;
  /** files that are not ours, relative to the tree: in the place of one of ours, or where no source gives any */
  readonly foreign: readonly { readonly path: string; readonly reason: 'HostObjectForeign' | 'TreeFileForeign' }[];
}

/**
 * What `--check` found, with what mends it. Empty where the committed tree is what a render would give.
 * @param shown an absolute path as it would be typed where the command was called
 */
export function staleText(
  { difference, siblings, foreign }: Stale,
  mend: string,
  style: TextStyle,
  shown: (path: string) => string = (path) => path,
): string {
  const { added, changed, removed } = difference;
  const beside = besideRows(siblings, shown);
  if (added.length + changed.length + removed.length + beside.length + foreign.length === 0) return '';
  const counts = [`${changed.length} stale`, `${added.length} missing`, `${removed.length} extra`];
  if (foreign.length > 0) counts.push(`${foreign.length} not ours`);
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
      foreign.map(({ path, reason }) => [style.paint('refused', `  ! ${host(path)}  ${reasonOf(reason).code} ${reason}`)]),
      'files of others',
      style,
    ),
  );
  lines.push(
    ...listing(
      beside.map(([sign, tone, path]) => [style.paint(tone, `  ${sign} ${visible(path)}`)]),
      'files beside the tree',
      style,
    ),
  );
  if (foreign.length === 0) lines.push(`  to mend it: ${visible(mend)}`);
  else if (foreign.some(({ reason }) => reason === 'HostObjectForeign')) {
    lines.push(`  to mend what is marked !: ${reasonOf('HostObjectForeign').remedy}`);
    lines.push(`    ${visible(mend)}`);
  } else {
    lines.push('  no source gives the files marked !, and what applies the tree applies them all the same');
    lines.push('  to mend it: move them out of the tree, or remove them (git rm); then:');
    lines.push(`    ${visible(mend)}`);
  }
  return `${lines.join('\n')}\n`;
}

function besideRows(siblings: Siblings, shown: (path: string) => string): readonly (readonly [string, Tone, string])[] {
  const rows: (readonly [string, Tone, string])[] = [];
  for (const path of siblings.write.keys()) rows.push(existsSync(path) ? ['~', 'changed', shown(path)] : ['+', 'added', shown(path)]);
  for (const path of siblings.remove) rows.push(['-', 'removed', shown(path)]);
  return rows.sort(([, , a], [, , b]) => (a < b ? -1 : 1));
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
