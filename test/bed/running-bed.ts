import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './server.ts';

/** What `npm run bed -- up` left running: one for each state folder. */
export interface RunningBed {
  /** of the process that every server ends with */
  readonly pid: number;
  readonly kubectl: string;
  /** serves all of the clusters */
  readonly etcd: RunningProcess;
  readonly clusters: readonly RunningCluster[];
}

export interface RunningCluster {
  readonly name: string;
  readonly url: string;
  readonly version: string;
  readonly kubeconfig: string;
  readonly processes: readonly RunningProcess[];
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
}

export function stateFolder(): string {
  const folder =
    process.env['TENANTPLANE_BED'] ?? join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'tenantplane-bed');
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const LOG = 'bed.log';
const STATE = 'bed.json';

/** Undefined where none runs; what one that was killed left behind is not taken for it. */
export function runningBed(folder: string): RunningBed | undefined {
  const file = join(folder, STATE);
  if (!existsSync(file)) return undefined;
  const bed = JSON.parse(readFileSync(file, 'utf8')) as RunningBed;
  if (isAlive(bed.pid) && readFileSync(`/proc/${bed.pid}/cmdline`, 'utf8').includes('serve-bed')) return bed;
  rmSync(file);
  return undefined;
}

/** Complete or not there; refused where another came up meanwhile. */
export function recordBed(folder: string, bed: RunningBed): void {
  const complete = join(folder, `${STATE}.${bed.pid}`);
  writeFileSync(complete, `${JSON.stringify(bed, null, 2)}\n`);
  try {
    linkSync(complete, join(folder, STATE));
  } finally {
    rmSync(complete);
  }
}

export function forgetBed(folder: string): void {
  rmSync(join(folder, STATE), { force: true });
}
