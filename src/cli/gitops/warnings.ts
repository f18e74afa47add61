import { shellWord } from '../../core/decision/shell-word.ts';
import type { Finding } from '../../core/plan/plan-types.ts';
import { visible } from '../../report/escape.ts';

/** Tenants that a warning names. */
const NAMED = 10;

/** @returns nothing where none is missing */
export function notRenderedText(missing: readonly string[], path: string): string {
  if (missing.length === 0) return '';
  const named = missing.length > NAMED ? [...missing.slice(0, NAMED), `${missing.length - NAMED} more`] : missing;
  return [
    `warning: the tree holds nothing of ${visible(named.join(', '))}, so nothing is printed for it\n`,
    `  try: tenantplane render ${shellWord(path)}\n`,
  ].join('');
}

export function findingText({ code, reason, message, remedy }: Finding): string {
  return `warning: ${code} ${reason}: ${visible(message)}\n  try: ${visible(remedy)}\n`;
}
