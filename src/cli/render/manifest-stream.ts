import { reasonOf } from '../../core/decision/reasons.ts';
import { KEY } from '../../core/identity/metadata.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import { fileText } from '../../krm/printer.ts';

/** One manifest, with its turn in the stream. */
interface Manifest {
  readonly path: string;
  readonly stage: number;
  readonly text: () => string;
}

export interface StreamOptions {
  /** files that stay as they last were, and go out as they stand */
  readonly standing: Iterable<readonly [path: string, text: string]>;
  /** stands before host paths */
  readonly prefix: string;
}

const PLATFORM = 0;
const NAMESPACE = 1;
const ISOLATION = 2;
const OBJECT = 3;
const CONFIG = 4;

/**
 * All manifests as one stream, in the order in which they can be applied: platform, Namespaces, what isolates them (accounts,
 * network policies, quotas and limits have to stand before the first pod starts), then all else, then the reconciler's
 * configuration.
 */
export function* manifestStream(plan: Plan, { standing, prefix }: StreamOptions): Generator<string> {
  const manifests: Manifest[] = [...plan.shared, ...plan.tenants.flatMap((tenant) => tenant.files)].map((file) => ({
    path: file.path,
    stage: stageOf(file.path, file.decision.host?.kind, file.decision.reason === 'IsolationObjectCompiled'),
    text: () => fileText(file),
  }));
  for (const [path, text] of standing)
    manifests.push({ path, stage: stageOf(path, /^kind: (\w+)$/m.exec(text)?.[1], isCompiled(text)), text: () => text });
  manifests.sort((a, b) => a.stage - b.stage || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const { path, text } of manifests) yield document(prefix + path, text());
}

function document(path: string, text: string): string {
  return `---\n# ${path}\n${text.replace(/^---\n/, '')}${text.endsWith('\n') ? '' : '\n'}`;
}

function stageOf(path: string, kind: string | undefined, compiled: boolean): number {
  if (path.startsWith('platform/')) return PLATFORM;
  if (path.startsWith('config/')) return CONFIG;
  if (kind === 'Namespace') return NAMESPACE;
  return compiled ? ISOLATION : OBJECT;
}

/** Whether a file of an earlier render says that it is part of the isolation. */
function isCompiled(text: string): boolean {
  const code = reasonOf('IsolationObjectCompiled').code;
  return text.split('\n').some((line) => line.includes(KEY.decision) && line.includes(`/${code}`));
}
