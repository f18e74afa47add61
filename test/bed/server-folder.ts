import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './server.ts';

const PREFIX = 'tenantplane-bed-';

/** A folder for a server's data, named after this process. What runs that were killed left behind goes first. */
export function serverFolder(place: string = roomyPlace()): string {
  for (const name of readdirSync(place)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(place, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
}

/** In memory, where a gigabyte is free: containers have 64 MB there, which is what an empty etcd takes. */
function roomyPlace(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 ** 30 ? memory : tmpdir();
}
