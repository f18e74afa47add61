import * as fs from 'node:fs';
import { TenantplaneError } from '../errors.ts';

/** What the tree writer needs of the disk. A test hands in one that fails at a chosen step. */
export type TreeFs = Pick<
  typeof fs,
  | 'chmodSync'
  | 'copyFileSync'
  | 'existsSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'renameSync'
  | 'rmSync'
  | 'writeFileSync'
>;

export const DISK: TreeFs = fs;

/** Synchronous calls are faster by far, but leave no room for a signal; so a long loop steps aside now and then. */
export interface Pace {
  /** called once for each file */
  step(): Promise<void> | undefined;
}

const STEPS = 256;

/** @throws TenantplaneError `interrupted` once the signal is aborted */
export function paceOf(signal: AbortSignal): Pace {
  let count = 0;
  return {
    step() {
      count += 1;
      if (count % STEPS !== 0) return undefined;
      return new Promise((resolve, reject) => {
        setImmediate(() => (signal.aborted ? reject(interrupted()) : resolve()));
      });
    },
  };
}

export function interrupted(): TenantplaneError {
  return new TenantplaneError('interrupted', 'Interrupted; nothing was changed.');
}
