import { digest } from './digest.ts';

/** A name on the host cluster. Branded: it never mixes with a name inside a tenant. */
export type HostName = string & { readonly brand: 'HostName' };

export interface NameLimits {
  /** characters at most; 63 unless the kind has a shorter limit */
  readonly nameLimit: number;
  /** whether the kind's names may hold dots */
  readonly dots: boolean;
}

export interface NamedHost {
  readonly name: HostName;
  /** true where the readable form was ambiguous or too long, and a digest makes it unique */
  readonly hashed: boolean;
}

const SEPARATOR = '-x-';
const DIGEST_LENGTH = 12;

/**
 * The host name of a tenant's object: `<name>-x-<virtual namespace>-x-<tenant>` as it stands where that can be read back
 * in one way only and fits; else a cut readable form and a digest of the whole identity (60 bits).
 *
 * Injective: a plain name holds `-x-` at exactly two places, overlaps counted, so it splits in one way; a hashed name holds
 * it nowhere, so it is never a plain one.
 */
export function hostName(name: string, virtualNamespace: string, tenant: string, limits: NameLimits): NamedHost {
  const plain = `${name}${SEPARATOR}${virtualNamespace}${SEPARATOR}${tenant}`;
  if (plain.length <= limits.nameLimit && (limits.dots || !plain.includes('.')) && occurrences(plain) === 2) {
    return { name: plain as HostName, hashed: false };
  }
  const suffix = digest([tenant, virtualNamespace, name], DIGEST_LENGTH);
  let readable = `${name}-${virtualNamespace}-${tenant}`;
  if (!limits.dots) readable = readable.replaceAll('.', '-');
  readable = readable.slice(0, limits.nameLimit - DIGEST_LENGTH - 1);
  while (readable.includes(SEPARATOR)) readable = readable.replace(SEPARATOR, '-');
  readable = readable.replace(/(-x)?[-.]*$/, '').replace(/[-.]+$/, '');
  return { name: `${readable}-${suffix}` as HostName, hashed: true };
}

/** What a plain host name was made of; undefined for a hashed one, whose source stands in its annotations. */
export function parseHostName(host: string): { name: string; virtualNamespace: string; tenant: string } | undefined {
  if (occurrences(host) !== 2) return undefined;
  const [name, virtualNamespace, tenant] = host.split(SEPARATOR);
  return name === undefined || virtualNamespace === undefined || tenant === undefined ? undefined : { name, virtualNamespace, tenant };
}

/** Places where `-x-` begins, overlapping ones counted (`a-x-x-b` holds two). */
function occurrences(text: string): number {
  let count = 0;
  for (let from = text.indexOf(SEPARATOR); from >= 0; from = text.indexOf(SEPARATOR, from + 1)) count += 1;
  return count;
}
