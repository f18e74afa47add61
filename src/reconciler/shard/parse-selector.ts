import { isLabelValue, isQualifiedName } from '../../core/checks/metadata-checks.ts';
import type { JsonObject } from '../../core/kube/json.ts';

/** What cannot be read of a selector, and the character at which that begins, from 1. */
export interface Misread {
  readonly at: number;
  readonly problem: string;
}

export type Parsed = { readonly matchExpressions: readonly JsonObject[] } | Misread;

/**
 * A label selector as requests carry it, read as the API server reads it (apimachinery, labels.Parse): `a=b`, `a==b`, `a!=b`, `a in (b,c)`,
 * `a notin (b)`, `a`, `!a`, joined by commas. Comparisons of numbers (`a>1`) are left out: a LabelSelector of an object has none.
 * @returns it as a LabelSelector has it
 */
export function parseSelector(text: string): Parsed {
  try {
    return { matchExpressions: [...requirements(reader(text))] };
  } catch (error) {
    if (error instanceof Unreadable) return error.misread;
    throw error;
  }
}

class Unreadable extends Error {
  readonly misread: Misread;
  constructor(misread: Misread) {
    super(misread.problem);
    this.misread = misread;
  }
}

interface Token {
  readonly text: string;
  /** a key, an operator in letters, or a value; what stands behind the end is no word */
  readonly word: boolean;
  readonly at: number;
}

interface Reader {
  next(): Token;
  take(): Token;
}

function reader(text: string): Reader {
  const tokens: Token[] = [...text.matchAll(/[=!]=|[=!(),<>]|[^ \t\r\n=!(),<>]+/g)].map(({ 0: found, index }) => ({
    text: found,
    word: !/^[=!(),<>]/.test(found),
    at: index + 1,
  }));
  const end: Token = { text: '', word: false, at: text.length + 1 };
  let position = 0;
  const next = (): Token => tokens[position] ?? end;
  return {
    next,
    take: () => {
      const token = next();
      position += 1;
      return token;
    },
  };
}

function* requirements(read: Reader): Generator<JsonObject> {
  if (isEnd(read.next())) return;
  for (;;) {
    yield requirement(read);
    const after = read.take();
    if (isEnd(after)) return;
    if (after.text !== ',') throw unexpected(after, 'a comma or the end');
  }
}

function requirement(read: Reader): JsonObject {
  const without = read.next().text === '!';
  if (without) read.take();
  const key = keyOf(read.take());
  if (without) return { key, operator: 'DoesNotExist' };
  if (isEnd(read.next()) || read.next().text === ',') return { key, operator: 'Exists' };
  const operator = read.take();
  switch (operator.text) {
    case '=':
    case '==':
      return { key, operator: 'In', values: [exactValue(read)] };
    case '!=':
      return { key, operator: 'NotIn', values: [exactValue(read)] };
    case 'in':
      return { key, operator: 'In', values: values(read) };
    case 'notin':
      return { key, operator: 'NotIn', values: values(read) };
    default:
      throw unexpected(operator, '=, ==, !=, in, notin, a comma or the end');
  }
}

function keyOf(token: Token): string {
  if (!token.word) throw unexpected(token, 'the key of a label');
  if (!isQualifiedName(token.text)) throw new Unreadable({ at: token.at, problem: `${JSON.stringify(token.text)} is no key of a label` });
  return token.text;
}

/** Nothing stands for the empty value. */
function exactValue(read: Reader): string {
  const after = read.next();
  return isEnd(after) || after.text === ',' ? '' : labelValue(read.take(), 'the value of a label');
}

function values(read: Reader): string[] {
  const open = read.take();
  if (open.text !== '(') throw unexpected(open, '(');
  if (read.next().text === ')') throw unexpected(read.next(), 'a value');
  const found: string[] = [];
  for (;;) {
    found.push(read.next().text === ',' || read.next().text === ')' ? '' : labelValue(read.take(), 'a value, a comma or )'));
    const after = read.take();
    if (after.text === ')') return [...new Set(found)];
    if (after.text !== ',') throw unexpected(after, 'a comma or )');
  }
}

function labelValue(token: Token, wanted: string): string {
  if (!token.word) throw unexpected(token, wanted);
  if (!isLabelValue(token.text)) throw new Unreadable({ at: token.at, problem: `${JSON.stringify(token.text)} is no value of a label` });
  return token.text;
}

function isEnd({ text }: Token): boolean {
  return text === '';
}

function unexpected(token: Token, wanted: string): Unreadable {
  const found = isEnd(token) ? 'it ends' : `${JSON.stringify(token.text)} stands`;
  return new Unreadable({ at: token.at, problem: `${found} where ${wanted} is due` });
}
