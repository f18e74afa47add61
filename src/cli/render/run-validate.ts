import type { AnswerFormat } from '../../report/answer/format-names.ts';
import { fails, type IssueCounts, issueCounts } from '../../report/issues.ts';
import { renderText } from '../../report/render-text.ts';
import { plural } from '../../report/text.ts';
import type { ReportFile } from '../answer/answer-options.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { packageStyle, printPlaced } from './package-style.ts';
import { type PlanFlags, type PlannedPackage, planPackage } from './plan-package.ts';
import { progress } from './progress.ts';

export interface ValidateFlags extends PlanFlags, SharedFlags {
  readonly output: AnswerFormat;
  readonly report: readonly ReportFile[];
}

/** Plans a package and says what is wrong with it. @returns the exit code */
export async function runValidate(flags: ValidateFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  let planned: PlannedPackage;
  try {
    planned = await planPackage({ failOnDefault: 'refused', ...flags }, io, talk);
  } finally {
    talk.clear();
  }
  const { plan } = planned;
  const style = packageStyle(planned, io, flags);
  if (flags.output !== 'text' || flags.report.length > 0) {
    const { printValidation } = await import('./print-validation.ts');
    await printValidation(planned, flags, style, io);
  }
  if (flags.output === 'text' && flags.quiet !== true) {
    const text = await printPlaced(planned, style, (placed) => renderText(plan, undefined, placed));
    io.stdout.write(text + summary(issueCounts(plan), plan.tenants.length));
  }
  return fails(plan, planned.failOn) ? EXIT.findings : EXIT.done;
}

function summary({ error, frozen, refused, held, warning }: IssueCounts, tenants: number): string {
  const found = [
    ...(error > 0 && frozen === 0 ? [plural(error, 'error')] : []),
    ...(error > 0 && frozen > 0
      ? [`${plural(error, 'error')}, which ${error === 1 ? 'freezes' : 'freeze'} ${plural(frozen, 'tenant')}`]
      : []),
    ...(error === 0 && frozen > 0 ? [`${plural(frozen, 'tenant')} frozen`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(warning > 0 ? [plural(warning, 'warning')] : []),
  ];
  return `${plural(tenants, 'tenant')} checked: ${found.length === 0 ? 'nothing to complain about' : found.join(', ')}\n`;
}
