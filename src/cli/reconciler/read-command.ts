import { resolve } from 'node:path';
import type { ReconcilerInputs } from '../../reconciler/reconcile.ts';
import type { Reach } from '../facts/open-host.ts';
import type { CliIo } from '../io.ts';
import { readInputs } from './read-inputs.ts';
import { type ReconcilerSettings, readSettings } from './settings.ts';

export interface ReconcilerCommand {
  readonly settings: ReconcilerSettings;
  readonly inputs: ReconcilerInputs;
  readonly reach: Reach;
}

/** Flags, environment and the files that they name. Asks no host. @throws TenantplaneError where one of them makes no sense */
export function readCommand(
  given: Readonly<Record<string, string | undefined>>,
  { env, cwd }: Pick<CliIo, 'env' | 'cwd'>,
): ReconcilerCommand {
  const settings = readSettings(given, env);
  const { kubeconfig, context, releases, facts } = settings;
  const { trustedWriters, trustedGroups } = settings;
  const inputs = {
    ...readInputs({
      ...(facts !== undefined && { facts: resolve(cwd, facts) }),
      ...(releases !== undefined && { releases: resolve(cwd, releases) }),
    }),
    trusted: { ...(trustedWriters !== undefined && { trustedWriters }), ...(trustedGroups !== undefined && { trustedGroups }) },
  };
  const reach = { ...(kubeconfig !== undefined && { kubeconfig: resolve(cwd, kubeconfig) }), ...(context !== undefined && { context }) };
  return { settings, inputs, reach };
}
