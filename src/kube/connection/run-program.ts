import { type ChildProcess, spawn } from 'node:child_process';
import { onAbort } from '../on-abort.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** the whole environment that it gets */
  readonly env: Readonly<Record<string, string>>;
}

export interface ProgramLimits {
  readonly milliseconds: number;
  readonly bytes: number;
  /** what it writes to stderr */
  readonly talk: (text: string) => void;
}

/** What it wrote to stdout, or why there is nothing: a few words. */
export type Output = { readonly text: string } | { readonly why: string };

/** What a program gets to put its files in order. */
const GRACE = 1000;

/**
 * Runs a program in a process group of its own, so that what it started ends with it.
 * @throws the signal's reason, once the program has been told to end and has ended, or a second after that
 */
export function runProgram({ command, args, env }: Program, limits: ProgramLimits, signal: AbortSignal): Promise<Output> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let [text, why, kill]: [string, string | undefined, NodeJS.Timeout | undefined] = ['', undefined, undefined];
    const end = (reason: string): void => {
      why ??= reason;
      endGroup(child, 'SIGTERM');
      kill ??= setTimeout(() => {
        endGroup(child, 'SIGKILL');
        // what left the group may hold its end of them for as long as it likes
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE);
    };
    const late = setTimeout(() => end(`took longer than ${limits.milliseconds / 1000} s`), limits.milliseconds);
    const forget = onAbort(signal, () => end('was told to end'));
    const done = (output: Output): void => {
      clearTimeout(late);
      clearTimeout(kill);
      forget();
      if (signal.aborted) reject(signal.reason);
      else resolve(output);
    };
    child.stderr.setEncoding('utf8').on('data', limits.talk);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (text.length + part.length > limits.bytes) end(`wrote more than ${limits.bytes} bytes`);
      else text += part;
    });
    child.once('error', (error) => done({ why: `cannot be run (${'code' in error ? error.code : error.name})` }));
    child.once('close', (code, ended) => {
      if (why === undefined && code === 0) done({ text });
      else done({ why: why ?? `ended with ${ended ?? `exit code ${code}`}` });
    });
  });
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // it ended by itself just now
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
