import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../server.ts';

const NAME = /^tenantplane-bed-(\d+)-/;

/** Makes the group, in every hierarchy, that is the parent of all containers of a node. What runs that were killed left behind goes first. */
export function makeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) {
    for (const left of readdirSync(hierarchy)) {
      const owner = NAME.exec(left)?.[1];
      if (owner !== undefined && !isAlive(Number(owner))) removeTree(join(hierarchy, left));
    }
    mkdirSync(join(hierarchy, name), { recursive: true });
  }
}

/** False as long as a process is in it. */
export function removeCgroup(name: string): boolean {
  return hierarchies()
    .map((hierarchy) => removeTree(join(hierarchy, name)))
    .every(Boolean);
}

/** Where groups are made: one place on new machines, one for each controller on older ones. */
function hierarchies(): readonly string[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').trim().split('\n');
  return mounts.map((mount) => mount.split(' ')).flatMap(([, place = '', type = '']) => (/^cgroup2?$/.test(type) ? [place] : []));
}

function removeTree(group: string): boolean {
  if (!existsSync(group)) return true;
  try {
    for (const each of readdirSync(group, { withFileTypes: true })) if (each.isDirectory()) removeTree(join(group, each.name));
    rmdirSync(group);
    return true;
  } catch {
    return false; // a process that was just killed is still in it
  }
}
