import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { needFolder } from '../render/load-package.ts';
import { type PlanFlags, planPackage } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { verify } from './verification.ts';
import { verifyAnswer } from './verify-answer.ts';

export interface VerifyFlags extends PlanFlags, SharedFlags, AnswerFlags {
  readonly requireLedger: boolean;
}

/** Renders again in memory and compares with what is committed. @returns 0, or 4 where something does not agree */
export async function runVerify(flags: VerifyFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  needFolder(flags.root, 'package');
  try {
    const planned = await planPackage(flags, io, talk);
    talk.say('comparing');
    const { evidence, style } = await gatherEvidence(planned, flags, io);
    const checks = verify(evidence);
    talk.clear();
    printAnswer(verifyAnswer(checks, evidence), flags, style, io);
    return checks.some(({ result }) => result === 'failed') ? EXIT.integrity : EXIT.done;
  } finally {
    talk.clear();
  }
}
