import { MAPPING } from '../../core/identity/metadata.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import type { Answer, Sign } from '../../report/answer/answer.ts';
import { visible } from '../../report/escape.ts';
import { columns, plural, type TextStyle } from '../../report/text.ts';
import { VERSION } from '../version.ts';
import { type Check, type CheckResult, DOES_NOT_PROVE, type Evidence, proven } from './verification.ts';

const SIGN: Readonly<Record<CheckResult, Sign>> = { ok: '=', failed: '!', unproven: '?' };

export function verifyAnswer(checks: readonly Check[], evidence: Evidence): Answer {
  const records = checks.map(
    ({ check, subject, result, detail, issue }): JsonObject => ({
      check,
      subject,
      result,
      detail,
      ...(issue !== undefined && { code: issue.code }),
    }),
  );
  const failed = checks.filter(({ result }) => result === 'failed').length;
  const unproven = checks.filter(({ result }) => result === 'unproven').length;
  return {
    kind: 'AuditReport',
    title: `Audit of ${evidence.packagePath}`,
    document: {
      version: VERSION,
      mapping: MAPPING,
      commit: evidence.git.known ? evidence.git.commit : null,
      summary: { ok: checks.length - failed - unproven, failed, unproven },
      checks: records,
      proves: [...proven(checks)],
      doesNotProve: [...DOES_NOT_PROVE],
    },
    items: records,
    tables: [
      {
        columns: [{ name: 'result' }, { name: 'check' }, { name: 'subject' }, { name: 'detail' }],
        rows: checks.map(({ result, check, subject, detail }) => ({ sign: SIGN[result], cells: [result, check, subject, detail] })),
      },
    ],
    trees: [
      {
        text: `audit of ${evidence.packagePath}`,
        children: checks.map(({ result, check, subject, detail }) => ({
          sign: SIGN[result],
          text: `${check} ${subject}: ${detail}`,
          children: [],
        })),
      },
    ],
    issues: checks.flatMap(({ issue }) => issue ?? []),
    text: (style) => verifyText(checks, failed, unproven, style),
  };
}

function verifyText(checks: readonly Check[], failed: number, unproven: number, style: TextStyle): string {
  const shown = style.verbose ? checks : cut(checks, style.limit);
  const rows = shown.map(({ result, check, subject, detail }): [string, string] => [
    `${SIGN[result]} ${result.padEnd(8)} ${check.padEnd(6)}  ${visible(subject)}`,
    visible(detail),
  ]);
  const lines = columns(rows);
  if (shown.length < checks.length) lines.push(`  … and ${checks.length - shown.length} more checks (-v lists them all)`);
  const verdict =
    failed > 0
      ? `${plural(failed, 'check')} failed.`
      : unproven > 0
        ? `Nothing failed; ${plural(unproven, 'check')} could not be made.`
        : 'Everything agrees.';
  const proofs = proven(checks);
  const last = proofs.length === 0 ? [] : ['', 'This proves', ...proofs.map((text) => `  ${text}`)];
  return `${[...lines, '', style.paint(failed > 0 ? 'refused' : 'strong', verdict), ...last, '', 'It does not prove', ...DOES_NOT_PROVE.map((text) => `  ${text}`)].join('\n')}\n`;
}

/** What failed first and always, of the rest as many as fit. */
function cut(checks: readonly Check[], limit: number): readonly Check[] {
  let left = limit;
  return checks.filter(({ result, check }) => {
    if (check === 'commit' || (check === 'tree' && result === 'ok')) return true;
    left -= 1;
    return left >= 0;
  });
}
