import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { pointerOf } from '../decision/pointer-of.ts';
import { compileAliases, type ProjectedService } from '../dns/aliases.ts';
import { compileDnsServer } from '../dns/server.ts';
import { compileIsolation } from '../isolation/compile.ts';
import type { CompiledObject } from '../isolation/compiled-object.ts';
import { controlMatrix } from '../isolation/controls.ts';
import type { Note } from '../translate/edit.ts';
import { aliasFile, compiledFile } from './compiled-files.ts';
import type { TenantDraft } from './draft-tenant.ts';
import { finishProjection } from './finish-tenant.ts';
import type { Finding, HostFile, Observation, Place, TenantPlan } from './plan-types.ts';
import type { Projection } from './project.ts';
import { compare } from './subjects.ts';
import type { Source, Subject } from './tenant-context.ts';
import { tenantFindings } from './tenant-findings.ts';

function projectedObject({ subject, edit, refusals }: Projection): ProjectedService[] {
  return edit !== undefined && refusals.length === 0 ? [{ subject, host: edit.object }] : [];
}

interface Standing {
  /** why the tree stays as it is, where it does */
  readonly frozen: string | undefined;
  readonly frozenAt: Place | undefined;
  /** where the TenantCluster stands */
  readonly source: Source;
  /** what its profile has once on the host, for all tenants */
  readonly shared: readonly CompiledObject[];
}

/**
 * Turns a checked draft into the tenant's files and decisions, with all that is compiled around them (`boundary`, also where the
 * tree stays as it is).
 */
export function finishTenant(
  draft: TenantDraft,
  { config, keepFields = true }: Pick<Observation, 'config' | 'keepFields'>,
  { frozen, frozenAt, source, shared }: Standing,
): { readonly plan: TenantPlan; readonly findings: readonly Finding[]; readonly boundary: readonly HostFile[] } {
  const { ctx } = draft;
  const { shards } = config.output;
  const around = config.scope !== 'sync';
  const sync: HostFile[] = [];
  const decisions: Decision[] = [...draft.decisions];
  const projected = draft.projections.flatMap(projectedObject);
  const { aliases, leftOut } = compileAliases(
    ctx,
    projected.filter(({ subject }) => subject.key === 'Service'),
  );
  const notes = new Map<Subject, Note[]>();
  for (const { subject, note } of leftOut) notes.set(subject, [...(notes.get(subject) ?? []), note]);

  for (const projection of draft.projections) {
    const { file, decision } = finishProjection(projection, ctx, { shards, keepFields }, notes.get(projection.subject) ?? []);
    decisions.push(decision);
    if (file !== undefined) sync.push(file);
  }
  const made: HostFile[] = [];
  const enforcing: CompiledObject[] = [];
  if (around) {
    for (const alias of aliases) made.push(aliasFile(alias, ctx, shards));
    const dns = compileDnsServer(ctx, projected);
    for (const compiled of dns) made.push(compiledFile(compiled, ctx, shards, 'DnsServerMade'));
    const isolation = compileIsolation(
      ctx,
      [...sync, ...made].map(({ object }) => object),
    );
    for (const compiled of isolation) made.push(compiledFile(compiled, ctx, shards));
    enforcing.push(...isolation, ...dns, ...shared);
    decisions.push(...made.map(({ decision }) => decision));
  }
  const all = [...sync, ...made];
  const files = config.scope === 'isolation' ? made : all;
  const rejected = decisions.find(({ severity }) => severity === 'error');
  const why = frozen ?? (rejected === undefined ? undefined : `${rejected.source?.file.path ?? ''}: ${rejected.message}`);
  const at = frozen === undefined ? placeOf(rejected) : frozenAt;
  const plan: TenantPlan = {
    name: ctx.tenant.name,
    namespace: ctx.tenant.namespace,
    policy: ctx.policy.name,
    profile: ctx.profile.name,
    level: ctx.profile.level,
    ...(why !== undefined && { frozen: why }),
    ...(at !== undefined && { frozenAt: at }),
    files: why === undefined ? files.sort((a, b) => compare(a.path, b.path)) : [],
    decisions: inOrder(config.scope === 'isolation' ? decisions.map(elsewhere) : decisions),
    controls: around ? controlMatrix(ctx, enforcing) : [],
  };
  return { plan, findings: around ? tenantFindings(ctx, plan.controls, all, source) : [], boundary: made };
}

function placeOf(rejected: Decision | undefined): Place | undefined {
  if (rejected?.source === undefined) return undefined;
  const at = pointerOf(rejected);
  return { source: rejected.source.file, ...(at !== undefined && { pointer: at }) };
}

/** A tenant object where only what stands around it is rendered; what freezes the tenant is said all the same. */
function elsewhere(decision: Decision): Decision {
  const { tenant, source, causes, severity } = decision;
  if (source === undefined || severity === 'error') return decision;
  const params = { kind: source.kind, source: `${source.namespace}/${source.name}` };
  return decide({ tenant, source, flow: 'None', action: 'Skip', reason: 'ProjectedElsewhere', params, causes });
}

/** In an order that no order of files changes: subjects of the tenant first, by kind, namespace and name. */
function inOrder(decisions: readonly Decision[]): Decision[] {
  return decisions
    .map((decision) => ({ decision, key: sortKey(decision) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ decision }) => decision);
}

function sortKey({ source, host, reason }: Decision): string {
  const subject = source ?? host;
  const file = source === undefined ? '' : `${source.file.path}|${String(source.file.document).padStart(6, '0')}`;
  return `${source === undefined ? 1 : 0}|${subject?.apiVersion}|${subject?.kind}|${subject?.namespace}|${subject?.name}|${file}|${reason}`;
}
