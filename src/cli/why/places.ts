import type { Decision } from '../../core/decision/decision.ts';
import { parseCause, placeOfCause } from '../../core/explain/cause-place.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import type { Source } from '../../core/plan/tenant-context.ts';
import { locate } from '../../krm/yaml/locate.ts';
import type { TextStyle } from '../../report/text.ts';
import type { Lines } from './git-facts.ts';
import type { OpenPackage } from './open-package.ts';
import type { PlanPart } from './plan-part.ts';

/** A place in the input that can be opened: `platform/policies.yaml`, line 12. */
export interface FilePlace {
  readonly path: string;
  readonly line?: number;
}

export function placeRecord({ path, line }: FilePlace): JsonObject {
  return { path, ...(line !== undefined && { line }) };
}

export function placeWords({ path, line }: FilePlace, style: Pick<TextStyle, 'sourcePath'>): string {
  return `${style.sourcePath(path)}${line === undefined ? '' : `:${line}`}`;
}

/** A cause of a decision with its place. */
export interface PlacedCause {
  /** as the decision has it: `SyncPolicy/default[v1/Pod]` */
  readonly text: string;
  readonly role: 'rule' | 'profile' | 'tenant' | 'render';
  readonly place?: FilePlace;
  /** said where the field is not written down */
  readonly implied?: string;
}

const ROLES: Readonly<Record<string, PlacedCause['role']>> = { SyncPolicy: 'rule', IsolationProfile: 'profile', TenantCluster: 'tenant' };
const IMPLIED = { level: 'follows from the level', default: 'holds for every tenant' } as const;

export async function placedCause(cited: string, tenant: Decision['tenant'], open: OpenPackage): Promise<PlacedCause> {
  const cause = parseCause(cited);
  const role = ROLES[cause.ref.split('/')[0] ?? ''] ?? 'render';
  const found = placeOfCause(cause, tenant, open.config);
  if (found === undefined) return { text: cited, role };
  const place = await placeAt(found.source, found.pointer, open.texts);
  return { text: cited, role, place, ...(found.implied !== undefined && { implied: IMPLIED[found.implied] }) };
}

export async function placeAt(source: Source, pointer: string, texts: ReadonlyMap<string, string>): Promise<FilePlace> {
  const text = texts.get(source.path);
  const line = (pointer === '' || text === undefined ? undefined : (await locate(text, source.document, pointer))?.line) ?? source.line;
  return { path: source.path, ...(line !== undefined && { line }) };
}

/** The lines of a file that hold an object: up to the next one. */
export function linesOf(source: Source, part: PlanPart): Lines | undefined {
  if (source.line === undefined) return undefined;
  const first = source.line;
  const next = part.inputs.flatMap(({ source: other }) =>
    other.path === source.path && other.line !== undefined && other.line > first ? [other.line] : [],
  );
  const all = (part.texts.get(source.path) ?? '').trimEnd().split('\n').length;
  return { first, last: Math.max(first, Math.min(all, ...next.map((line) => line - 1))) };
}
