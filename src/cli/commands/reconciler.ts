import type { Command } from 'commander';
import type { CliContext } from '../io.ts';
import { RECONCILER_FLAGS } from '../reconciler/flags.ts';

const MORE = `
Each flag can be set by an environment variable as well: --pass-timeout by TENANTPLANE_PASS_TIMEOUT. Spans go to where
OTEL_EXPORTER_OTLP_ENDPOINT says, if it says so.

Examples:
  tenantplane reconciler --kubeconfig host.yaml --log-format text
  tenantplane reconciler --leader-elect=false --metrics-bind-address 127.0.0.1:8080 --health-probe-bind-address 0
`;

export function addReconciler(program: Command, context: CliContext): void {
  const command = program
    .command('reconciler')
    .description('run the control planes of TenantClusters on a host, until told to end; this is what runs in the cluster')
    .addHelpText('after', MORE);
  for (const { name, value, help, fallback } of RECONCILER_FLAGS)
    command.option(`--${name} <${value}>`, `${help}${fallback === undefined ? '' : ` (default: ${fallback})`}`);
  command.action(async (_: unknown, self: Command) => {
    const [{ runReconcilerCommand }, { makeTenantReconciler }] = await Promise.all([
      import('../reconciler/run-reconciler-command.ts'),
      import('../../reconciler/make-tenant-reconciler.ts'),
    ]);
    const given = Object.fromEntries(
      RECONCILER_FLAGS.map((flag) => [flag.name, self.getOptionValue(camelCase(flag.name)) as string | undefined] as const),
    );
    await runReconcilerCommand(given, context, makeTenantReconciler);
  });
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
