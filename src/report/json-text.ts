import type { Json } from '../core/kube/json.ts';
import { writeJson } from '../core/kube/write-json.ts';
import { visibleJson } from './escape.ts';

/** A value as JSON: integers beyond 2^53 keep every digit, and nothing in strings goes unseen. */
export function jsonText(value: Json | undefined, indent = 0): string {
  return visibleJson(writeJson(value ?? null, indent));
}
