import { join } from 'node:path';
import { plan } from '../../core/plan/plan.ts';
import type { CommittedTree } from '../../core/review/review.ts';
import type { Sides } from '../../core/review/sides.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { YAML_PRINTER } from '../../krm/printer.ts';
import { PLATFORM } from '../render/load-package.ts';
import { previousTree } from '../render/previous-tree.ts';
import { differenceInMemory } from '../render/tree-in-memory.ts';
import { unaccounted } from '../render/unaccounted.ts';
import type { SideToPlan } from './plan-sides.ts';

/**
 * How the tree that is committed beside the side after differs from what its package renders upon it, as `render --check` finds it;
 * undefined where there is none, where it is fresh, or where nothing would be rendered.
 */
export function committedTree({ before, after }: Sides<SideToPlan>): CommittedTree | undefined {
  const { loaded, config, treePaths } = after;
  if (treePaths.length === 0) return undefined;
  const rendered = plan({
    inputs: loaded.inputs,
    unreadable: loaded.findings,
    previous: previousTree(loaded.host),
    config,
    foreign: ({ path }) => path.startsWith(PLATFORM),
    printer: YAML_PRINTER,
    keepFields: false,
  });
  if (rendered.stopped) return undefined;
  const difference = differenceInMemory(rendered, { root: join(loaded.root, HOST_FOLDER), texts: loaded.host, paths: treePaths });
  const { foreign } = unaccounted({ plan: rendered, partial: false }, difference);
  const { added, changed, removed } = difference;
  if (foreign.length + added.length + changed.length + removed.length === 0) return undefined;
  const asBefore = (path: string): boolean => before.loaded.host.get(path) === loaded.host.get(path);
  const named = (paths: readonly string[]): string[] => paths.map((path) => `${HOST_FOLDER}/${path}`);
  return {
    foreign: named(foreign),
    changed: named([...changed.filter((path) => !asBefore(path)), ...changed.filter(asBefore)]),
    missing: named(added),
    extra: named(removed),
  };
}
