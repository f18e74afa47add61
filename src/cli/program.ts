import { Command, Option } from 'commander';
import { visibleLines } from '../report/escape.ts';
import { addAudit } from './commands/audit.ts';
import { addCompletion } from './commands/completion.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDown } from './commands/down.ts';
import { addExplainCode } from './commands/explain-code.ts';
import { addExplainSync } from './commands/explain-sync.ts';
import { addFacts } from './commands/facts.ts';
import { addGraph } from './commands/graph.ts';
import { addHelp } from './commands/help.ts';
import { addInit } from './commands/init.ts';
import { addIsolation } from './commands/isolation.ts';
import { addKubeconfig } from './commands/kubeconfig.ts';
import { addNames } from './commands/names.ts';
import { addNotHere } from './commands/not-here.ts';
import { addPrComment } from './commands/pr-comment.ts';
import { addReach } from './commands/reach.ts';
import { addReconciler } from './commands/reconciler.ts';
import { addRender } from './commands/render.ts';
import { addReport } from './commands/report.ts';
import { addSchema } from './commands/schema.ts';
import { addTree } from './commands/tree.ts';
import { addUp } from './commands/up.ts';
import { addValidate } from './commands/validate.ts';
import { addVersion } from './commands/version.ts';
import { addWhatIf } from './commands/what-if.ts';
import { addWhy } from './commands/why.ts';
import { addWhyNot } from './commands/why-not.ts';
import { UnknownCommand } from './errors.ts';
import type { CliContext } from './io.ts';
import { addUsageHints } from './usage-hints.ts';
import { VERSION } from './version.ts';

/** In the order of the help. Each adds its flags now and imports what it does when it is called, so that start is quick. */
const COMMANDS: readonly ((program: Command, context: CliContext) => void)[] = [
  addInit,
  addRender,
  addValidate,
  addDiff,
  addPrComment,
  addWhatIf,
  addReport,
  addFacts,
  addExplainSync,
  addReach,
  addWhy,
  addWhyNot,
  addIsolation,
  addTree,
  addGraph,
  addExplainCode,
  addAudit,
  addDoctor,
  addUp,
  addDown,
  addKubeconfig,
  addReconciler,
  addSchema,
  addCompletion,
  addVersion,
];

export function createProgram(context: CliContext): Command {
  const { io } = context;
  const program = new Command('tenantplane')
    .description('Renders tenants of a package in Git into host manifests, each with the reason why it is there.')
    .version(VERSION, '-V, --version', 'print the version')
    .addOption(new Option('--color <when>', 'colour the text for people').choices(['auto', 'always', 'never']).default('auto'))
    .option('-q, --quiet', 'say nothing but errors')
    .option('-v, --verbose', 'list everything, however long')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(visibleLines(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showSuggestionAfterError()
    .showHelpAfterError('  try: tenantplane help')
    .addHelpText(
      'after',
      `\nExit codes: 0 done, 1 findings, 2 usage or input, 3 environment, 4 stale tree, 5 refused by a guard, 130 interrupted.\n`,
    );
  for (const add of COMMANDS) add(program, context);
  addHelp(program);
  addNames(program, context);
  addNotHere(program);
  addUsageHints(program);
  // the parser's own guesses are too free: three letters of a word are enough for it
  program.on('command:*', ([word = '']: readonly string[]) => {
    throw new UnknownCommand(word);
  });
  return program;
}
