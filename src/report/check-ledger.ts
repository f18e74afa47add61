import { merkleRoot } from './ledger.ts';

/** What a ledger says of itself, checked without anything else. */
export type LedgerCheck =
  | { readonly whole: true; readonly tenant: string; readonly lines: number; readonly root: string }
  | { readonly whole: false; readonly problem: string };

/**
 * Checks a ledger against its own first line: count, Merkle root (RFC 6962), order. It finds a cut, a swapped and an edited
 * line; it cannot find a ledger that was written anew as a whole, which only a second rendering can.
 */
export function checkLedger(text: string): LedgerCheck {
  const broken = (problem: string): LedgerCheck => ({ whole: false, problem });
  if (text === '') return broken('it is empty');
  const [first = '', ...rest] = text.split('\n');
  if (rest.pop() !== '') return broken('its last line has no end, so it was cut');
  const header = headerOf(first);
  if (header === undefined) return broken('its first line is no header of a ledger');
  if (header.version !== 'v1') return broken(`it is a ledger of version ${header.version}, and this program reads v1`);
  if (rest.length !== header.lines) return broken(`it has ${rest.length} lines of ${header.lines}`);
  const malformed = rest.findIndex((line) => recordOf(line) === undefined);
  if (malformed >= 0) return broken(`line ${malformed + 2} is no record`);
  const root = `sha256:${merkleRoot(rest)}`;
  if (root !== header.root) return broken(`its lines add up to ${short(root)}, and it says ${short(header.root)}`);
  return { whole: true, tenant: header.tenant, lines: rest.length, root };
}

/** Where two ledgers part: the line, 1-based, and what it is about. */
export function firstDifference(committed: string, rendered: string): { readonly line: number; readonly about: string } | undefined {
  const [a, b] = [committed.split('\n'), rendered.split('\n')];
  // the header differs whenever a line does, and says nothing by itself
  for (let index = 1; index < Math.max(a.length, b.length); index += 1) {
    if (a[index] === b[index]) continue;
    const [is, wanted] = [recordOf(a[index] ?? ''), recordOf(b[index] ?? '')];
    if (is === undefined) return { line: index + 1, about: `it ends before ${keyOf(wanted)}` };
    if (wanted === undefined) return { line: index + 1, about: `it goes on with ${keyOf(is)}` };
    if (keyOf(is) !== keyOf(wanted)) return { line: index + 1, about: `it has ${keyOf(is)} where ${keyOf(wanted)} belongs` };
    const keys = [...new Set([...Object.keys(is), ...Object.keys(wanted)])];
    const other = keys.filter((key) => JSON.stringify(is[key]) !== JSON.stringify(wanted[key]));
    return { line: index + 1, about: `${keyOf(is)} differs in ${other.join(', ')}` };
  }
  return a[0] === b[0] ? undefined : { line: 1, about: 'its header differs' };
}

/** A root as it is read by people. */
export function short(root: string): string {
  return root.replace(/^(sha256:.{12}).*$/, '$1…');
}

interface Header {
  readonly version: string;
  readonly tenant: string;
  readonly lines: number;
  readonly root: string;
}

function headerOf(line: string): Header | undefined {
  const header = recordOf(line);
  const [version, tenant, lines, root] = [header?.['ledger'], header?.['tenant'], header?.['lines'], header?.['merkleRoot']];
  if (typeof version !== 'string' || typeof tenant !== 'string' || typeof lines !== 'number' || typeof root !== 'string') return undefined;
  return { version, tenant, lines, root };
}

function recordOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(record: Readonly<Record<string, unknown>> | undefined): string {
  const key = record?.['k'];
  return typeof key === 'string' ? key : 'a line without a subject';
}
