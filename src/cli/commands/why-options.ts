import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ReportFile } from '../answer/answer-options.ts';
import type { AnswerFlags } from '../answer/print-answer.ts';
import { TenantplaneError } from '../errors.ts';
import type { SharedFlags } from '../io.ts';
import type { AskFlags } from '../why/ask.ts';
import type { PackageFlags } from '../why/open-package.ts';

/** Flags of the commands that answer questions on a package. */
export interface WhyOptions extends SharedFlags {
  readonly tenant?: string;
  readonly tenantNamespace?: string;
  readonly namespace?: string;
  readonly virtualNamespace?: string;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
  readonly output: AnswerFlags['output'];
  readonly report?: readonly ReportFile[];
}

/** Flags that say which object is meant. */
export function addObjectOptions(command: Command): Command {
  return command
    .option('--tenant <name>', 'the TenantCluster, NAME or NAMESPACE/NAME, of a tenant’s object')
    .option('--tenant-namespace <namespace>', 'its namespace')
    .option('-n, --namespace <namespace>', 'namespace of a host object, or else of the tenant’s')
    .option('--virtual-namespace <namespace>', 'namespace of the object inside the tenant');
}

export function addPackageOptions(command: Command): Command {
  return command
    .option('--platform <path>', 'read profiles and policies from this package as well')
    .option('--config <file>', 'a RenderTenant object')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34');
}

/** The flags as the work takes them: paths absolute, nothing set that was not given. */
export function whyFlags(options: WhyOptions, cwd: string): Omit<PackageFlags, 'root'> & AskFlags & AnswerFlags & SharedFlags {
  const { tenant, tenantNamespace } = options;
  if (tenantNamespace !== undefined && tenant === undefined)
    throw new TenantplaneError('usage', `--tenant-namespace ${tenantNamespace} alone names no tenant.`, { hint: 'Give --tenant as well.' });
  const key = tenantNamespace === undefined || tenant?.includes('/') === true ? tenant : `${tenantNamespace}/${tenant}`;
  return {
    ...(key !== undefined && { tenant: key }),
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    ...(options.virtualNamespace !== undefined && { virtualNamespace: options.virtualNamespace }),
    ...(options.platform !== undefined && { platform: resolve(cwd, options.platform) }),
    ...(options.config !== undefined && { config: resolve(cwd, options.config) }),
    ...(options.hostVersion !== undefined && { hostVersion: options.hostVersion }),
    ...(options.report !== undefined && { report: options.report }),
    output: options.output,
    quiet: options.quiet === true,
    verbose: options.verbose === true,
    ...(options.color !== undefined && { color: options.color }),
  };
}
