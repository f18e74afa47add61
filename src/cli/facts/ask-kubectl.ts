import { execFile } from 'node:child_process';
import { TenantplaneError } from '../errors.ts';

/** How the host is reached: kubectl's own flags. Its kubeconfigs, contexts and credential plugins all work, since it reads them. */
export interface Reach {
  readonly kubectl: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What kubectl printed, or its own words of why it did not. */
export type Answer = { readonly text: string } | { readonly refused: string };

const BYTES = 64 * 1024 * 1024;

/**
 * Asks kubectl, reading only.
 * @throws TenantplaneError where there is no kubectl, or the call was interrupted
 */
export function askKubectl(reach: Reach, args: readonly string[], signal: AbortSignal): Promise<Answer> {
  const flags = [
    ...(reach.kubeconfig === undefined ? [] : ['--kubeconfig', reach.kubeconfig]),
    ...(reach.context === undefined ? [] : ['--context', reach.context]),
    '--request-timeout=30s',
  ];
  return new Promise((resolve, reject) => {
    execFile(reach.kubectl, [...args, ...flags], { maxBuffer: BYTES, signal }, (error, stdout, stderr) => {
      if (error === null) resolve({ text: stdout });
      else if (error.code === 'ENOENT')
        reject(
          new TenantplaneError('system', `There is no ${reach.kubectl} to ask the host with.`, {
            hint: 'Install kubectl, or name it with --kubectl.',
            cause: error,
          }),
        );
      else if (signal.aborted) reject(new TenantplaneError('interrupted', 'Interrupted.', { cause: error }));
      else resolve({ refused: lastLine(stderr) || error.message });
    });
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
