import type { JsonObject } from '../../core/kube/json.ts';
import type { Answer, Sign } from '../../report/answer/answer.ts';
import { visible } from '../../report/escape.ts';
import { plural, type TextStyle, type Tone } from '../../report/text.ts';
import type { Diagnosis } from './diagnosis.ts';

const LOOK: Readonly<Record<Diagnosis['result'], { readonly sign: Sign; readonly tone: Tone }>> = {
  ok: { sign: '=', tone: 'dim' },
  warn: { sign: '?', tone: 'warned' },
  fail: { sign: '!', tone: 'refused' },
  unknown: { sign: '?', tone: 'dim' },
};

export function doctorAnswer(found: readonly Diagnosis[], packagePath: string, asked: string): Answer {
  const records = found.map(({ id, name, result, what, fix }): JsonObject => ({ id, name, result, what, fix: fix === '' ? null : fix }));
  const count = (result: Diagnosis['result']): number => found.filter((item) => item.result === result).length;
  const summary = { ok: count('ok'), warn: count('warn'), fail: count('fail'), unknown: count('unknown') };
  return {
    kind: 'DoctorReport',
    title: `Doctor of ${packagePath}`,
    document: { package: packagePath, host: asked === '' ? null : asked, summary, checks: records },
    items: records,
    tables: [
      {
        columns: [{ name: 'result' }, { name: 'check' }, { name: 'what' }, { name: 'fix' }],
        rows: found.map(({ id, name, result, what, fix }) => ({ sign: LOOK[result].sign, cells: [result, `${id} ${name}`, what, fix] })),
      },
    ],
    trees: [
      {
        text: packagePath,
        children: found.map(({ id, result, what }) => ({ sign: LOOK[result].sign, text: `${id} ${what}`, children: [] })),
      },
    ],
    issues: found.flatMap(({ id, name, result, what, fix }) =>
      result === 'fail' || result === 'warn'
        ? [
            {
              grade: result === 'fail' ? ('error' as const) : ('warning' as const),
              code: id,
              reason: name,
              message: `${what}.`,
              remedy: fix,
            },
          ]
        : [],
    ),
    text: (style) => doctorText(found, summary, asked, style),
  };
}

function doctorText(
  found: readonly Diagnosis[],
  summary: Readonly<Record<Diagnosis['result'], number>>,
  asked: string,
  style: TextStyle,
): string {
  const lines = found.flatMap(({ id, result, what, fix }) => {
    const line = style.paint(LOOK[result].tone, `${LOOK[result].sign} ${result.padEnd(8)}${id}  ${visible(what)}`);
    return fix === '' ? [line] : [line, `    try: ${visible(fix)}`];
  });
  const parts = [
    summary.fail > 0 ? `${summary.fail} failed` : '',
    summary.warn > 0 ? plural(summary.warn, 'warning') : '',
    summary.unknown > 0 ? `${summary.unknown} unknown` : '',
  ].filter(Boolean);
  const verdict = parts.length === 0 ? 'Nothing to complain about.' : `${parts.join(', ')}, ${summary.ok} ok.`;
  const host = asked === '' ? ['The host was not asked (--cluster, or --kubeconfig FILE).'] : [];
  return `${[...lines, '', verdict, ...host].join('\n')}\n`;
}
