import { entryFor, entryName } from '../checks/scope-checks.ts';
import { decide, rewriteIds, withPointer } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { reasonOf } from '../decision/reasons.ts';
import { KEY, MAPPING } from '../identity/metadata.ts';
import type { JsonObject } from '../kube/json.ts';
import { apiVersionOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { identityAnnotations, identityLabels, stampMetadata } from '../translate/common-steps.ts';
import type { Note, Refusal } from '../translate/edit.ts';
import { deliveryAnnotations } from './delivery.ts';
import { fileName, tenantFolder } from './host-path.ts';
import { measure } from './measure.ts';
import type { HostFile } from './plan-types.ts';
import type { Projection } from './project.ts';
import type { PolicyEntry } from './settings.ts';
import { sourceRef } from './subjects.ts';
import type { TenantContext } from './tenant-context.ts';

/** Larger than this no API server takes an object (etcd's request limit is 1.5 MiB, a ConfigMap's 1 MiB; room for metadata). */
const SIZE_LIMIT = 900 * 1024;
/** Above this an object carries its identity only: client-side apply copies every annotation once more. */
const ANNOTATION_BUDGET = 120 * 1024;

/** What a render asks of files and decisions. */
export interface Layout {
  readonly shards: number;
  readonly keepFields: boolean;
}

/** The host file of a projected object, or the decision that it is not projected. */
export function finishProjection(
  projection: Projection,
  ctx: TenantContext,
  layout: Layout,
  more: readonly Note[],
): { file?: HostFile; decision: Decision } {
  const { subject, edit } = projection;
  if (edit === undefined || projection.refusals.length > 0) return { decision: skipDecision(projection, ctx) };

  const entry = entryFor(ctx, subject);
  const { size, substitution } = measure(edit.object);
  if (size > SIZE_LIMIT) {
    const refusal: Refusal = { reason: 'ObjectTooLarge', params: { size: String(size), limit: String(SIZE_LIMIT) } };
    return { decision: skipDecision({ ...projection, refusals: [refusal] }, ctx) };
  }
  const notes: Note[] = [...edit.notes, ...more];
  if (substitution) notes.push({ reason: 'SubstitutionPattern', params: {} });
  if (entry !== undefined && entry.direction !== 'toHost')
    notes.push({ reason: 'GitIgnoredAfterBootstrap', params: { direction: entry.direction } });
  const named = ctx.hostName(subject.key, subject.virtualNamespace, subject.name);
  if (named.hashed && nameOf(edit.object) === named.name) {
    notes.push({ reason: 'NameHashed', params: { source: `${subject.virtualNamespace}/${subject.name}`, host: named.name } });
  }
  const spare = size > ANNOTATION_BUDGET;
  if (spare) notes.push({ reason: 'AnnotationBudgetExceeded', params: { size: String(size) } });

  const rule = entry === undefined ? ctx.policy.name : `${ctx.policy.name}[${entryName(entry)}]`;
  const rewrites = rewriteIds(edit.changes);
  stampMetadata(edit.object, identityLabels(ctx, subject.virtualNamespace, subject.row.kind), {
    ...identityAnnotations(ctx, subject.virtualNamespace, subject.name),
    ...deliveryAnnotations(edit.object, {
      substitution,
      tenant: ctx.tenant,
      ...(entry !== undefined && { direction: entry.direction }),
    }),
    ...decisionAnnotations(spare, {
      intent: 'Project',
      code: reasonOf('PolicyMatched').code,
      cause: `SyncPolicy/${rule}`,
      profile: ctx.profile.name,
      rewrites,
      path: subject.source.path,
    }),
  });
  const file = fileName(edit.object);
  const path = `${tenantFolder(ctx.tenant.namespace, file, layout.shards)}/${file}`;
  const said = matchedBy(ctx, entry, subject.row.kind, rule);
  const decision = decide({
    tenant: tenantRef(ctx),
    source: sourceRef(subject),
    host: hostRef(edit.object, path),
    flow: 'ToHost',
    action: 'Create',
    reason: 'PolicyMatched',
    params: said.params,
    causes: said.causes,
    trace: projection.trace.steps(),
    fields: layout.keepFields ? edit.changes : [],
    rewrites,
    notes,
  });
  return { file: { path, object: edit.object, decision }, decision };
}

export function decisionAnnotations(
  spare: boolean,
  of: {
    readonly intent: string;
    readonly code: string;
    readonly cause: string;
    /** undefined where it is made for every profile alike */
    readonly profile?: string;
    readonly rewrites: readonly string[];
    readonly path?: string;
  },
): JsonObject {
  return {
    [KEY.origin]: 'git',
    ...(!spare && {
      [KEY.decision]: `${MAPPING}/${of.intent}/${of.code}`,
      [KEY.causedBy]: of.cause,
      ...(of.profile !== undefined && { [KEY.isolation]: `IsolationProfile/${of.profile}` }),
      ...(of.rewrites.length > 0 && { [KEY.rewrites]: of.rewrites.join(',') }),
      // A ResourceList need not say where an item came from.
      ...(of.path !== undefined && of.path !== '' && { [KEY.sourcePath]: of.path }),
    }),
  };
}

export function skipDecision(projection: Projection, ctx: TenantContext): Decision {
  const [first, ...others] = projection.refusals;
  if (first === undefined) throw new Error('a projection without refusals is not skipped');
  const params = withPointer(first);
  return decide({
    tenant: tenantRef(ctx),
    source: sourceRef(projection.subject),
    flow: 'None',
    action: 'Skip',
    reason: first.reason,
    params,
    ...(first.remedy !== undefined && { remedy: first.remedy }),
    causes: [causeOf(first, ctx)],
    trace: projection.trace.steps(),
    notes: others,
  });
}

/** Who decided a refusal: the profile's field that it names, else by the thousand of its code. */
function causeOf(refusal: Refusal, ctx: TenantContext): string {
  const thousand = reasonOf(refusal.reason).code.charAt(2);
  const { control } = refusal;
  if (control !== undefined) return `IsolationProfile/${ctx.profile.name}#${control}`;
  if (thousand === '2') return `SyncPolicy/${ctx.policy.name}`;
  if (thousand === '3') return `IsolationProfile/${ctx.profile.name}`;
  return `TenantCluster/${ctx.tenant.name}`;
}

export function tenantRef(ctx: TenantContext): Decision['tenant'] {
  return { namespace: ctx.tenant.namespace, name: ctx.tenant.name };
}

export function hostRef(object: KubeObject, file: string): NonNullable<Decision['host']> {
  return { apiVersion: apiVersionOf(object), kind: kindOf(object), namespace: namespaceOf(object) ?? '', name: nameOf(object), file };
}

interface Matched {
  readonly params: Readonly<Record<string, string>>;
  readonly causes: readonly string[];
}

const MATCHED: WeakMap<TenantContext, Map<string, Matched>> = new WeakMap();

/** What is said of every object of a kind that one entry matched; kept once for a tenant. */
function matchedBy(ctx: TenantContext, entry: PolicyEntry | undefined, kind: string, rule: string): Matched {
  const kinds = MATCHED.get(ctx) ?? new Map<string, Matched>();
  MATCHED.set(ctx, kinds);
  const known = kinds.get(rule + kind);
  if (known !== undefined) return known;
  const made: Matched = {
    params: { policy: ctx.policy.name, entry: entry === undefined ? '' : entryName(entry), kind, direction: entry?.direction ?? 'toHost' },
    causes: [`SyncPolicy/${rule}`, `IsolationProfile/${ctx.profile.name}`],
  };
  kinds.set(rule + kind, made);
  return made;
}
