import type { Decision } from '../core/decision/decision.ts';
import { pointerOf } from '../core/decision/pointer-of.ts';
import { pointer } from '../core/kube/pointer.ts';
import type { Plan } from '../core/plan/plan-types.ts';
import type { Source } from '../core/plan/tenant-context.ts';
import { decisionsOf, isRefusal, tally, tenantId } from './tally.ts';

/** One thing of a plan that someone should look at, whatever it was: a finding, a refusal, a warning. */
export interface Issue {
  /** `error` stops or freezes, `refused` keeps one object off the host, `warning` goes with a rendered one */
  readonly grade: 'error' | 'refused' | 'warning';
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
  readonly source?: Source;
  readonly pointer?: string;
  /** `Pod default/worker` */
  readonly object?: string;
  /** `namespace/name`, where it is one tenant's */
  readonly tenant?: string;
}

export type FailOn = 'rejected' | 'never' | 'refused' | 'warning';

/** All issues of a plan, worst first, otherwise in the plan's order. */
export function issuesOf(plan: Plan): readonly Issue[] {
  const findings = plan.findings.filter((finding) => finding.severity !== 'info');
  const issues: Issue[] = findings.map((finding) => ({
    grade: finding.severity === 'error' ? 'error' : 'warning',
    code: finding.code,
    reason: finding.reason,
    message: finding.message,
    remedy: finding.remedy,
    source: finding.source,
    ...(finding.pointer !== undefined && { pointer: finding.pointer }),
    ...(finding.tenant !== undefined && { tenant: finding.tenant }),
  }));
  const gone = new Set<string | undefined>();
  for (const decision of told(plan)) {
    const tenant = decision.params['tenant'];
    // once for all files of a tenant that is gone
    const again = decision.reason === 'TenantRemoved' && gone.has(tenant);
    if (decision.reason === 'TenantRemoved') gone.add(tenant);
    const ref = decision.source ?? decision.host;
    const common = {
      ...(decision.tenant.name !== '' && { tenant: tenantId(decision.tenant) }),
      ...(decision.source !== undefined && { source: decision.source.file }),
      ...(ref !== undefined && { object: `${ref.kind || '(no kind)'} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name}` }),
    };
    const refused = isRefusal(decision);
    if (!again && (refused || decision.severity !== 'info')) {
      const at = pointerOf(decision);
      issues.push({
        grade: decision.severity === 'error' ? 'error' : refused ? 'refused' : 'warning',
        code: decision.code,
        reason: decision.reason,
        message: decision.message,
        remedy: decision.remedy,
        ...(at !== undefined && { pointer: at }),
        ...common,
      });
    }
    for (const note of decision.notes) {
      if (note.severity === 'info' || (note.code === decision.code && note.message === decision.message)) continue;
      issues.push({
        grade: refused ? 'refused' : 'warning',
        code: note.code,
        reason: note.reason,
        message: note.message,
        remedy: note.remedy,
        ...(note.path !== undefined && { pointer: pointer(note.path) }),
        ...common,
      });
    }
  }
  return issues.sort((a, b) => GRADES.indexOf(a.grade) - GRADES.indexOf(b.grade));
}

/** Decisions to be told: an echo of a mistake only where the mistake itself is not, as it may be where one tenant is planned. */
function told(plan: Plan): readonly Decision[] {
  const all = decisionsOf(plan);
  const causes = all.filter(isNoEcho);
  return [...plan.findings, ...causes].some(({ severity }) => severity === 'error') ? causes : all;
}

/** Whether a decision says something of its object, and not that it waits for a mistake that is reported for itself. */
function isNoEcho({ reason }: Decision): boolean {
  return reason !== 'TenantFrozen' && reason !== 'ConfigHeld';
}

/** How many objects and findings there are of each sort, counted as a render counts them: objects, not sentences; each in one. */
export interface IssueCounts {
  /** findings that stop or freeze, and objects that freeze their tenant */
  readonly error: number;
  readonly frozen: number;
  readonly refused: number;
  readonly held: number;
  readonly warning: number;
}

export function issueCounts(plan: Plan): IssueCounts {
  const decisions = told(plan);
  const n = tally(decisions.filter(({ severity }) => severity !== 'error'));
  const findings = (severity: string): number => plan.findings.filter((finding) => finding.severity === severity).length;
  return {
    error: findings('error') + decisions.filter(({ severity }) => severity === 'error').length,
    frozen: plan.tenants.filter((tenant) => tenant.frozen !== undefined).length,
    refused: n.refused,
    held: n.held,
    warning: n.warnings + findings('warning'),
  };
}

const GRADES: readonly Issue['grade'][] = ['error', 'refused', 'warning'];
/** The grades at which a command fails (projection rules, section 9). */
const FAILING: Readonly<Record<FailOn, readonly Issue['grade'][]>> = {
  never: [],
  rejected: ['error'],
  refused: ['error', 'refused'],
  warning: GRADES,
};

export function fails(plan: Plan, failOn: FailOn): boolean {
  const frozen = failOn !== 'never' && plan.tenants.some((tenant) => tenant.frozen !== undefined);
  return frozen || issuesOf(plan).some((issue) => FAILING[failOn].includes(issue.grade));
}
