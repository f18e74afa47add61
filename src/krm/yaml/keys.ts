import { type EventType, type LoadOptions, load, type State } from 'js-yaml';
import { isObject, type Json } from '../../core/kube/json.ts';
import type { Problem } from './problem.ts';
import { templateProblem } from './problems.ts';

/**
 * js-yaml turns every key into a string: a list becomes `a,b`, a map `[object Object]`, null `null`. kubectl refuses such
 * keys, and so do we. They are rare, so the text is looked at first, and only a suspicious one is read a second time.
 */
const SUSPICIOUS =
  /\?[ \t\r\n]|[\]}][ \t\r\n]*:|\{[ \t\r\n]*[[{]|\*[^ \t\r\n]+[ \t]*:|(?:\b(?:null|Null|NULL)|~)[ \t\r\n]*:|(?:^|[\n{,])[ \t]*:[ \t\r\n]/;

export function mayHoldOddKey(text: string): boolean {
  return SUSPICIOUS.test(text);
}

export function findKeyProblem(text: string, value: Json, options: LoadOptions): Problem | undefined {
  let found: Problem | undefined;
  const listener = (event: EventType, state: State & { input?: string; position?: number; kind?: string | null }): void => {
    const position = state.position ?? 0;
    if (found !== undefined) return;
    if (event === 'open') {
      if (/^[[{]/.test(text.slice(position, position + 1)) && /\{[ \t\r\n]*$/.test(text.slice(Math.max(0, position - 80), position))) {
        found = keyProblem('a list or map', position);
      }
      return;
    }
    if (!isFollowedByColon(text, position)) return;
    if (state.kind === 'mapping' || state.kind === 'sequence') found = keyProblem('a list or map', position);
    else if (state.result === null) found = keyProblem('null', position);
  };
  load(text, { ...options, listener } as LoadOptions);
  if (found !== undefined) return templateProblem(text, found.offset) ?? found;
  if (hasKey(value, '[object Object]')) return keyProblem('a list or map', 0);
  return undefined;
}

function isFollowedByColon(text: string, position: number): boolean {
  return /^(?:[ \t\r\n]|#[^\n]*\n)*:(?:[ \t\r\n,\]}]|$)/.test(text.slice(position, position + 400));
}

function keyProblem(what: string, offset: number): Problem {
  const remedy =
    what === 'null'
      ? 'Quote the key ("null", "~"), or give it a name.'
      : 'Quote the key; a value that begins with { or [ must be quoted too.';
  return { kind: 'syntax', what: `a key is ${what}, and kubectl takes scalar keys only`, remedy, offset };
}

function hasKey(value: Json | undefined, key: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, key));
  return isObject(value) && (Object.hasOwn(value, key) || Object.values(value).some((item) => hasKey(item, key)));
}
