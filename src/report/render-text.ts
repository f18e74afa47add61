import type { Decision } from '../core/decision/decision.ts';
import type { Severity } from '../core/decision/reasons.ts';
import { MADE_ANEW } from '../core/plan/frozen-words.ts';
import { type Finding, type HostFile, type Plan, type TenantPlan, writesBoundary } from '../core/plan/plan-types.ts';
import { attention, lostLines, noteLines, outOfScopeLines, tryLine } from './attention.ts';
import { controlLines } from './control-text.ts';
import { unobeyed, visible } from './escape.ts';
import { MARKS } from './marks.ts';
import { filesOfGoneTenants, goneTenantLines, removalWarnings, removedFileLines } from './removal-text.ts';
import { sharedHead } from './shared-text.ts';
import { byCode, isRefusal, recordNotes, tally, tenantId, warningsOf } from './tally.ts';
import { columns, listing, place, plural, type TextStyle, type Tone } from './text.ts';

/** What a render changes in the tree, paths relative to it. */
export interface TreeChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

const FLEET = 5;
const HEAD_LINES = 2;

/** The plan as people read it: each tenant with its counts, its changed files and what needs someone's attention. */
export function renderText(plan: Plan, changes: TreeChanges | undefined, style: TextStyle): string {
  const signs = signsOf(changes);
  const lines: string[] = [];
  let quiet = 0;
  for (const tenant of plan.tenants) {
    const block = tenantLines(tenant, plan.findings, signs, changes, style);
    // In a fleet, a tenant with nothing to say would hide the one that has.
    if (!style.verbose && block.length === HEAD_LINES && plan.tenants.length > FLEET) quiet += 1;
    else for (const line of block) lines.push(line);
  }
  if (quiet > 0) lines.push(style.paint('dim', `${plural(quiet, 'tenant')} without changes or warnings (-v lists them)`));
  lines.push(...sharedLines(plan, signs, changes, style));
  const loose = plan.findings.filter((finding) => !plan.tenants.some((tenant) => concerns(finding, tenant)));
  const loud = findingLines(loose, style);
  if (loud.length > 0) lines.push(style.paint('strong', 'package'), ...loud);
  const gone = [...goneTenantLines(plan, style), ...removalWarnings(plan.decisions, style)];
  if (gone.length > 0) lines.push(style.paint('strong', 'removed'), ...gone);
  const orphans = plan.decisions.filter((decision) => !isEcho(decision, plan) && (isRefusal(decision) || warningsOf(decision) > 0));
  const orphaned = attention(orphans, style);
  for (const line of style.verbose ? outOfScopeLines(plan.decisions, style) : lostLines(plan.decisions, style)) orphaned.push(line);
  if (orphaned.length > 0) lines.push(style.paint('strong', 'no tenant'));
  for (const line of orphaned) lines.push(line);
  return lines.length === 0 ? '' : unobeyed(`${lines.join('\n')}\n`);
}

function tenantLines(
  tenant: TenantPlan,
  findings: readonly Finding[],
  signs: ReadonlyMap<string, Sign>,
  changes: TreeChanges | undefined,
  style: TextStyle,
): string[] {
  const level = tenant.level === '' || tenant.level === tenant.profile ? '' : ` (${tenant.level})`;
  const head = `tenant ${tenantId(tenant)}   policy ${tenant.policy}   profile ${tenant.profile}${level}`;
  const own = findings.filter((finding) => concerns(finding, tenant));
  const lines = [style.paint('strong', visible(head)), `  ${counts(tenant, own, style)}`];
  if (tenant.frozen !== undefined) {
    const stay = writesBoundary(tenant) ? BOUNDARY : `nothing of it is written, ${standing(tenant, style)}`;
    lines.push(style.paint('refused', `  frozen: ${stay}. Why: ${visible(tenant.frozen)}`));
  }
  lines.push(...findingLines(own, style));
  // no spread: a call takes about a hundred thousand arguments
  for (const line of fileLines(tenant.files, signs, style)) lines.push(line);
  lines.push(...removedLines(tenant.decisions, tenant.namespace, changes, style));
  const told = tenant.decisions.filter((decision) => style.verbose || decision.reason !== 'TenantFrozen');
  for (const line of attention(told, style)) lines.push(line);
  lines.push(...removalWarnings(tenant.decisions, style));
  for (const line of outOfScopeLines(tenant.decisions, style)) lines.push(line);
  for (const line of noteLines(tenant.decisions, style)) lines.push(line);
  if (style.verbose) lines.push(...controlLines(tenant.controls));
  if (style.verbose) for (const [code, count] of byCode(tenant.decisions)) lines.push(style.paint('dim', `  = ${count} ${code}`));
  return lines;
}

/** A shared file that waits for a frozen tenant, or is held for what a finding says: it has been said. */
function isEcho(decision: Decision, plan: Plan): boolean {
  if (decision.reason === 'ConfigHeld') return true;
  return (
    decision.reason === 'TenantFrozen' &&
    plan.tenants.some((tenant) => tenant.frozen !== undefined && tenantId(tenant) === tenantId(decision.tenant))
  );
}

const BOUNDARY = `only its boundary is written, its own objects stay as they last were and ${MADE_ANEW}`;

/** `its 17 files stay as they last were`: what a frozen tenant has in the tree. */
function standing(tenant: TenantPlan, style: TextStyle): string {
  const count = style.standing?.(tenant.namespace);
  if (count === undefined) return `its tree stays as it last was, and objects of it ${MADE_ANEW}`;
  return count === 0
    ? 'and it has no files yet'
    : `its ${count === 1 ? '1 file stays as it last was' : `${count} files stay as they last were`} and ${MADE_ANEW}`;
}

/**
 * `41 projected   14 made   6 out of scope   1 refused   2 warnings`; what there is none of is left out. Of a frozen tenant
 * what becomes no file is not counted as if it did.
 */
function counts(tenant: TenantPlan, findings: readonly Finding[], style: TextStyle): string {
  const n = tally(tenant.decisions);
  const warnings = n.warnings + findings.filter((finding) => finding.severity === 'warning').length;
  const notes = tenant.decisions.reduce((sum, decision) => sum + recordNotes(decision).length, 0);
  const written = writesBoundary(tenant) ? [`0 projected`, `${tenant.files.length} made`] : ['0 written'];
  const parts = tenant.frozen === undefined ? [`${n.projected} projected`, `${n.made} made`] : written;
  if (n.outOfScope > 0) parts.push(`${n.outOfScope} out of scope`);
  if (n.read > 0) parts.push(`${n.read} read`);
  if (n.refused > 0) parts.push(`${n.refused} refused`);
  if (n.held > 0) parts.push(`${n.held} held`);
  if (n.removed > 0) parts.push(`${n.removed} removed`);
  if (warnings > 0) parts.push(plural(warnings, 'warning'));
  if (notes > 0) parts.push(`${plural(notes, 'note')}${style.verbose ? '' : ' (-v shows them)'}`);
  return parts.join('   ');
}

function sharedLines(plan: Plan, signs: ReadonlyMap<string, Sign>, changes: TreeChanges | undefined, style: TextStyle): string[] {
  const known = new Set(plan.tenants.map((tenant) => tenant.namespace));
  const lines = fileLines(plan.shared, signs, style);
  const others = (changes?.removed ?? []).filter((path) => !known.has(path.split('/')[0] ?? ''));
  lines.push(...removedFileLines(others, plan.decisions, (decision) => because(decision, style), style));
  // without a tree to compare with, nothing is said of what is as it should be
  const silent = lines.length === 0 && (changes === undefined || plan.shared.length === 0);
  return silent ? [] : [...sharedHead(plan.shared, changes, style, filesOfGoneTenants(plan)), ...lines];
}

type Sign = '+' | '~' | '=';

function signsOf(changes: TreeChanges | undefined): ReadonlyMap<string, Sign> {
  const signs = new Map<string, Sign>();
  for (const path of changes?.added ?? []) signs.set(path, '+');
  for (const path of changes?.changed ?? []) signs.set(path, '~');
  return signs;
}

function fileLines(files: readonly HostFile[], signs: ReadonlyMap<string, Sign>, style: TextStyle): string[] {
  const lines: string[] = [];
  const sorts: readonly (readonly [Sign, Tone, string])[] = [
    ['~', 'changed', 'changed files'],
    ['+', 'added', 'new files'],
    ['=', 'dim', 'unchanged files'],
  ];
  for (const [sign, tone, what] of sorts) {
    if (sign === '=' && !style.verbose) continue;
    const rows = files
      .filter((file) => (signs.get(file.path) ?? '=') === sign)
      .map((file): [string, string] => [`  ${sign} ${visible(style.hostPrefix + file.path)}`, because(file.decision, style)]);
    const blocks = columns(rows).map((line) => [style.paint(tone, line)]);
    for (const line of listing(blocks, what, style)) lines.push(line);
  }
  return lines;
}

function because(decision: Decision, style: TextStyle): string {
  if (!style.verbose) return `${decision.code} ${decision.reason}`;
  const rewrites = decision.rewrites.length > 0 ? `  ${decision.rewrites.join(',')}` : '';
  return `${decision.code} ${decision.reason}  by ${visible(decision.causes[0] ?? '')}${rewrites}`;
}

function removedLines(decisions: readonly Decision[], namespace: string, changes: TreeChanges | undefined, style: TextStyle): string[] {
  const paths = (changes?.removed ?? []).filter((path) => path.startsWith(`${namespace}/`));
  return removedFileLines(paths, decisions, (decision) => because(decision, style), style);
}

export function findingLines(all: readonly Finding[], style: TextStyle): string[] {
  const findings = all.filter((finding) => style.verbose || finding.severity !== 'info');
  const blocks = findings.map((finding) => {
    const tone = TONES[finding.severity];
    const sign = MARKS[finding.severity];
    const lines = [
      style.paint(tone, `  ${sign} ${place(finding.source, style, finding.pointer)}  ${finding.code} ${finding.reason}`),
      `    ${visible(finding.message)}`,
    ];
    if (finding.remedy !== '') lines.push(tryLine(finding.remedy, style));
    return lines;
  });
  return listing(blocks, 'findings', style);
}

const TONES: Readonly<Record<Severity, Tone>> = { error: 'refused', warning: 'warned', info: 'dim' };

export function concerns(finding: Pick<Finding, 'tenant'>, tenant: TenantPlan): boolean {
  return finding.tenant === tenantId(tenant) || finding.tenant === tenant.name;
}
