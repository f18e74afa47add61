import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { isAlive } from '../server.ts';

/**
 * A network namespace in which pods are routed, and a link to it from this machine: pods reach each other and the machine, and the machine
 * reaches them. Nothing leaves the machine. What a proxy of Services writes, and the setting that makes a router, stay in that namespace.
 */
export interface PodNetwork {
  /** path, for nsenter */
  readonly namespace: string;
  readonly subnet: string;
  /** the machine's own address on the link */
  readonly gateway: string;
  /** the address of the namespace on the link: the router of pods */
  readonly router: string;
  /** of pods, the first and the last address */
  readonly pods: readonly [string, string];
  remove(): void;
}

/** `tpb<process>-<third byte of its addresses>`, of the link and of the namespace: 15 letters at most, and all that is to be known of it. */
const NAME = /^tpb(\d+)-(\d+)$/;
/** Private addresses that few use; each network has a 24 bit part of them. */
const PREFIX = '10.213';

/** Makes a network whose addresses nobody has. What runs that were killed left behind goes first. */
export function makePodNetwork(): PodNetwork {
  for (const { name, owner } of [...links(), ...namespaces()]) if (!isAlive(owner)) remove(name);
  for (let tries = 0; tries < 100; tries += 1) {
    const part = randomInt(256);
    const [name, subnet] = [`tpb${process.pid}-${part}`, `${PREFIX}.${part}.0/24`];
    const [gateway, router] = [`${PREFIX}.${part}.1`, `${PREFIX}.${part}.2`];
    if (isRouted(part)) continue;
    ip(['netns', 'add', name]);
    ip(['link', 'add', name, 'type', 'veth', 'peer', 'name', 'machine', 'netns', name]);
    // two runs may have chosen the same in the same moment: both see it here, and both choose anew
    if (links().filter((each) => each.part === part).length > 1) {
      remove(name);
      continue;
    }
    ip(['address', 'add', gateway, 'peer', router, 'dev', name]);
    ip(['link', 'set', name, 'up']);
    const inside = (args: readonly string[]): string => ip(['-netns', name, ...args]);
    inside(['link', 'set', 'lo', 'up']);
    inside(['address', 'add', router, 'peer', gateway, 'dev', 'machine']);
    inside(['link', 'set', 'machine', 'up']);
    inside(['route', 'add', 'default', 'via', gateway]);
    ip(['route', 'add', subnet, 'via', router]);
    const pods = [`${PREFIX}.${part}.10`, `${PREFIX}.${part}.250`] as const;
    return { namespace: `/run/netns/${name}`, subnet, gateway, router, pods, remove: () => remove(name) };
  }
  throw new Error(`no part of ${PREFIX}.0.0/16 is free for a pod network`);
}

interface Named {
  readonly name: string;
  readonly owner: number;
  readonly part: number;
}

function named(names: readonly string[]): readonly Named[] {
  return names.flatMap((each) => {
    const [name, owner, part] = NAME.exec(each) ?? [];
    return name === undefined ? [] : [{ name, owner: Number(owner), part: Number(part) }];
  });
}

function links(): readonly Named[] {
  const found = JSON.parse(ip(['-json', 'link', 'show', 'type', 'veth']) || '[]') as readonly { readonly ifname?: string }[];
  return named(found.map(({ ifname = '' }) => ifname));
}

function namespaces(): readonly Named[] {
  const found = JSON.parse(ip(['-json', 'netns', 'list']) || '[]') as readonly { readonly name: string }[];
  return named(found.map(({ name }) => name));
}

/** One end of a link goes with the other, whichever of the two is there still. */
function remove(name: string): void {
  removeFrom(links, ['link', 'delete', name], name);
  removeFrom(namespaces, ['netns', 'delete', name], name);
}

/** What a killed run left, others may remove in the same moment. */
function removeFrom(listed: () => readonly Named[], command: readonly string[], name: string): void {
  const isThere = (): boolean => listed().some((each) => each.name === name);
  if (!isThere()) return;
  try {
    ip(command);
  } catch (error) {
    if (isThere()) throw error;
  }
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
