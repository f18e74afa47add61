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

/** Files that go with their tenant, relative to the tree; some of them lie among the shared ones. */
export function filesOfGoneTenants(plan: Plan): ReadonlySet<string> {
  const decisions = [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions];
  return new Set(decisions.flatMap(({ reason, host }) => (reason === 'TenantRemoved' && host !== undefined ? [host.file] : [])));
}

/** Tenants that are gone as a whole, a line each. */
export function goneTenantLines(plan: Plan, style: TextStyle): string[] {
  const gone = new Map<string, Decision[]>();
  for (const decision of [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions]) {
    if (decision.reason !== 'TenantRemoved') continue;
    const name = decision.params['tenant'] ?? '';
    const list = gone.get(name) ?? [];
    list.push(decision);
    gone.set(name, list);
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

interface RemovalWarning {
  readonly code: string;
  /** with the object's name taken out, so that one sentence serves all of them */
  readonly message: string;
  /** what to do, without the object that a command ends with, and those objects */
  readonly remedies: Map<string, string[]>;
  readonly names: Map<string, string[]>;
}

/** Warnings that go with removals, such as data that stays on the host: each said once, with the objects by kind. */
export function removalWarnings(decisions: readonly Decision[], style: TextStyle): string[] {
  const warnings = new Map<string, RemovalWarning>();
  for (const { action, host, notes } of decisions) {
    if (action !== 'Delete' || host === undefined) continue;
    for (const { code, reason, severity, message: sentence, remedy, params } of notes) {
      if (severity === 'info') continue;
      const message = sentence.replace(params['host'] ?? `${host.kind} ${host.name}`, 'Each');
      const key = `${code}\n${message}`;
      const warning: RemovalWarning = warnings.get(key) ?? { code: `${code} ${reason}`, message, remedies: new Map(), names: new Map() };
      warnings.set(key, warning);
      const command = params['command'] ?? '';
      const object = command.slice(command.lastIndexOf(' ') + 1);
      const rest = remedy.slice(0, remedy.length - object.length);
      warning.remedies.set(rest, [...(warning.remedies.get(rest) ?? []), ...(object === '' ? [] : [object])]);
      const names = warning.names.get(host.kind) ?? [];
      names.push(host.namespace === '' ? host.name : `${host.namespace}/${host.name}`);
      warning.names.set(host.kind, names);
    }
  }
  const blocks = [...warnings.values()].map(({ code, message, remedies, names }) => {
    const count = [...names.values()].reduce((sum, list) => sum + list.length, 0);
    return [
      style.paint('warned', `  ? ${plural(count, 'removed object')}  ${code}`),
      `    ${visible(message)}`,
      ...[...names].map(([kind, list]) => `    ${visible(`${list.length} ${kind}: ${some(list, style)}`)}`),
      ...[...remedies].filter(([rest]) => rest !== '').map(([rest, objects]) => tryLine(`${rest}${words(objects, style)}`, style)),
    ];
  });
  return listing(blocks, 'warnings', style);
}

/** Objects of one command; those that are left out are not part of it, so that it can be pasted. */
function words(objects: readonly string[], style: TextStyle): string {
  if (style.verbose || objects.length <= style.limit) return objects.join(' ');
  return `${objects.slice(0, style.limit).join(' ')} # and ${objects.length - style.limit} more (-v lists them all)`;
}

function some(names: readonly string[], style: TextStyle): string {
  if (style.verbose || names.length <= style.limit) return names.join(', ');
  return `${names.slice(0, style.limit).join(', ')} and ${names.length - style.limit} more (-v lists them all)`;
}
