import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, CliIo, SharedFlags } from '../io.ts';
import { needFolder } from '../render/load-package.ts';
import { type PlanFlags, planPackage } from '../render/plan-package.ts';
import { type Progress, progress } from '../render/progress.ts';
import { atCommit } from './at-commit.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { verify } from './verification.ts';
import { verifyAnswer } from './verify-answer.ts';

export interface VerifyFlags extends PlanFlags, SharedFlags, AnswerFlags {
  readonly requireLedger: boolean;
  /** a ref, whose tree is verified in place of the one on the disk */
  readonly commit?: string;
}

type Gathered = ReturnType<typeof gatherEvidence>;

/** Renders again in memory and compares with what is committed. @returns 0, or 4 where something does not agree */
export async function runVerify(flags: VerifyFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  if (flags.commit === undefined) needFolder(flags.root, 'package');
  try {
    const { evidence, style } = await (flags.commit === undefined ? onDisk(flags, io, talk) : atCommit(flags, flags.commit, io, talk));
    const checks = verify(evidence);
    talk.clear();
    printAnswer(verifyAnswer(checks, evidence), flags, style, io);
    return checks.some(({ result }) => result === 'failed') ? EXIT.integrity : EXIT.done;
  } finally {
    talk.clear();
  }
}

async function onDisk(flags: VerifyFlags, io: CliIo, talk: Progress): Gathered {
  const planned = await planPackage(flags, io, talk);
  talk.say('comparing');
  return gatherEvidence(planned, flags, io);
}
