import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { isAlive } from '../server.ts';

/** A bridge of this machine: pods on it reach each other and the machine, and the machine reaches them. Nothing leaves the machine. */
export interface PodNetwork {
  readonly bridge: string;
  readonly subnet: string;
  /** the machine's own address on it */
  readonly gateway: string;
  remove(): void;
}

/** `tpb<process>-<third byte of its addresses>`: 15 letters at most, and all that is to be known of it. */
const BRIDGE = /^tpb(\d+)-(\d+)$/;
/** Private addresses that few use; each network has a 24 bit part of them. */
const PREFIX = '10.213';

/** Makes a bridge whose addresses nobody has. What runs that were killed left behind goes first. */
export function makePodNetwork(): PodNetwork {
  for (const { name, owner } of bridges()) if (!isAlive(owner)) ip(['link', 'delete', name]);
  for (let tries = 0; tries < 100; tries += 1) {
    const part = randomInt(256);
    const [bridge, subnet, gateway] = [`tpb${process.pid}-${part}`, `${PREFIX}.${part}.0/24`, `${PREFIX}.${part}.1`];
    if (isRouted(part)) continue;
    ip(['link', 'add', bridge, 'type', 'bridge']);
    // two runs may have chosen the same in the same moment: both see it here, and both choose anew
    if (bridges().filter((each) => each.part === part).length > 1) {
      ip(['link', 'delete', bridge]);
      continue;
    }
    ip(['address', 'add', `${gateway}/24`, 'dev', bridge]);
    ip(['link', 'set', bridge, 'up']);
    return { bridge, subnet, gateway, remove: () => ip(['link', 'delete', bridge]) };
  }
  throw new Error(`no part of ${PREFIX}.0.0/16 is free for a pod network`);
}

interface Bridge {
  readonly name: string;
  readonly owner: number;
  readonly part: number;
}

function bridges(): readonly Bridge[] {
  const links = JSON.parse(ip(['-json', 'link', 'show', 'type', 'bridge']) || '[]') as readonly { readonly ifname?: string }[];
  return links.flatMap(({ ifname = '' }) => {
    const [name, owner, part] = BRIDGE.exec(ifname) ?? [];
    return name === undefined ? [] : [{ name, owner: Number(owner), part: Number(part) }];
  });
}

function isRouted(part: number): boolean {
  const routes = JSON.parse(ip(['-json', '-4', 'route', 'show']) || '[]') as readonly { readonly dst?: string }[];
  return routes.some(({ dst = '' }) => dst.startsWith(`${PREFIX}.${part}.`) || dst === `${PREFIX}.0.0/16`);
}

function ip(args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
