import type { Decision } from '../core/decision/decision.ts';
import type { Severity } from '../core/decision/reasons.ts';
import { pointer } from '../core/kube/pointer.ts';
import type { Finding, HostFile, Plan, TenantPlan } from '../core/plan/plan-types.ts';
import { visible } from './escape.ts';
import { parseDotted } from './parse-dotted.ts';
import { byCode, isRefusal, tally, tenantId, warningsOf } from './tally.ts';
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
  const orphans = plan.decisions.filter((decision) => !isEcho(decision, plan) && (isRefusal(decision) || warningsOf(decision) > 0));
  if (orphans.length > 0) lines.push(style.paint('strong', 'no tenant'), ...attention(orphans, style));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
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
  const lines = [style.paint('strong', visible(head)), `  ${counts(tenant)}`];
  if (tenant.frozen !== undefined)
    lines.push(style.paint('refused', `  frozen: its tree stays as it last was. Why: ${visible(tenant.frozen)}`));
  lines.push(
    ...findingLines(
      findings.filter((finding) => concerns(finding, tenant)),
      style,
    ),
  );
  // no spread: a call takes about a hundred thousand arguments
  for (const line of fileLines(tenant.files, signs, style)) lines.push(line);
  lines.push(...removedLines(tenant.decisions, tenant.namespace, changes, style));
  lines.push(
    ...attention(
      tenant.decisions.filter((decision) => style.verbose || decision.reason !== 'TenantFrozen'),
      style,
    ),
  );
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

/** `41 projected   14 made   6 out of scope   1 refused   2 warnings`; what there is none of is left out. */
function counts(tenant: TenantPlan): string {
  const n = tally(tenant.decisions);
  const parts = [`${n.projected} projected`, `${n.made} made`];
  if (n.outOfScope > 0) parts.push(`${n.outOfScope} out of scope`);
  if (n.refused > 0) parts.push(`${n.refused} refused`);
  if (n.held > 0) parts.push(`${n.held} held`);
  if (n.removed > 0) parts.push(`${n.removed} removed`);
  if (n.warnings > 0) parts.push(plural(n.warnings, 'warning'));
  return parts.join('   ');
}

function sharedLines(plan: Plan, signs: ReadonlyMap<string, Sign>, changes: TreeChanges | undefined, style: TextStyle): string[] {
  const known = new Set(plan.tenants.map((tenant) => tenant.namespace));
  const lines = fileLines(plan.shared, signs, style);
  const others = (changes?.removed ?? []).filter((path) => !known.has(path.split('/')[0] ?? ''));
  lines.push(...removedFiles(others, plan.decisions, style));
  return lines.length === 0 ? [] : [style.paint('strong', 'shared'), ...lines];
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
  return removedFiles(
    (changes?.removed ?? []).filter((path) => path.startsWith(`${namespace}/`)),
    decisions,
    style,
  );
}

function removedFiles(paths: readonly string[], decisions: readonly Decision[], style: TextStyle): string[] {
  const reasons = new Map<string, Decision>();
  for (const decision of decisions) {
    if (decision.action === 'Delete' && decision.host !== undefined) reasons.set(decision.host.file, decision);
  }
  const rows = paths.map((path): [string, string] => {
    const decision = reasons.get(path);
    return [`  - ${visible(style.hostPrefix + path)}`, decision === undefined ? '' : because(decision, style)];
  });
  const blocks = columns(rows).map((line) => [style.paint('removed', line)]);
  return listing(blocks, 'removed files', style);
}

/** Refusals first, each with its sentence and what to do; then the warnings on what is rendered. */
function attention(decisions: readonly Decision[], style: TextStyle): string[] {
  const refused = decisions.filter(isRefusal).map((decision) => refusalBlock(decision, style));
  const warned = decisions.flatMap((decision) => warningBlocks(decision, style));
  return [...listing(refused, 'refused objects', style), ...listing(warned, 'warnings', style)];
}

function refusalBlock(decision: Decision, style: TextStyle): string[] {
  const lines = [
    style.paint('refused', head('!', decision, pointerOf(decision), style, `${decision.code} ${decision.reason}`)),
    `    ${visible(decision.message)}`,
  ];
  for (const note of decision.notes) {
    if (note.message !== decision.message) lines.push(`    ${note.code} ${note.reason}: ${visible(note.message)}`);
  }
  if (decision.remedy !== '') lines.push(style.paint('dim', `    try: ${visible(decision.remedy)}`));
  return lines;
}

function warningBlocks(decision: Decision, style: TextStyle): string[][] {
  if (isRefusal(decision)) return [];
  const blocks: string[][] = [];
  const add = (code: string, message: string, remedy: string, at?: string): void => {
    const lines = [style.paint('warned', head('?', decision, at, style, code)), `    ${visible(message)}`];
    if (remedy !== '') lines.push(style.paint('dim', `    try: ${visible(remedy)}`));
    blocks.push(lines);
  };
  if (decision.severity !== 'info') add(`${decision.code} ${decision.reason}`, decision.message, decision.remedy, pointerOf(decision));
  for (const note of decision.notes) {
    if (note.severity === 'info') continue;
    add(`${note.code} ${note.reason}`, note.message, note.remedy, note.path === undefined ? undefined : pointer(note.path));
  }
  return blocks;
}

function head(sign: string, decision: Decision, at: string | undefined, style: TextStyle, code: string): string {
  const ref = decision.source ?? decision.host;
  const where =
    decision.source === undefined ? visible(style.hostPrefix + (decision.host?.file ?? '')) : place(decision.source.file, style, at);
  const what =
    ref === undefined
      ? ''
      : visible(`${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name === '' ? '(no name)' : ref.name}`);
  return `  ${sign} ${where}  ${what}  ${code}`;
}

/** Where in the source document the decision points at, where it says so. */
export function pointerOf(decision: Decision): string | undefined {
  const own = decision.notes.find((note) => note.code === decision.code && note.path !== undefined);
  if (own?.path !== undefined) return pointer(own.path);
  const param = decision.params['pointer'];
  if (param === undefined || param.startsWith('/')) return param;
  return pointer(parseDotted(param));
}

export function findingLines(all: readonly Finding[], style: TextStyle): string[] {
  const findings = all.filter((finding) => style.verbose || finding.severity !== 'info');
  const blocks = findings.map((finding) => {
    const tone = TONES[finding.severity];
    const sign = SIGNS[finding.severity];
    const lines = [
      style.paint(tone, `  ${sign} ${place(finding.source, style, finding.pointer)}  ${finding.code} ${finding.reason}`),
      `    ${visible(finding.message)}`,
    ];
    if (finding.remedy !== '') lines.push(style.paint('dim', `    try: ${visible(finding.remedy)}`));
    return lines;
  });
  return listing(blocks, 'findings', style);
}

const SIGNS: Readonly<Record<Severity, string>> = { error: '!', warning: '?', info: '=' };
const TONES: Readonly<Record<Severity, Tone>> = { error: 'refused', warning: 'warned', info: 'dim' };

export function concerns(finding: Finding, tenant: TenantPlan): boolean {
  return finding.tenant === tenantId(tenant) || finding.tenant === tenant.name;
}
