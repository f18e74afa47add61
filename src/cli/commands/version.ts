import { type Command, Option } from 'commander';
import { MAPPING } from '../../core/identity/metadata.ts';
import { jsonText } from '../../report/json-text.ts';
import type { CliContext } from '../io.ts';
import { VERSION } from '../version.ts';

export function addVersion(program: Command, context: CliContext): void {
  program
    .command('version')
    .description('print the version, and the version of the mapping rules')
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .action((options: { output: 'text' | 'json' }) => {
      const { stdout } = context.io;
      const apis = ['tenantplane.io/v1alpha1', 'fn.tenantplane.io/v1alpha1'];
      if (options.output === 'json')
        stdout.write(`${jsonText({ version: VERSION, mapping: MAPPING, node: process.versions.node, apis }, 2)}\n`);
      else stdout.write(`tenantplane ${VERSION} (mapping ${MAPPING}, Node ${process.versions.node})\n`);
    });
}
