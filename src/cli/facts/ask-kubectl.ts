import { type ChildProcess, spawn } from 'node:child_process';
import { systemCode, systemWords, TenantplaneError } from '../errors.ts';
import { masked } from './mask.ts';

/** How the host is reached: kubectl's own flags. Its kubeconfigs, contexts and credential plugins all work, since it reads them. */
export interface Reach {
  readonly kubectl: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What kubectl printed, or its own words of why it did not. */
export type Answer = { readonly text: string } | { readonly refused: string };

const BYTES = 64 * 1024 * 1024;
/** What a credential plugin gets to put its cache in order. */
const GRACE = 1000;

/**
 * Asks kubectl, reading only. It leads a process group of its own, so that its credential plugin ends with it.
 * @throws TenantplaneError where kubectl cannot be run; the signal's reason where that is aborted
 */
export function askKubectl(reach: Reach, args: readonly string[], signal: AbortSignal): Promise<Answer> {
  const flags = [
    ...(reach.kubeconfig === undefined ? [] : ['--kubeconfig', reach.kubeconfig]),
    ...(reach.context === undefined ? [] : ['--context', reach.context]),
    '--request-timeout=30s',
  ];
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(reach.kubectl, [...args, ...flags], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let [size, kill]: [number, NodeJS.Timeout | undefined] = [0, undefined];
    const end = (): void => {
      endGroup(child, 'SIGTERM');
      kill ??= setTimeout(() => {
        endGroup(child, 'SIGKILL');
        // what left the group may hold its end of them for as long as it likes
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE);
    };
    const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > BYTES) end();
      else chunks.push(chunk);
    };
    child.stdout.on('data', keep(out));
    child.stderr.on('data', keep(err));
    signal.addEventListener('abort', end);
    child.once('error', (error) => reject(notRun(reach.kubectl, error)));
    child.once('close', (code, ended) => {
      clearTimeout(kill);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else if (size > BYTES) resolve({ refused: `the answer is larger than ${BYTES} bytes` });
      else if (code === 0) resolve({ text: Buffer.concat(out).toString('utf8') });
      else
        resolve({ refused: masked(lastLine(Buffer.concat(err).toString('utf8'))) || `kubectl ended with ${ended ?? `exit code ${code}`}` });
    });
  });
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // it ended by itself just now
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

function notRun(kubectl: string, error: Error): TenantplaneError {
  if (systemCode(error) === 'ENOENT') {
    return new TenantplaneError('system', `There is no ${kubectl} to ask the host with.`, {
      hint: 'Install kubectl, or name it with --kubectl.',
      cause: error,
    });
  }
  const why = systemCode(error) === 'EACCES' ? 'it is a folder, or may not be run (EACCES)' : systemWords(error);
  return new TenantplaneError('system', `${kubectl} cannot be run: ${why}.`, {
    hint: 'Name a kubectl that may be run with --kubectl.',
    cause: error,
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
