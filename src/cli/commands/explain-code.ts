import { type Command, Option } from 'commander';
import type { CliContext } from '../io.ts';

export function addExplainCode(program: Command, context: CliContext): void {
  program
    .command('explain-code')
    .argument(
      '[codes...]',
      'codes or their names, such as TP3004 or HostPathBlocked, or rules of admission on the host, such as tol; all codes without one',
    )
    .description('say what a reason code or a rule of admission means and what to do about it')
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .addHelpText('after', '\nExamples:\n  tenantplane explain-code TP3004 TP3032\n  tenantplane explain-code | less\n')
    .action(async (codes: readonly string[], options: { output: 'text' | 'json' }) => {
      context.json = options.output === 'json';
      const { explainCodes } = await import('../explain-code.ts');
      const { text, unknown } = explainCodes(codes, options.output);
      context.io.stdout.write(text);
      if (unknown === undefined) return;
      // stdout holds one document: behind what is known, the error goes to stderr
      context.json &&= text === '';
      throw unknown;
    });
}
