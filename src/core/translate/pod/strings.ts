import { asArray, asString, type JsonObject, objectsOf } from '../../kube/json.ts';
import { eachContainer, type PodView } from './pod-view.ts';

/** What the containers of a pod are told as text: values of env, command, args. */
export function eachString(view: PodView, visit: (text: string, container: JsonObject) => void): void {
  eachContainer(view, (container) => {
    for (const field of ['command', 'args'] as const)
      for (const item of asArray(container[field]) ?? []) if (typeof item === 'string') visit(item, container);
    for (const variable of objectsOf(container['env'])) {
      const value = asString(variable['value']);
      if (value !== undefined) visit(value, container);
    }
  });
}

/** The longest label of DNS, and more than any variable of a Service has. */
const LONGEST = 64;

/** The word that ends before `end`, by characters; linear in any text, which a pattern with a repeated class is not. */
export function wordBefore(text: string, end: number, is: (code: number) => boolean): string {
  let start = end;
  while (start > 0 && end - start < LONGEST && is(text.charCodeAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

export function wordAfter(text: string, start: number, is: (code: number) => boolean): string {
  let end = start;
  while (end < text.length && end - start < LONGEST && is(text.charCodeAt(end))) end += 1;
  return text.slice(start, end);
}

/** `a-z`, `0-9`, `-` */
export function isLabelCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45;
}

/** `A-Z`, `0-9`, `_` */
export function isVariableCharacter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

/** A list for a sentence, in order and not too long. */
export function listed(names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort();
  return sorted.length <= 8 ? sorted.join(', ') : `${sorted.slice(0, 8).join(', ')} and ${sorted.length - 8} more`;
}
