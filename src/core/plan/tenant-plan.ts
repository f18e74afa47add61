import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { compileAliases } from '../dns/aliases.ts';
import { compileDnsServer } from '../dns/server.ts';
import { compileIsolation } from '../isolation/compile.ts';
import { nameOf } from '../kube/object.ts';
import { compiledFile } from './compiled-files.ts';
import type { TenantDraft } from './draft-tenant.ts';
import { finishProjection, tenantRef } from './finish-tenant.ts';
import type { HostFile, RenderConfig, TenantPlan } from './plan-types.ts';
import { compare } from './subjects.ts';

/** Turns a checked draft into the tenant's files and decisions, with all that is compiled around them. */
export function finishTenant(draft: TenantDraft, config: RenderConfig, frozen: string | undefined): TenantPlan {
  const { ctx } = draft;
  const { shards } = config.output;
  const files: HostFile[] = [];
  const decisions: Decision[] = [...draft.decisions];
  const services: { subject: TenantDraft['projections'][number]['subject']; host: HostFile['object'] }[] = [];
  for (const projection of draft.projections) {
    const { file, decision } = finishProjection(projection, ctx, shards);
    decisions.push(decision);
    if (file === undefined) continue;
    files.push(file);
    if (projection.subject.key === 'Service') services.push({ subject: projection.subject, host: file.object });
  }
  void services;
  void compileAliases;
  void compileDnsServer;
  void compileIsolation;
  void compiledFile;
  void nameOf;
  void tenantRef;
  void decide;
  const rejected = decisions.find(({ severity }) => severity === 'error');
  const why = frozen ?? (rejected === undefined ? undefined : `${rejected.source?.file.path ?? ''}: ${rejected.message}`);
  return {
    name: ctx.tenant.name,
    namespace: ctx.tenant.namespace,
    policy: ctx.policy.name,
    profile: ctx.profile.name,
    level: ctx.profile.level,
    ...(why !== undefined && { frozen: why }),
    files: why === undefined ? files.sort((a, b) => compare(a.path, b.path)) : [],
    decisions: decisions.sort(byDecision),
  };
}

function byDecision(a: Decision, b: Decision): number {
  return compare(sortKey(a), sortKey(b));
}

function sortKey({ source, host, reason }: Decision): string {
  const subject = source ?? host;
  const file = source === undefined ? '' : `${source.file.path}|${String(source.file.document).padStart(6, '0')}`;
  return `${source === undefined ? 1 : 0}|${subject?.apiVersion}|${subject?.kind}|${subject?.namespace}|${subject?.name}|${file}|${reason}`;
}
