import { printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext } from '../io.ts';
import { openPackage } from './open-package.ts';
import { planPart } from './plan-part.ts';
import type { TenantFlags } from './run-isolation.ts';
import { withStanding } from './standing-objects.ts';
import { treeAnswer } from './tree-answer.ts';
import { whose } from './whose.ts';
import { whyStyle } from './why-style.ts';

const MOST = 10;

/** Draws tenants, their objects and what becomes of them. @returns the exit code */
export async function runTree(flags: TenantFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const open = await openPackage(flags, io.signal);
  const cluster = whose(open, flags.reference, flags.tenant);
  const { plan } = await withStanding(await planPart(open, cluster === undefined ? undefined : [cluster], io.signal), open);
  const title = `tree ${cluster?.key ?? 'of all tenants'}`;
  const one = cluster !== undefined || open.clusters.length === 1;
  const answer = treeAnswer(title, plan, new Set(open.hostFiles), one, flags.verbose === true ? Number.POSITIVE_INFINITY : MOST);
  // a tree is what people read here
  const output = flags.output === 'text' ? 'tree' : flags.output;
  printAnswer(answer, { ...flags, output }, whyStyle(flags, context), io);
  return EXIT.done;
}
