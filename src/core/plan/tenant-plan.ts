import type { Decision } from '../decision/decision.ts';
import { compileAliases, type ProjectedService } from '../dns/aliases.ts';
import { compileDnsServer } from '../dns/server.ts';
import { compileIsolation } from '../isolation/compile.ts';
import type { Note } from '../translate/edit.ts';
import { aliasFile, compiledFile } from './compiled-files.ts';
import type { TenantDraft } from './draft-tenant.ts';
import { finishProjection } from './finish-tenant.ts';
import type { Finding, HostFile, Observation, TenantPlan } from './plan-types.ts';
import type { Projection } from './project.ts';
import { compare } from './subjects.ts';
import type { Source, Subject } from './tenant-context.ts';
import { tenantFindings } from './tenant-findings.ts';

function projectedObject({ subject, edit, refusals }: Projection): ProjectedService[] {
  return edit !== undefined && refusals.length === 0 ? [{ subject, host: edit.object }] : [];
}

/** Turns a checked draft into the tenant's files and decisions, with all that is compiled around them. */
export function finishTenant(
  draft: TenantDraft,
  { config, keepFields = true }: Pick<Observation, 'config' | 'keepFields'>,
  frozen: string | undefined,
  source: Source,
): { readonly plan: TenantPlan; readonly findings: readonly Finding[] } {
  const { ctx } = draft;
  const { shards } = config.output;
  const files: HostFile[] = [];
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
    if (file !== undefined) files.push(file);
  }
  if (config.scope === 'everything') {
    const made: HostFile[] = aliases.map((alias) => aliasFile(alias, ctx, shards));
    for (const compiled of compileDnsServer(ctx, projected)) made.push(compiledFile(compiled, ctx, shards, 'DnsServerMade'));
    const others = [...files, ...made].map(({ object }) => object);
    for (const compiled of compileIsolation(ctx, others)) made.push(compiledFile(compiled, ctx, shards));
    files.push(...made);
    decisions.push(...made.map(({ decision }) => decision));
  }
  const rejected = decisions.find(({ severity }) => severity === 'error');
  const why = frozen ?? (rejected === undefined ? undefined : `${rejected.source?.file.path ?? ''}: ${rejected.message}`);
  const plan: TenantPlan = {
    name: ctx.tenant.name,
    namespace: ctx.tenant.namespace,
    policy: ctx.policy.name,
    profile: ctx.profile.name,
    level: ctx.profile.level,
    ...(why !== undefined && { frozen: why }),
    files: why === undefined ? files.sort((a, b) => compare(a.path, b.path)) : [],
    decisions: inOrder(decisions),
  };
  return { plan, findings: config.scope === 'everything' ? tenantFindings(ctx, files, source) : [] };
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
