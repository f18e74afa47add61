import { kindOf } from '../../core/kube/object.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { decisionRecord } from '../../report/decision-record.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { decisionsOf } from '../../report/tally.ts';
import { explainCodes } from '../explain-code.ts';
import type { PlannedPackage } from '../render/plan-package.ts';
import { isTreePath } from '../tree/tree-path.ts';
import { VERSION } from '../version.ts';
import type { BundleFiles } from './bundle.ts';
import { bundleReadme } from './bundle-readme.ts';
import { CHECK_LEDGER_SCRIPT } from './check-ledger-script.ts';
import type { Evidence } from './verification.ts';

/** What a bundle holds, and what of the package it leaves out. */
export interface BundleContents {
  readonly files: BundleFiles;
  readonly leftOut: readonly string[];
}

/** @param report the checks as JSON. @param failed how many of them failed */
export function bundleFiles(planned: PlannedPackage, evidence: Evidence, report: string, failed: number): BundleContents {
  const { plan, loaded } = planned;
  const secrets = secretSources(planned);
  const files = new Map<string, string>();
  const leftOut: string[] = [];
  for (const { path, text } of loaded.files) {
    if (secrets.has(path) || !isTreePath(path)) leftOut.push(`inputs/${path}`);
    else files.set(`inputs/${path}`, text);
  }
  const explained = explainedFiles(planned, evidence);
  for (const [path, text] of loaded.host) {
    if (!explained.has(path) || mayHoldSecret(text, path)) leftOut.push(`host/${path}`);
    else files.set(`host/${path}`, text);
  }
  for (const [path, text] of evidence.ledgers) files.set(`ledger/${path.slice('.tenantplane/'.length)}`, text);
  const records = decisionsOf(plan).map((decision) => `${jsonText(decisionRecord(decision))}\n`);
  files.set('decisions.ndjson', records.join(''));
  files.set('audit.json', report);
  files.set('codes.json', explainCodes([], 'json').text);
  files.set('check_ledger.py', CHECK_LEDGER_SCRIPT);
  files.set('LEFT-OUT.txt', leftOut.map((path) => `${visible(path)}\n`).join(''));
  const facts = { version: VERSION, git: evidence.git, failed, leftOut: leftOut.length, ledgers: evidence.ledgers.size };
  files.set('README.md', bundleReadme(facts));
  return { files, leftOut };
}

/** Files of the tree that the plan gives, and those of a frozen tenant, unless somebody else's applier has been at them. */
function explainedFiles({ plan, loaded }: PlannedPackage, { unproven }: Evidence): ReadonlySet<string> {
  const rendered = [...plan.shared, ...plan.tenants.flatMap((tenant) => tenant.files)].map(({ path }) => path);
  const kept = unproven.filter((path) => loaded.host.get(path)?.includes('last-applied-configuration') !== true);
  return new Set([...rendered, ...kept]);
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
