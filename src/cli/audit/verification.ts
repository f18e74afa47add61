import { fill, type ReasonName, reasonOf } from '../../core/decision/reasons.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import { type Plan, type TenantPlan, writesBoundary } from '../../core/plan/plan-types.ts';
import { checkLedger, firstDifference, short } from '../../report/check-ledger.ts';
import { frozenLedger } from '../../report/frozen-ledger.ts';
import type { Issue } from '../../report/issues.ts';
import { ledgerPath, ledgerText } from '../../report/ledger.ts';
import { tenantId } from '../../report/tally.ts';
import { plural } from '../../report/text.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';
import type { GitState } from './git-state.ts';

export type CheckResult = 'ok' | 'failed' | 'unproven';

/** One thing that was checked, and what came of it. */
export interface Check {
  readonly check: 'commit' | 'tree' | 'ledger';
  readonly subject: string;
  readonly result: CheckResult;
  readonly detail: string;
  readonly issue?: Issue;
}

export interface Evidence {
  readonly plan: Plan;
  readonly difference: TreeDifference;
  /** files of the tree that nothing explains */
  readonly foreign: readonly string[];
  /** files of the tree that may stand there for a tenant whose tree stays */
  readonly unproven: readonly string[];
  /** whether something was read that lies outside of the package and was compared with no commit, such as a tree elsewhere */
  readonly outside: boolean;
  /** the package that profiles and policies come from, where it is another one */
  readonly platform?: { readonly path: string; readonly git: GitState };
  /** `host/` as it would be typed */
  readonly hostPrefix: string;
  /** the package as it would be typed */
  readonly packagePath: string;
  readonly git: GitState;
  /** ledgers beside the tree by their path, such as `.tenantplane/team-dev.dev.ndjson` */
  readonly ledgers: ReadonlyMap<string, string>;
  readonly requireLedger: boolean;
}

/** Everything that Git can be asked, in the order in which an auditor asks it. Pure. */
export function verify(evidence: Evidence): readonly Check[] {
  return [...commitChecks(evidence), ...treeChecks(evidence), ...ledgerChecks(evidence)];
}

function commitChecks({ git, outside, platform }: Evidence): readonly Check[] {
  const own = commitCheck('the package', git, outside);
  return platform === undefined ? [own] : [own, commitCheck(`the platform ${platform.path}`, platform.git, false)];
}

function commitCheck(what: string, git: GitState, outside: boolean): Check {
  if (!git.known) return { check: 'commit', subject: '-', result: 'unproven', detail: git.why };
  const subject = git.commit.slice(0, 12);
  if (git.changed.length === 0 && outside)
    return {
      check: 'commit',
      subject,
      result: 'unproven',
      detail: `${what} is as this commit has it; what was read outside of it was not compared`,
    };
  if (git.changed.length === 0) return { check: 'commit', subject, result: 'ok', detail: `${what} is as this commit has it` };
  const detail = `${plural(git.changed.length, 'file')} of ${what} ${git.changed.length === 1 ? 'is' : 'are'} not as this commit has ${git.changed.length === 1 ? 'it' : 'them'}: ${some(git.changed)}`;
  return { check: 'commit', subject, result: 'unproven', detail };
}

function treeChecks(evidence: Evidence): readonly Check[] {
  const { difference, foreign, unproven, plan, hostPrefix, packagePath } = evidence;
  const wrong: (readonly [string, string])[] = [
    ...difference.changed.map((path) => [path, 'is not what a render gives'] as const),
    ...difference.added.map((path) => [path, 'is missing'] as const),
    ...difference.removed.map((path) => [path, 'is in the tree, and a render takes it out'] as const),
    ...foreign.map((path) => [path, 'is in the tree, and no source gives it'] as const),
  ];
  const failed = wrong.map(([path, what]): Check => {
    const file = `${hostPrefix}${path}`;
    const issue = issueOf('RenderedTreeStale', { file, package: packagePath }, `${file} ${what}.`, file);
    return { check: 'tree', subject: file, result: 'failed', detail: what, issue };
  });
  const frozen = plan.tenants.flatMap((tenant): Check[] =>
    tenant.frozen === undefined
      ? []
      : [
          {
            check: 'tree',
            subject: tenantId(tenant),
            result: 'unproven',
            detail: `the tenant is frozen, its own objects stay as they last were: ${tenant.frozen}`,
          },
        ],
  );
  const ok: Check = {
    check: 'tree',
    subject: hostPrefix,
    result: failed.length === 0 ? 'ok' : 'failed',
    detail: `${difference.unchanged} of ${difference.unchanged + wrong.length} files reproduce byte for byte`,
  };
  const waiting = unproven.length === 0 ? [] : [unprovenCheck(unproven, hostPrefix)];
  return [ok, ...failed, ...frozen, ...waiting];
}

function unprovenCheck(files: readonly string[], hostPrefix: string): Check {
  const detail = `${plural(files.length, 'file')} may stand there for a tenant that is frozen: ${some(files)}`;
  return { check: 'tree', subject: hostPrefix, result: 'unproven', detail };
}

function ledgerChecks({ plan, ledgers, requireLedger, packagePath }: Evidence): readonly Check[] {
  if (ledgers.size === 0 && !requireLedger)
    return [{ check: 'ledger', subject: '-', result: 'unproven', detail: 'none is kept (render --ledger keeps one for each tenant)' }];
  const left = new Map(ledgers);
  const checks = plan.tenants.map((tenant): Check => {
    const path = ledgerPath(tenant);
    const text = left.get(path);
    left.delete(path);
    if (text !== undefined) return ledgerCheck(path, text, tenant, plan.removed);
    const subject = tenantId(tenant);
    const why = ledgers.size > 0 ? 'others have one' : 'none is kept here';
    const issue = issueOf('LedgerMissing', { tenant: subject, why, package: packagePath });
    return { check: 'ledger', subject, result: 'failed', detail: `there is none, and ${why}`, issue };
  });
  const others = [...left].map(([path]): Check => {
    const problem = 'no tenant of the package has this ledger';
    return {
      check: 'ledger',
      subject: path,
      result: 'failed',
      detail: problem,
      issue: issueOf('LedgerStale', { file: path, problem }, undefined, path),
    };
  });
  return [...checks, ...others];
}

function ledgerCheck(path: string, text: string, tenant: TenantPlan, removed: readonly string[]): Check {
  const own = checkLedger(text);
  if (!own.whole) {
    const issue = issueOf('LedgerAltered', { file: path, problem: own.problem }, undefined, path);
    return { check: 'ledger', subject: path, result: 'failed', detail: own.problem, issue };
  }
  const whole = `${plural(own.lines, 'line')}, root ${short(own.root)}`;
  const frozen = tenant.frozen !== undefined;
  const bounded = writesBoundary(tenant) ? frozenLedger(text, tenant, removed) : undefined;
  const part = firstDifference(text, frozen ? (bounded ?? text) : ledgerText(tenant));
  if (part === undefined && frozen) {
    const compared = bounded === undefined ? 'not to be compared' : 'compared as to its boundary alone';
    return { check: 'ledger', subject: path, result: 'unproven', detail: `${whole}; whole, and ${compared} while the tenant is frozen` };
  }
  if (part === undefined) return { check: 'ledger', subject: path, result: 'ok', detail: whole };
  const problem = `line ${part.line}: ${part.about}`;
  const issue = issueOf('LedgerStale', { file: path, problem }, undefined, path);
  return { check: 'ledger', subject: path, result: 'failed', detail: problem, issue };
}

function issueOf(name: ReasonName, params: Readonly<Record<string, string>>, message?: string, file?: string): Issue {
  const reason = reasonOf(name);
  return {
    grade: 'error',
    code: reason.code,
    reason: name,
    message: message ?? fill(reason.message, params),
    // the parameters of these remedies are words of a command
    remedy: fill(reason.remedy, Object.fromEntries(Object.entries(params).map(([word, value]) => [word, shellWord(value)]))),
    ...(file !== undefined && { source: { path: file, document: 0 } }),
  };
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length <= 3 ? shown : `${shown}, and ${paths.length - 3} more`;
}

/** What each sort of check proves where all of it went well. */
const PROOFS: Readonly<Record<Check['check'], string>> = {
  tree: 'The rendered tree is, byte for byte, what these sources give with this version of the program and these flags.',
  ledger: 'The ledgers are whole, and are what this program decides for these sources.',
  commit: 'The commit names exactly these bytes, as far as Git hashes them.',
};

/** What these checks prove, and no more: a sort of which one failed or could not be made proves nothing. */
export function proven(checks: readonly Check[]): readonly string[] {
  return KINDS.filter((kind) => {
    const own = checks.filter(({ check }) => check === kind);
    return own.length > 0 && own.every(({ result }) => result === 'ok');
  }).map((kind) => PROOFS[kind]);
}

const KINDS: readonly Check['check'][] = ['tree', 'ledger', 'commit'];

/** What no check of this command can prove. Printed with each, so that nobody reads more into it. */
export const DOES_NOT_PROVE: readonly string[] = [
  'that the tree was applied, or that nobody changed the host since: only the host and its GitOps tool know that',
  'who approved a change: that is in the pull request and in signed commits (git log --show-signature)',
  'that history was not rewritten: compare the commit with one that was kept elsewhere',
  'what was decided live: SyncDecision and Events hold that',
];
