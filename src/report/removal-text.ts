import type { Decision } from '../core/decision/decision.ts';
import type { Plan } from '../core/plan/plan-types.ts';
import { tryLine } from './attention.ts';
import { visible } from './escape.ts';
import { columns, listing, plural, type TextStyle } from './text.ts';

/**
 * What leaves the tree.
 * @param paths the files that go, relative to the tree; those of a tenant that is gone as a whole are told by `goneTenantLines`
 */
export function removedFileLines(
  paths: readonly string[],
  decisions: readonly Decision[],
  because: (decision: Decision) => string,
  style: TextStyle,
): string[] {
  const reasons = new Map<string, Decision>();
  for (const decision of decisions)
    if (decision.action === 'Delete' && decision.host !== undefined) reasons.set(decision.host.file, decision);
  const rows = paths
    .filter((path) => style.verbose || reasons.get(path)?.reason !== 'TenantRemoved')
    .map((path): [string, string] => {
      const decision = reasons.get(path);
      return [`  - ${visible(style.hostPrefix + path)}`, decision === undefined ? '' : because(decision)];
    });
  const blocks = columns(rows).map((line) => [style.paint('removed', line)]);
  return listing(blocks, 'removed files', style);
}

/** Tenants that are gone as a whole, a line each. */
export function goneTenantLines(plan: Plan, style: TextStyle): string[] {
  const gone = new Map<string, Decision[]>();
  for (const decision of [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions]) {
    if (decision.reason !== 'TenantRemoved') continue;
    const name = decision.params['tenant'] ?? '';
    gone.set(name, [...(gone.get(name) ?? []), decision]);
  }
  const blocks = [...gone].map(([name, decisions]) => {
    const code = `${decisions[0]?.code ?? ''} TenantRemoved`;
    return [style.paint('removed', visible(`  - tenant ${name}: ${plural(decisions.length, 'file')}, ${kindsOf(decisions)}  ${code}`))];
  });
  return listing(blocks, 'removed tenants', style);
}

/** `3 Service, 2 Deployment, 9 of other kinds` */
function kindsOf(decisions: readonly Decision[]): string {
  const counts = new Map<string, number>();
  for (const { host } of decisions) counts.set(host?.kind ?? '', (counts.get(host?.kind ?? '') ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = sorted.slice(KINDS_SHOWN).reduce((sum, [, count]) => sum + count, 0);
  const shown = sorted.slice(0, KINDS_SHOWN).map(([kind, count]) => `${count} ${kind}`);
  return [...shown, ...(rest > 0 ? [`${rest} of other kinds`] : [])].join(', ');
}

const KINDS_SHOWN = 4;

/** Warnings that go with removals, such as data that stays on the host: one for each kind and what to do about it. */
export function removalWarnings(decisions: readonly Decision[], style: TextStyle): string[] {
  const groups = new Map<string, { readonly kind: string; readonly code: string; readonly remedy: string; readonly messages: string[] }>();
  for (const { action, host, notes } of decisions) {
    if (action !== 'Delete') continue;
    for (const { code, reason, severity, message, remedy } of notes) {
      if (severity === 'info') continue;
      const kind = host?.kind ?? '';
      const key = `${kind}\n${code}\n${remedy}`;
      const group = groups.get(key) ?? { kind, code: `${code} ${reason}`, remedy, messages: [] };
      group.messages.push(`${visible(style.hostPrefix + (host?.file ?? ''))}: ${visible(message)}`);
      groups.set(key, group);
    }
  }
  const blocks = [...groups.values()].map(({ kind, code, remedy, messages }) => [
    style.paint('warned', `  ? ${messages.length} ${visible(kind)}  ${code}`),
    ...listing(
      messages.map((message) => [`    ${message}`]),
      `of ${kind}`,
      style,
    ),
    ...(remedy === '' ? [] : [tryLine(remedy, style)]),
  ]);
  return listing(blocks, 'warnings', style);
}
