import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import { parseAddress, parseCidr } from '../../core/kube/cidr.ts';
import type { CallPort } from '../../core/reach/endpoint.ts';
import { makesPods } from '../../core/reach/workloads.ts';
import { TenantplaneError } from '../errors.ts';
import { tryKind } from '../explain/find-kind.ts';
import { endWord } from './end-words.ts';

/** What people type behind `reach`: none, one or two ends, and the package. */
export interface ReachWords {
  readonly ends: readonly string[];
  readonly path?: string;
}

/** Written between two ends, and in front of one. */
const FILLERS: ReadonlySet<string> = new Set(['from', 'to', '->', 'and']);

export function readWords(words: readonly string[], cwd: string): ReachWords {
  const meant = joined(
    words.filter((word) => !FILLERS.has(word.toLowerCase())),
    cwd,
  );
  const place = meant.findLastIndex((word) => isPath(word, cwd));
  const path = meant[place];
  const ends = meant.filter((_, index) => index !== place);
  if (ends.length > 2) {
    throw new TenantplaneError('usage', `${ends.join(' ')}: a call has two ends.`, {
      hint: 'tenantplane reach A B [PATH], with ends such as deploy/web, dev:svc/db, internet or 192.0.2.1.',
    });
  }
  return { ends, ...(path !== undefined && { path }) };
}

/** `deploy web` is `deploy/web`, as kubectl has it, and `Deployment shop/web`, as answers have it, `shop/Deployment/web`. */
function joined(words: readonly string[], cwd: string): readonly string[] {
  const [first, second, ...rest] = words;
  if (first === undefined) return [];
  const [, namespace, name] = /^([a-z0-9-]+)\/([^/:]+)$/.exec(second ?? '') ?? [];
  if (second !== undefined && namespace !== undefined && isEndKind(first) && !isEndKind(namespace) && !isPath(second, cwd))
    return [`${namespace}/${first}/${name}`, ...joined(rest, cwd)];
  const isPair = second !== undefined && endWord(first) === undefined && isEndKind(first) && !/[/:]/.test(second) && !isEndKind(second);
  return isPair ? [`${first}/${second}`, ...joined(rest, cwd)] : [first, ...joined(words.slice(1), cwd)];
}

/** A kind whose objects can be an end of a call. */
function isEndKind(word: string): boolean {
  const known = tryKind(word, []);
  return known !== undefined && (known.kind === 'Service' || makesPods(known.apiVersion, known.kind));
}

/** A range of addresses holds a slash as well, and `dev:shop/deploy/web` may be a folder of nobody. */
function isPath(word: string, cwd: string): boolean {
  if (parseCidr(word) !== undefined) return false;
  if (/^\.{0,2}\/|^\.{1,2}$/.test(word)) return true;
  try {
    return statSync(resolve(cwd, word)).isDirectory();
  } catch {
    return false;
  }
}

/** A port as it was asked for: a number or a name, which only the pods of an end can tell. */
export interface WantedPort {
  readonly port: string;
  readonly protocol?: string;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['TCP', 'UDP', 'SCTP']);

/** `8080`, `53/UDP`, `udp/53`, `http` */
export function readPort(text: string): WantedPort {
  const parts = text.split(/[/:]/);
  const protocol = parts.find((part) => PROTOCOLS.has(part.toUpperCase()))?.toUpperCase();
  const rest = parts.filter((part) => part.toUpperCase() !== protocol);
  const [port = ''] = rest;
  const legal = /^\d+$/.test(port) ? Number(port) >= 1 && Number(port) <= 65_535 : /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(port);
  if (rest.length !== 1 || !legal) {
    throw new TenantplaneError('usage', `${text} is no port.`, { hint: 'Write it as 8080, 53/UDP or http.' });
  }
  return { port, ...(protocol !== undefined && { protocol }) };
}

/** Takes the port off an end: `svc/db:5432`, `internet:443`, and not the last part of an IPv6 address. */
export function splitPort(word: string): { readonly end: string; readonly port?: WantedPort } {
  if (parseAddress(word) !== undefined || parseCidr(word) !== undefined) return { end: word };
  const match = /^(.+):(\d+(?:\/[A-Za-z]+)?)$/.exec(word);
  const [, end, port] = match ?? [];
  return end === undefined || port === undefined ? { end: word } : { end, port: readPort(port) };
}

export function numbered({ port, protocol = 'TCP' }: WantedPort): CallPort | undefined {
  return /^\d+$/.test(port) ? { protocol, port: Number(port) } : undefined;
}

/** Words and flags say the ends together; a word fills what no flag says. */
export function bothEnds(words: readonly string[], from: string | undefined, to: string | undefined, again: string): readonly string[] {
  const left = [...words];
  const first = from ?? left.shift();
  const second = to ?? left.shift();
  if (left.length > 0) {
    throw new TenantplaneError('usage', `${words.join(' ')}, --from and --to name more than two ends.`, { hint: 'Say each once.' });
  }
  if (first === undefined && second !== undefined) {
    throw new TenantplaneError('usage', `Who calls ${second}? Only --to is said.`, {
      hint: `Say --from as well, or tenantplane reach ${shellWord(second)}${again} for all.`,
    });
  }
  return [first, second].filter((end) => end !== undefined);
}
