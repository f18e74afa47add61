import { isObject, type Json, type JsonObject, type Path, put } from '../../core/kube/json.ts';
import type { Change } from '../../core/translate/edit.ts';
import type { RuleId } from '../../core/translate/rules.ts';
import { type YamlLine, yamlLines } from './yaml-lines.ts';

/** Lines that are the same on both sides, or lines that are not, each with the rule that made the difference. */
export type Run = { readonly same: readonly string[] } | { readonly changed: readonly ChangedLine[] };

export interface ChangedLine {
  /** as the tenant wrote it */
  readonly tenant?: string;
  /** as the host gets it */
  readonly host?: string;
  readonly rule?: RuleId;
}

/** The tenant's object beside the host's. The order of keys in a map is no difference. */
export function sideBySide(tenant: JsonObject, host: JsonObject, changes: readonly Change[]): readonly Run[] {
  const left = yamlLines(inOrderOf(host, tenant));
  const right = yamlLines(host);
  const runs: Run[] = [];
  const rule = ruleOf(changes);
  let [from, to] = [0, 0];
  for (const [x, y] of [...commonLines(left, right), [left.length, right.length] as const]) {
    if (x > from || y > to) runs.push({ changed: pairs(left.slice(from, x), right.slice(to, y), rule) });
    if (x < left.length) addSame(runs, left[x]?.text ?? '');
    [from, to] = [x + 1, y + 1];
  }
  return runs;
}

function addSame(runs: Run[], line: string): void {
  const last = runs.at(-1);
  if (last !== undefined && 'same' in last) runs[runs.length - 1] = { same: [...last.same, line] };
  else runs.push({ same: [line] });
}

type FindRule = (path: Path, side: 'tenant' | 'host') => RuleId | undefined;

/** Lines of one field stand beside each other; what only one side has stands alone, in the order of the sides. */
function pairs(left: readonly YamlLine[], right: readonly YamlLine[], rule: FindRule): ChangedLine[] {
  const lines: ChangedLine[] = [];
  const waiting = [...right];
  for (const line of left) {
    const partner = waiting.findIndex(({ path }) => wild(path) === wild(line.path));
    const by = rule(line.path, 'tenant');
    if (partner < 0) {
      lines.push({ tenant: line.text, ...(by !== undefined && { rule: by }) });
      continue;
    }
    for (const alone of waiting.splice(0, partner)) lines.push(hostLine(alone, rule));
    const [beside] = waiting.splice(0, 1);
    if (beside !== undefined) lines.push({ ...hostLine(beside, rule), tenant: line.text });
  }
  return [...lines, ...waiting.map((alone) => hostLine(alone, rule))];
}

function hostLine(line: YamlLine, rule: FindRule): ChangedLine {
  const by = rule(line.path, 'host');
  return { host: line.text, ...(by !== undefined && { rule: by }) };
}

/** The rule whose change lies nearest to a line. List indexes of a change are those of its own moment, so they count for less. */
function ruleOf(changes: readonly Change[]): FindRule {
  const known = changes.map(({ path, op, rule }) => ({ exact: text(path), wild: wild(path), op, rule }));
  return (path, side) => {
    const [exact, any] = [text(path), wild(path)];
    const fits = known.filter(({ op }) => op === 'Replace' || op === (side === 'tenant' ? 'Remove' : 'Add'));
    const near =
      longest(fits.filter((change) => within(exact, change.exact))) ??
      longest(fits.filter((change) => within(any, change.wild))) ??
      fits.find((change) => within(change.wild, any));
    return near?.rule ?? metadataRule(path);
  };
}

/** Identity metadata is put on at the end, and is no change of a field of the tenant's. */
function metadataRule(path: Path): RuleId | undefined {
  if (path[0] !== 'metadata') return undefined;
  return path[1] === 'annotations' && !String(path[2] ?? 'tenantplane.io/').startsWith('tenantplane.io/')
    ? 'rw.annotations'
    : 'rw.identity';
}

function longest<T extends { readonly exact: string }>(items: readonly T[]): T | undefined {
  return items.reduce<T | undefined>(
    (most, item) => (most === undefined || item.exact.length > most.exact.length ? item : most),
    undefined,
  );
}

const text = (path: Path): string => path.map((step) => `/${step}`).join('');
const wild = (path: Path): string => path.map((step) => (typeof step === 'number' ? '/[]' : `/${step}`)).join('');
const within = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

/** Beyond this many comparisons what is left between equal ends counts as different: such an object is nothing to read. */
const MOST = 4_000_000;

/** Index pairs of a longest common subsequence of lines, in order. */
function commonLines(left: readonly YamlLine[], right: readonly YamlLine[]): (readonly [number, number])[] {
  const key = (line: YamlLine | undefined): string => (line === undefined ? '' : `${wild(line.path)}\n${line.text}`);
  const [a, b] = [left.map(key), right.map(key)];
  const found: (readonly [number, number])[] = [];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) found.push([start, start++]);
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [rows, columns] = [a.length - start - end, b.length - start - end];
  if (rows * columns <= MOST) found.push(...middle(a, b, start, rows, columns));
  for (let back = end; back > 0; back -= 1) found.push([a.length - back, b.length - back]);
  return found;
}

function middle(a: readonly string[], b: readonly string[], start: number, rows: number, columns: number): (readonly [number, number])[] {
  const width = columns + 1;
  const length = new Uint32Array((rows + 1) * width);
  const lengthAt = (row: number, column: number): number => length[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      length[row * width + column] =
        a[start + row] === b[start + column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (a[start + row] === b[start + column]) found.push([start + row++, start + column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return found;
}

/** `value` with the keys of its maps in the order of `model`'s, what that does not have behind them in its own. */
function inOrderOf(model: JsonObject, value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of [...Object.keys(model), ...Object.keys(value)]) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item !== undefined && !Object.hasOwn(copy, key))
      put(copy, key, itemInOrderOf(Object.hasOwn(model, key) ? model[key] : undefined, item));
  }
  return copy;
}

function itemInOrderOf(model: Json | undefined, value: Json): Json {
  if (Array.isArray(value)) {
    const list = Array.isArray(model) ? model : [];
    return value.map((item, index) => itemInOrderOf(list[index], item));
  }
  return isObject(value) && isObject(model) ? inOrderOf(model, value) : value;
}
