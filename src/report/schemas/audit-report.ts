import type { JsonObject } from '../../core/kube/json.ts';
import { counts, list, object, text, textOrNull, word } from './schema-words.ts';

/** `audit verify -o json` */
export const AUDIT_REPORT: JsonObject = object('Whether what is committed is what the sources give: audit verify -o json', {
  version: text('of tenantplane'),
  mapping: text('version of the mapping rules'),
  commit: textOrNull('full commit of the package, where git knows one'),
  summary: counts('checks', ['ok', 'failed', 'unproven']),
  checks: list(
    'what was compared, in order',
    object(
      'one check',
      {
        check: word('what it is about', ['commit', 'tree', 'ledger']),
        subject: text('file, tenant or commit'),
        result: word('unproven could not be made, and proves nothing', ['ok', 'failed', 'unproven']),
        detail: text('what was found'),
      },
      { code: text('stable code, where it failed') },
    ),
  ),
  proves: list('what these checks prove, and no more', text('a sentence')),
  doesNotProve: list('what no check of this command can prove', text('the end of a sentence that begins with: it does not prove')),
});
