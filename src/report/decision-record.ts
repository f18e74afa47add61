import { decisionId } from '../core/decision/decide.ts';
import type { Decision, DecisionNote, ObjectRef } from '../core/decision/decision.ts';
import { parseCause } from '../core/explain/cause-place.ts';
import { MAPPING } from '../core/identity/metadata.ts';
import type { Json, JsonObject, Path } from '../core/kube/json.ts';
import { pointer } from '../core/kube/pointer.ts';
import type { Source } from '../core/plan/tenant-context.ts';
import { hidingIn } from '../core/review/secrets.ts';
import type { Change } from '../core/translate/edit.ts';
import type { ReportKind } from './schemas/report-kinds.ts';

const REPORT_VERSION = 'report.tenantplane.io/v1alpha1';
export const HIDDEN = '(hidden)';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A decision as the document that reports, ledgers and later commands read. Pointers are JSON Pointers (RFC 6901). */
export function decisionRecord(decision: Decision): JsonObject {
  const undecided = decision.trace.filter((step) => step.outcome === 'Undecided').map((step) => step.rule);
  return {
    apiVersion: REPORT_VERSION,
    kind: 'DecisionRecord' satisfies ReportKind,
    id: decisionId(decision),
    mapping: MAPPING,
    plane: 'plan',
    tenant: { namespace: decision.tenant.namespace, name: decision.tenant.name },
    ...(decision.source !== undefined && { source: { ...reference(decision.source), file: sourceFile(decision.source.file) } }),
    ...(decision.host !== undefined && { host: { ...reference(decision.host), file: { path: decision.host.file } } }),
    flow: decision.flow,
    action: decision.action,
    disposition: decision.disposition,
    code: decision.code,
    reason: decision.reason,
    severity: decision.severity,
    message: decision.message,
    params: { ...decision.params },
    remedy: decision.remedy === '' ? null : decision.remedy,
    causes: decision.causes.map(cause),
    trace: decision.trace.map((step) => ({ ...step })),
    fields: decision.fields.map((change) => field(change, decision)),
    rewrites: [...decision.rewrites],
    notes: decision.notes.map(note),
    confidence: undecided.length === 0 ? 'complete' : `partial (${undecided.join(', ')})`,
  };
}

function reference(ref: ObjectRef): JsonObject {
  return { apiVersion: ref.apiVersion, kind: ref.kind, namespace: ref.namespace, name: ref.name };
}

export function sourceFile(source: Source): JsonObject {
  return { path: source.path, document: source.document, ...(source.line !== undefined && { line: source.line }) };
}

/** `SyncPolicy/default[v1/Pod]` and `IsolationProfile/restricted#defaultDenyNetworkPolicy` taken apart. */
export function cause(text: string): JsonObject {
  return { ...parseCause(text) };
}

/** One field change. The planner keeps Secret values out of changes; this is the second lock on the same door. */
export function field(change: Change, of: Subject): JsonObject {
  const hide = (value: Json): Json => shownValue(value, change.path, of);
  return {
    pointer: pointer(change.path),
    op: change.op,
    ...(change.before !== undefined && { before: hide(change.before) }),
    ...(change.after !== undefined && { after: hide(change.after) }),
    by: change.rule,
  };
}

type Subject = Pick<Decision, 'source' | 'host'>;

/**
 * A value as it may be shown: of a Secret its identity alone, of what is made into one nothing that a review hides, and of nothing what
 * was last applied.
 */
export function shownValue(value: Json, path: Path, { source, host }: Subject): Json {
  return [source, host].some((ref) => ref !== undefined && hides(ref, path, value)) || path.includes(LAST_APPLIED) ? HIDDEN : plain(value);
}

function hides({ apiVersion, kind }: ObjectRef, path: Path, value: Json): boolean {
  if (kind.toLowerCase() === 'secret') return !isIdentity(path);
  return kind.toLowerCase().includes('secret') && hidingIn({ apiVersion, kind }).hides(path, value);
}

/** Names and our own labels: what may be shown of a Secret. */
function isIdentity(path: Path): boolean {
  return path[0] === 'metadata' && (path[1] === 'name' || path[1] === 'namespace' || path[1] === 'labels');
}

/** Annotations as a whole may hold the last applied configuration, and with it everything. */
function plain(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    Object.defineProperty(copy, key, {
      value: key === LAST_APPLIED ? HIDDEN : plain(item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function note(item: DecisionNote): JsonObject {
  return {
    code: item.code,
    reason: item.reason,
    severity: item.severity,
    message: item.message,
    remedy: item.remedy === '' ? null : item.remedy,
    ...(item.path !== undefined && { pointer: pointer(item.path) }),
  };
}
