import { finding } from '../../core/decision/finding.ts';
import type { Finding } from '../../core/plan/plan-types.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { fileText } from '../../krm/printer.ts';
import type { PlannedPackage } from './plan-package.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** `--tenant` writes nothing shared: where the tree has it not, or not as it is now, the tenant stands without what guards it. */
export function sharedBehind({ withheld, loaded, plan }: PlannedPackage): Finding[] {
  if (plan.stopped) return [];
  const { files, foreign } = withheld;
  const tree = loaded.copies ? NOTHING : loaded.host;
  const missing = files.filter(({ path }) => !tree.has(path)).length;
  const stale = files.filter((file) => tree.has(file.path) && tree.get(file.path) !== fileText(file)).length;
  if (missing + stale + foreign === 0) return [];
  const counts = { total: files.length + foreign, missing, stale, foreign };
  const params = Object.fromEntries(Object.entries(counts).map(([word, count]) => [word, String(count)]));
  return [finding('SharedFilesBehind', params, { path: HOST_FOLDER, document: 0 })];
}
