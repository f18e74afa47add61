/** Text of CEL expressions. Every literal goes through here: a profile's values are quoted, never pasted. */

/** A string literal. */
export function text(value: string): string {
  const escaped = value
    .replace(/['\\]/g, '\\$&')
    .replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${escaped}'`;
}

/** A list of string literals. */
export function list(values: readonly string[]): string {
  return `[${values.map(text).join(', ')}]`;
}

/** All of them; `true` where there are none. */
export function every(terms: readonly string[]): string {
  return join(terms, ' && ', 'true');
}

/** One of them; `false` where there are none. */
export function some(terms: readonly string[]): string {
  return join(terms, ' || ', 'false');
}

function join(terms: readonly string[], operator: string, none: string): string {
  if (terms.length === 0) return none;
  return terms.length === 1 ? (terms[0] ?? none) : terms.map(operand).join(operator);
}

/** A term as an operand: in brackets unless it is a name, a call or a comparison, which bind closer than `&&` and `||`. */
function operand(term: string): string {
  return /&&|\|\|| \? /.test(term) ? `(${term})` : term;
}

/** An optional string that is not there, is empty, or is one of the values. */
export function absentOrIn(path: string, values: readonly string[]): string {
  return `!has(${path}) || ${path} in ${list(['', ...values])}`;
}

/** Absent or empty: a string or a list. */
export function absentOrEmpty(path: string): string {
  return `!has(${path}) || size(${path}) == 0`;
}

/** Holds for each item of an optional list. */
export function each(path: string, item: string, condition: string): string {
  return `!has(${path}) || ${path}.all(${item}, ${condition})`;
}

/** The same for a path of optional fields, such as `object.spec.?affinity.?nodeAffinity`. @param none what an absent one is: a list or a map */
export function eachGiven(path: string, item: string, condition: string, none: '[]' | '{}' = '[]'): string {
  return `${path}.orValue(${none}).all(${item}, ${condition})`;
}

/** An optional string as a string. */
export function orEmpty(path: string): string {
  return `(has(${path}) ? ${path} : '')`;
}

/**
 * What stands in the cluster already may stay as it is: else an object from before the policy could not even be deleted.
 *
 * @param fields what the rule judges, and what gives that its effect. A rule that asked for more would stop those who change
 * something else: a controller that scales, an operator that takes its finalizer away.
 */
export function orUnchanged(fields: readonly string[], condition: string): string {
  return some([unchanged(fields), condition]);
}

/** Optional fields, such as `spec.type`, are as they were, or still not there. @param as CEL around the object, for its type */
export function unchanged(fields: readonly string[], as: (object: string) => string = (object) => object): string {
  const same = fields.map((field) => {
    const path = field.replace(/(^|\.)(?=[^.]+$)/, '.?').replace(/^(?!\.)/, '.');
    return `${as('object')}${path} == ${as('oldObject')}${path}`;
  });
  return every([UPDATED, ...same]);
}

/** CEL of a request that changes its object. */
export const UPDATED = `request.operation == 'UPDATE'`;

/** CEL of a request that makes its object. */
export const CREATED = `request.operation == 'CREATE'`;
