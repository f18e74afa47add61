import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FailOn } from '../../report/issues.ts';
import type { SharedFlags } from '../io.ts';
import type { PlanFlags } from '../render/plan-package.ts';

/** Flags of every command that plans a package. */
export interface PlanOptions {
  readonly platform?: string;
  readonly tenant?: readonly string[];
  readonly failOn?: FailOn;
  readonly config?: string;
  readonly hostVersion?: string;
  readonly allowEmpty?: true;
  readonly maxDeletions?: number;
}

export function addPlanOptions(command: Command): Command {
  return command
    .option('--platform <path>', 'read profiles, policies, HostFacts and RenderTenant from this package as well, without rendering them')
    .option(
      '--tenant <name>',
      'NAME or NAMESPACE/NAME; may be repeated. Limits what is written and told, never what is checked',
      collect,
      [],
    )
    .addOption(new Option('--fail-on <grade>', 'what ends in exit code 1').choices(['rejected', 'never', 'refused', 'warning']))
    .option('--config <file>', 'a RenderTenant object (default: the one at the root of the package, if any)')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34 (default: the strictest of all)')
    .option('--allow-empty', 'accept a render that leaves nothing in a tree that held something')
    .option('--max-deletions <number>', 'host objects that one render may remove (default: half of the tree, at least 10)', wholeNumber);
}

/** The flags as the planner's shell takes them: paths absolute, nothing set that was not given. */
export function planFlags(options: PlanOptions & SharedFlags, cwd: string): Omit<PlanFlags, 'root'> & SharedFlags {
  return {
    ...(options.platform !== undefined && { platform: resolve(cwd, options.platform) }),
    ...(options.config !== undefined && { config: resolve(cwd, options.config) }),
    ...(options.failOn !== undefined && { failOn: options.failOn }),
    ...(options.allowEmpty !== undefined && { allowEmpty: options.allowEmpty }),
    ...(options.maxDeletions !== undefined && { maxDeletions: options.maxDeletions }),
    ...(options.hostVersion !== undefined && { hostVersion: options.hostVersion }),
    tenants: options.tenant ?? [],
    quiet: options.quiet === true,
    verbose: options.verbose === true,
    ...(options.color !== undefined && { color: options.color }),
  };
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(value);
}
