import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type JsonObject, objectAt, stringAt } from '../../core/kube/json.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { checkConfigOf } from '../../schema/check-config.ts';
import { systemWords, TenantplaneError } from '../errors.ts';
import type { CliContext } from '../io.ts';
import { gatherFacts, hostFacts } from './gather-facts.ts';
import { openHost, type Reach } from './open-host.ts';

export interface FactsFlags extends Reach {
  readonly output: 'yaml' | 'json';
  /** a HostFacts file whose answers stay where the host gives none */
  readonly keep?: string;
  /** written in place of stdout; what it holds stays where the host gives no answer */
  readonly outputFile?: string;
  readonly quiet: boolean;
}

/** Prints what a host says of itself as a HostFacts object, for the root of a package. */
export async function runFacts(flags: FactsFlags, { io }: CliContext): Promise<void> {
  const kept = keptBefore(flags);
  const host = await openHost(flags, io);
  const { spec, missing } = await gatherFacts(host, io.signal).finally(() => host.close());
  for (const { fact, why } of missing) {
    const value = kept[fact];
    if (value !== undefined) spec[fact] = value;
    else if (!flags.quiet) io.stderr.write(`unknown: ${fact} (${visible(why)})\n`);
  }
  const facts = hostFacts(spec);
  const [problem] = checkConfigOf(facts, 'HostFacts').problems;
  if (problem !== undefined) {
    throw new TenantplaneError('system', `The host’s answer makes no HostFacts: ${problem.message}`, { hint: problem.remedy });
  }
  const text = flags.output === 'json' ? `${jsonText(facts, 2)}\n` : emitYaml(facts);
  if (flags.outputFile === undefined) io.stdout.write(text);
  else writeWhole(flags.outputFile, text);
}

/** What was known before: of the file that is named, or of the one that is written, where that holds anything. */
function keptBefore({ keep, outputFile }: FactsFlags): JsonObject {
  if (keep !== undefined) return keptFacts(keep, '--keep');
  if (outputFile === undefined || !existsSync(outputFile) || statSync(outputFile).size === 0) return {};
  return keptFacts(outputFile, '--output-file');
}

/** A file that is half written, or emptied before an answer came, would be facts of a host that has nothing. */
function writeWhole(path: string, text: string): void {
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { flag: 'wx' });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new TenantplaneError('system', `${path} cannot be written: ${systemWords(error)}.`, {
      hint: 'Name a file in a folder that is there and may be written to.',
      cause: error,
    });
  }
}

function keptFacts(path: string, flag: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new TenantplaneError('input', `${flag} ${path} cannot be read.`, {
      hint: 'Name the HostFacts file of the package.',
      cause: error,
    });
  }
  const { objects, findings } = readDocuments(text, path);
  const [found, ...more] = objects.filter(({ object }) => stringAt(object, 'kind') === 'HostFacts');
  if (found === undefined || more.length > 0 || findings.some(({ severity }) => severity === 'error')) {
    throw new TenantplaneError('input', `${flag} ${path} does not hold one HostFacts object.`, {
      hint: 'Name the HostFacts file of the package.',
    });
  }
  return objectAt(found.object, 'spec') ?? {};
}
