import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { kindOf } from '../../core/kube/object.ts';

import { readDocuments } from '../../krm/yaml/read.ts';
import { formatAnswer } from '../../report/answer/formats.ts';
import { decisionRecord } from '../../report/decision-record.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { decisionsOf } from '../../report/tally.ts';
import { plural } from '../../report/text.ts';
import { toolsFor } from '../answer/print-answer.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import { explainCodes } from '../explain-code.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { needFolder } from '../render/load-package.ts';
import { shownPath } from '../render/package-style.ts';
import { type PlanFlags, type PlannedPackage, planPackage } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import { isTreePath } from '../tree/tree-path.ts';
import { VERSION } from '../version.ts';
import { needEmpty, writeBundle } from './bundle.ts';
import { bundleReadme } from './bundle-readme.ts';
import { CHECK_LEDGER_SCRIPT } from './check-ledger-script.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { verify } from './verification.ts';
import { verifyAnswer } from './verify-answer.ts';

export interface ExportFlags extends PlanFlags, SharedFlags {
  /** absolute */
  readonly out: string;
}

/** Writes the evidence of a package as plain files. What holds a Secret is left out and named. @returns 0, or 4 as `audit verify` */
export async function runExport(flags: ExportFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  needFolder(flags.root, 'package');
  const shown = shownPath(io.cwd, flags.out);
  needOutside(flags.root, flags.out, shown);
  needEmpty(flags.out, shown);
  try {
    const planned = await planPackage({ ...flags, fields: true }, io, talk);
    const secrets = secretSources(planned);
    talk.say('comparing');
    const { evidence, style } = await gatherEvidence(planned, { ...flags, requireLedger: false }, io);
    const checks = verify(evidence);
    const failed = checks.filter(({ result }) => result === 'failed').length;
    const files = new Map<string, string>();
    const leftOut: string[] = [];
    for (const { path, text } of planned.loaded.files) {
      if (secrets.has(path) || !isTreePath(path)) leftOut.push(`inputs/${path}`);
      else files.set(`inputs/${path}`, text);
    }
    const rendered = [...planned.plan.shared, ...planned.plan.tenants.flatMap((tenant) => tenant.files)].map(({ path }) => path);
    const own = new Set([
      ...rendered,
      ...evidence.unproven.filter((path) => planned.loaded.host.get(path)?.includes('last-applied-configuration') !== true),
    ]);
    for (const [path, text] of planned.loaded.host) {
      if (!own.has(path) || mayHoldSecret(text, path)) leftOut.push(`host/${path}`);
      else files.set(`host/${path}`, text);
    }
    for (const [path, text] of evidence.ledgers) files.set(`ledger/${path.slice('.tenantplane/'.length)}`, text);
    files.set(
      'decisions.ndjson',
      decisionsOf(planned.plan)
        .map((decision) => `${jsonText(decisionRecord(decision))}\n`)
        .join(''),
    );
    files.set('audit.json', formatAnswer(verifyAnswer(checks, evidence), 'json', toolsFor(style, io)));
    files.set('codes.json', explainCodes([], 'json').text);
    files.set('check_ledger.py', CHECK_LEDGER_SCRIPT);
    files.set('LEFT-OUT.txt', leftOut.map((path) => `${visible(path)}\n`).join(''));
    files.set(
      'README.md',
      bundleReadme({ version: VERSION, git: evidence.git, failed, leftOut: leftOut.length, ledgers: evidence.ledgers.size }),
    );
    talk.say(`writing ${plural(files.size, 'file')}`);
    writeBundle(flags.out, files);
    talk.clear();
    if (flags.quiet !== true) {
      io.stdout.write(`wrote ${visible(shown)}: ${plural(files.size + 1, 'file')}, ${leftOut.length} left out (LEFT-OUT.txt)\n`);
      if (failed > 0)
        io.stderr.write(`note: ${plural(failed, 'check')} failed, as audit.json says; tenantplane audit verify lists them.\n`);
    }
    return failed > 0 ? EXIT.integrity : EXIT.done;
  } finally {
    talk.clear();
  }
}

/** Files of the package that hold a Secret, or that could not be read, so that nobody knows. */
function secretSources({ plan, loaded }: PlannedPackage): ReadonlySet<string> {
  const secrets = decisionsOf(plan).flatMap(({ source }) => (source?.kind === 'Secret' ? [source.file.path] : []));
  return new Set([...secrets, ...loaded.findings.flatMap(({ severity, source }) => (severity === 'info' ? [] : [source.path]))]);
}

/** Whatever its place says: a file that somebody broke is left out as well. */
function mayHoldSecret(text: string, path: string): boolean {
  if (!text.includes('Secret') && !text.includes('\\')) return false;
  const { objects, findings } = readDocuments(text, path);
  return findings.some(({ severity }) => severity !== 'info') || objects.some(({ object }) => kindOf(object) === 'Secret');
}

/** A folder inside the package would be read as part of it by the next render. */
function needOutside(root: string, out: string, shown: string): void {
  const path = relative(realpathSync(root), real(out));
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) || path.split(sep).some((step) => step.startsWith('.'))) return;
  throw new TenantplaneError('usage', `${shown} lies in the package, so the next render would read the evidence as sources.`, {
    hint: 'Name a folder outside of it, or one that begins with a dot.',
  });
}

/** Where a path would really be: through the links of whatever of it is there already. */
function real(path: string): string {
  const parent = dirname(path);
  return existsSync(path) ? realpathSync(path) : parent === path ? path : join(real(parent), basename(path));
}
