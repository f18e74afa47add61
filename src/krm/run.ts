import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, put } from '../core/kube/json.ts';
import type { FunctionOutput } from './render-function.ts';
import { oneLine } from './results.ts';
import { spokenResults } from './spoken-results.ts';
import { writeAll } from './write-all.ts';
import { parseDocument } from './yaml/parse.ts';

export type FunctionBody = (input: string, override: JsonObject | undefined) => Promise<FunctionOutput>;

const MOST_BYTES = 512 * 1024 * 1024;

interface Flags {
  readonly help: boolean;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly config: JsonObject | undefined;
}

/**
 * Runs a KRM function as a process. stdout is the ResourceList or nothing; everything else goes to stderr.
 *
 * Exit codes: 0; 1 where a result is an error (bad input and bad config are results, so that kpt shows them); 2 for a bug.
 * The exit code is set and `process.exit` never called: what is still in a pipe would be cut off, and kpt would then
 * delete the rest of the package with success.
 * @param args the arguments behind the name of the function
 * @returns the exit code, which is also set
 */
export async function runFunction(process: NodeJS.Process, name: string, body: FunctionBody, args: readonly string[]): Promise<number> {
  const code = await runBody(process, name, body, args);
  if (code !== 0) process.exitCode = code;
  return code;
}

async function runBody(process: NodeJS.Process, name: string, body: FunctionBody, args: readonly string[]): Promise<number> {
  // a stray line on stdout breaks the list
  Object.assign(globalThis.console, new Console(process.stderr, process.stderr));
  const say = (line: string): void => void process.stderr.write(`${oneLine(line)}\n`);
  try {
    const flags = readFlags(args);
    if (typeof flags === 'string') {
      say(`${name}: ${flags}`);
      return 1;
    }
    if (flags.help) {
      return writeAll(process.stdout.fd, [usage(name)]) ? 0 : 1;
    }
    if (flags.input === undefined && process.stdin.isTTY) {
      process.stderr.write(usage(name));
      return 1;
    }
    const input = decode(flags.input === undefined ? await readStdin(process) : readFileSync(flags.input));
    if (input === undefined) {
      say('error: the input is not UTF-8 text, or larger than 512 MiB. Check what feeds the function.');
      return 1;
    }
    const { pieces, results, resultsShown = false } = await body(input, flags.config);
    for (const line of spokenResults(results, resultsShown)) say(line);
    const written = pieces.length === 0 || writeAll(flags.output ?? process.stdout.fd, pieces);
    return written && !results.some((result) => result.severity === 'error') ? 0 : 1;
  } catch (error) {
    if (isOfSystem(error)) {
      const [, words = error.message] = /^[A-Z0-9]+: ([^,]+)/.exec(error.message) ?? [];
      say(`error: ${error.path ?? name}: ${words} (${error.code ?? error.syscall}). Name a file that is there and may be used.`);
      return 1;
    }
    say(`${name} failed: ${error instanceof Error ? error.message : String(error)}. Nothing was written. This is a bug; please report it.`);
    return 2;
  }
}

/** What the disk refused is no bug. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';
}

async function readStdin(process: NodeJS.Process): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(bytes);
    size += bytes.length;
    if (size > MOST_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The flags of the npm SDK (`-i`, `-o`, `-f`, `-d`), so that pipelines which use them go on working. */
function readFlags(args: readonly string[]): Flags | string {
  const values: Record<string, string> = {};
  const data: JsonObject = {};
  let help = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-h' || arg === '--help') help = true;
    else if (Object.hasOwn(FLAGS, arg)) {
      const value = args[at + 1];
      if (value === undefined) return `${arg} needs a value`;
      const field = FLAGS[arg] ?? '';
      if (field === 'data') {
        const sign = value.indexOf('=');
        if (sign <= 0) return `${arg} takes key=value, not ${JSON.stringify(value)}`;
        put(data, value.slice(0, sign), value.slice(sign + 1));
      } else values[field] = value;
      at += 1;
    } else return `unknown argument ${JSON.stringify(arg)}; try --help`;
  }
  const config = values['config'] === undefined ? undefined : configFile(values['config']);
  if (typeof config === 'string') return config;
  const fromData =
    Object.keys(data).length === 0 ? undefined : { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'function-input' }, data };
  return { help, input: values['input'], output: values['output'], config: config ?? fromData };
}

const FLAGS: Readonly<Record<string, string>> = {
  '-i': 'input',
  '--input': 'input',
  '-o': 'output',
  '--output': 'output',
  '-f': 'config',
  '--function-config': 'config',
  '-d': 'data',
};

function configFile(path: string): JsonObject | string {
  const text = decode(readFileSync(path));
  const value = text === undefined ? undefined : parseDocument(text).value;
  return isObject(value) ? value : `${path} holds no function config`;
}

function usage(name: string): string {
  return [
    `${name}: a KRM function of tenantplane. It reads a ResourceList on stdin and writes one on stdout.`,
    '',
    `  kpt fn eval PACKAGE --exec "tenantplane-fn ${name}"`,
    `  kpt fn source PACKAGE | tenantplane-fn ${name} | kpt fn sink OUTPUT`,
    '',
    '  -i FILE       read the ResourceList from a file',
    '  -o FILE       write it to a file',
    '  -f FILE       function config, instead of the one in the list',
    '  -d KEY=VALUE  one field of the function config (output.shards=4); may be repeated',
    '  -h, --help    this text',
    '',
  ].join('\n');
}
