import type { HostFile, Plan } from '../../core/plan/plan-types.ts';
import { fileText } from '../../krm/printer.ts';

/**
 * All manifests as one stream, in the order in which they can be applied: platform, then each tenant with its Namespaces
 * first, then the reconciler's configuration. A frozen tenant goes out as it last was: left out, a pruning applier would
 * remove it.
 */
export function* manifestStream(plan: Plan, host: ReadonlyMap<string, string>, prefix: string): Generator<string> {
  const files = [...plan.shared, ...plan.tenants.flatMap((tenant) => tenant.files)].sort(byOrder);
  const platform = files.filter((file) => stage(file) === 0);
  yield* platform.map((file) => document(prefix + file.path, fileText(file)));
  for (const tenant of plan.tenants) {
    if (tenant.frozen === undefined) continue;
    const texts = [...host].filter(([path]) => path.startsWith(`${tenant.namespace}/`));
    for (const [path, text] of texts) yield document(prefix + path, text);
  }
  for (const file of files) if (stage(file) > 0) yield document(prefix + file.path, fileText(file));
}

function document(path: string, text: string): string {
  return `---\n# ${path}\n${text.replace(/^---\n/, '')}${text.endsWith('\n') ? '' : '\n'}`;
}

function byOrder(a: HostFile, b: HostFile): number {
  return stage(a) - stage(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function stage(file: HostFile): number {
  if (file.path.startsWith('platform/')) return 0;
  if (file.path.startsWith('config/')) return 3;
  return file.decision.host?.kind === 'Namespace' ? 1 : 2;
}
