import { readHostFacts } from '../../core/plan/host-facts.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import { issuesOf } from '../../report/issues.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type Held, heldOf } from './held.ts';
import { isNotEnforced, isolationAnswer } from './isolation-answer.ts';
import { openPackage, type PackageFlags } from './open-package.ts';
import { planPart } from './plan-part.ts';
import type { Reference } from './read-reference.ts';
import { whose } from './whose.ts';
import { whyStyle } from './why-style.ts';

export interface TenantFlags extends PackageFlags, AnswerFlags, SharedFlags {
  readonly reference: Reference;
  readonly tenant?: string;
  /** whether what is declared and not enforced is exit code 1 */
  readonly exitCode: boolean;
}

/** Says what isolation is declared and what enforces it. @returns the exit code */
export async function runIsolation(flags: TenantFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const open = await openPackage(flags, io.signal);
  const cluster = whose(open, flags.reference, flags.tenant);
  const { plan } = await planPart(open, cluster === undefined ? undefined : [cluster], io.signal);
  const findings = plan.findings.filter(
    ({ reason, severity, tenant }) =>
      (reason === 'NotEnforced' || severity === 'error') && (cluster === undefined || tenant === undefined || tenant === cluster.key),
  );
  const issues = issuesOf({ tenants: [], shared: [], decisions: [], findings, removed: [], stopped: false });
  const plugin = readHostFacts(open.config, undefined).facts?.networkPolicies === 'enforced';
  const title = `isolation ${cluster?.key ?? 'of all tenants'}`;
  const held = (tenant: TenantPlan): Held | undefined => heldOf(plan, tenant);
  const answer = isolationAnswer(title, plan.tenants, { one: cluster !== undefined, plugin, issues, heldOf: held });
  printAnswer(answer, flags, whyStyle(flags, context), io);
  const isOpen = plan.tenants.some((tenant) => held(tenant) !== undefined || tenant.controls.some(isNotEnforced));
  return flags.exitCode && isOpen ? EXIT.findings : EXIT.done;
}
