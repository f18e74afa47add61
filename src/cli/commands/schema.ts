import { type Command, Option } from 'commander';
import type { CliContext } from '../io.ts';

export function addSchema(program: Command, context: CliContext): void {
  program
    .command('schema')
    .argument(
      '[kind]',
      'TenantCluster (tc), IsolationProfile (iprof), SyncPolicy (sp), RenderTenant, DiffReport, …; lists the kinds without it',
    )
    .description('print the fields of a kind, or its JSON Schema')
    .addOption(
      new Option('-o, --output <format>', 'text (table of fields) or json (JSON Schema)').choices(['text', 'json']).default('text'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tenantplane schema IsolationProfile\n  tenantplane schema TenantCluster -o json > tenantcluster.schema.json\n',
    )
    .action(async (kind: string | undefined, options: { output: 'text' | 'json' }) => {
      context.json = options.output === 'json';
      const { schemaText } = await import('../schema-text.ts');
      context.io.stdout.write(schemaText(kind, options.output));
    });
}
