import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AnswerFormat } from '../../report/answer/format-names.ts';
import { addAnswerOptions, type ReportFile } from '../answer/answer-options.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import type { ReviewFlags } from '../review/tell-review.ts';
import { collect } from './plan-options.ts';

/** Flags of the commands that print a review. */
export interface ReviewOptions extends SharedFlags {
  readonly summary?: true;
  readonly byReason?: true;
  readonly tenants: readonly string[];
  readonly exitCode: 'true' | 'false' | true;
  readonly check?: 'no-weaker-isolation';
  readonly maxChanges?: number;
  readonly maxDeletes?: number;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
  readonly output: AnswerFormat;
  readonly report?: readonly ReportFile[];
}

export function addReviewOptions(command: Command): Command {
  return addAnswerOptions(
    command
      .option('--summary', 'counts only')
      .option('--by-reason', 'by reason code, with the edits that cause it')
      .option('--tenant, --tenants <glob>', 'these tenants: NAME or NAMESPACE/NAME, with * and ?; may be repeated', collect, [])
      .addOption(exitCodeOption())
      .addOption(new Option('--check <what>', 'end with 5 where it does not hold').choices(['no-weaker-isolation']))
      .option('--max-changes <number>', 'end with 5 where more host objects change', wholeNumber)
      .option('--max-deletes <number>', 'end with 5 where more host objects are deleted', wholeNumber)
      .option('--platform <path>', 'read profiles and policies from this package as well')
      .option('--config <file>', 'a RenderTenant object (default: the one at the root of the package, if any)')
      .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34'),
  );
}

/** kubectl diff's way: a difference is exit code 1, unless a person does not want it. */
function exitCodeOption(): Option {
  return new Option('--exit-code [when]', 'end with 1 where something changes; false ends with 0')
    .choices(['true', 'false'])
    .default('true');
}

export interface ReviewSettings extends ReviewFlags {
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
}

export function reviewFlags(options: ReviewOptions, context: CliContext): ReviewSettings {
  const { cwd } = context.io;
  context.json = options.output === 'json';
  return {
    ...(options.platform !== undefined && { platform: resolve(cwd, options.platform) }),
    ...(options.config !== undefined && { config: resolve(cwd, options.config) }),
    ...(options.hostVersion !== undefined && { hostVersion: options.hostVersion }),
    ...(options.report !== undefined && { report: options.report }),
    ...(options.color !== undefined && { color: options.color }),
    output: options.output,
    tenants: options.tenants,
    mode: options.summary === true ? 'summary' : options.byReason === true ? 'reasons' : 'causes',
    exitCode: options.exitCode !== 'false',
    guards: {
      noWeakerIsolation: options.check === 'no-weaker-isolation',
      ...(options.maxChanges !== undefined && { maxChanges: options.maxChanges }),
      ...(options.maxDeletes !== undefined && { maxDeletes: options.maxDeletes }),
    },
    quiet: options.quiet === true,
    verbose: options.verbose === true,
  };
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(value);
}
