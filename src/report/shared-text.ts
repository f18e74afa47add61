import type { HostFile } from '../core/plan/plan-types.ts';
import { visible } from './escape.ts';
import type { TreeChanges } from './render-text.ts';
import { plural, type TextStyle } from './text.ts';

const COUNTED = ['added', 'changed', 'removed'] as const;
const WORDS = { added: 'new', changed: 'changed', removed: 'removed' } as const;
const NAMED = 4;

/**
 * What the shared files are, and how many of them change for whom: two lines, however many files there are.
 * @param toldWithTenants files of tenants that are gone, which are counted there
 */
export function sharedHead(
  files: readonly HostFile[],
  changes: TreeChanges | undefined,
  style: TextStyle,
  toldWithTenants: ReadonlySet<string> = new Set(),
): string[] {
  const groups = new Map<string, number>();
  for (const file of files) groups.set(ownerOf(file), (groups.get(ownerOf(file)) ?? 0) + 1);
  const parts = [...groups].map(([owner, count]) => (owner === COPIES ? `${plural(count, owner, COPIES_MANY)}` : `${count} for ${owner}`));
  const head = style.paint('strong', parts.length === 0 ? 'shared' : visible(`shared   ${plural(files.length, 'file')}: ${short(parts)}`));
  if (changes === undefined) return [head];
  const owners = new Map(files.map((file) => [file.path, ownerOf(file)]));
  const told = COUNTED.flatMap((sort) => {
    // a tenant’s FlowSchema lies there too, and is told with its tenant; of what is removed, only the folder says whose it was
    const paths = changes[sort].filter(
      (path) => owners.has(path) || (sort === 'removed' && /^(platform|config)\//.test(path) && !toldWithTenants.has(path)),
    );
    if (paths.length === 0) return [];
    const whose = [...new Set(paths.flatMap((path) => owners.get(path) ?? []))].map((owner) => (owner === COPIES ? COPIES_MANY : owner));
    return [`${paths.length} ${WORDS[sort]}${sort === 'changed' && whose.length > 0 ? ` (${short(whose)})` : ''}`];
  });
  const touched = new Set([...changes.added, ...changes.changed]);
  const unchanged = files.filter(({ path }) => !touched.has(path)).length;
  if (unchanged > 0) told.push(`${unchanged} unchanged`);
  return told.length === 0 ? [head] : [head, `  ${visible(told.join(', '))}`];
}

const COPIES = 'copy of configuration';
const COPIES_MANY = 'copies of configuration';

function ownerOf({ decision: { reason, params } }: HostFile): string {
  if (reason === 'ConfigCopied') return COPIES;
  return params['profile'] === undefined ? 'the whole fleet' : `profile ${params['profile']}`;
}

function short(parts: readonly string[]): string {
  return parts.length <= NAMED + 1 ? parts.join(', ') : `${parts.slice(0, NAMED).join(', ')} and ${parts.length - NAMED} more`;
}
