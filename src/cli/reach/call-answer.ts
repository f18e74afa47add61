import type { Answer, AnswerRow, Sign, TreeNode } from '../../report/answer/answer.ts';
import { visible } from '../../report/escape.ts';
import { plural, type TextStyle, type Tone } from '../../report/text.ts';
import { type CallRecord, type EndRecord, recordDocument } from './call-record.ts';
import type { Evidence } from './evidence.ts';

export interface AskedCalls {
  readonly from: string;
  readonly to: string;
  readonly records: readonly CallRecord[];
}

export const SIGNS: Readonly<Record<CallRecord['verdict'], Sign>> = { Admits: '+', NotSelected: '+', DoesNotAdmit: '!', Undecidable: '?' };
const TONES: Readonly<Record<CallRecord['verdict'], Tone>> = {
  Admits: 'added',
  NotSelected: 'added',
  DoesNotAdmit: 'refused',
  Undecidable: 'warned',
};

/** Which policy lets or stops the calls from one end to the other. */
export function callAnswer({ from, to, records }: AskedCalls): Answer {
  const documents = records.map(recordDocument);
  return {
    kind: 'ReachReport',
    title: `${from} to ${to}`,
    document: { from, to, calls: documents },
    items: documents,
    tables: [
      {
        columns: [
          { name: 'from' },
          { name: 'to' },
          { name: 'port' },
          { name: 'verdict' },
          { name: 'egress' },
          { name: 'ingress' },
          { name: 'egress rule', wide: true },
          { name: 'ingress rule', wide: true },
        ],
        rows: records.map(row),
      },
    ],
    trees: records.map(tree),
    graph: {
      nodes: [...new Set(records.flatMap((record) => [record.from, record.to]))].map((name) => ({
        id: name,
        label: name,
        group: groupOf(name),
      })),
      edges: records
        .filter(({ byPolicies }) => byPolicies !== 'DoesNotAdmit')
        .map((record) => ({ from: record.from, to: record.to, label: record.port })),
    },
    issues: [],
    text: (style) => text(records, style),
  };
}

function groupOf(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
}

function row(record: CallRecord): AnswerRow {
  const { from, to, port, verdict, egress, ingress } = record;
  const rules = (end: EndRecord | undefined): string => (end?.admittedBy ?? []).map((each) => ruleWords(each)).join(', ');
  return {
    sign: SIGNS[verdict],
    cells: [from, to, port, verdict, egress?.verdict ?? '', ingress?.verdict ?? '', rules(egress), rules(ingress)],
  };
}

function tree(record: CallRecord): TreeNode {
  return {
    text: `${record.from} -> ${record.to}  ${record.port}: ${headline(record)}`,
    sign: SIGNS[record.verdict],
    children: [
      ...(record.because === undefined ? [] : [{ text: record.because, children: [] }]),
      ...ends(record).map(([way, end]) => ({
        text: `${way}: ${end.verdict}`,
        sign: SIGNS[end.verdict],
        children: endLines(end).map(([what, said]) => ({ text: `${what}: ${said}`, children: [] })),
      })),
      ...record.unknown.map(({ what, fix }) => ({ text: `not known: ${what}. ${fix}`, children: [] })),
    ],
  };
}

function text(records: readonly CallRecord[], style: TextStyle): string {
  return records.map((record) => block(record, style)).join('\n');
}

function block(record: CallRecord, style: TextStyle): string {
  const said = visible(headline(record));
  const lines = [`${visible(`${record.from} -> ${record.to}`)}  ${record.port}  ${style.paint(TONES[record.verdict], said)}`];
  if (record.because !== undefined) lines.push(`  ${visible(record.because)}`);
  for (const [way, end] of ends(record)) {
    lines.push(`  ${way.padEnd(7)}  ${style.paint(TONES[end.verdict], end.verdict)}`);
    for (const [what, line] of endLines(end, style)) lines.push(`    ${what.padEnd(8)} ${visible(line)}`);
  }
  for (const { what, fix } of record.unknown) lines.push(`  not known: ${visible(what)}.`, `    try: ${visible(fix)}`);
  return `${lines.join('\n')}\n`;
}

function headline({ verdict, byPolicies }: CallRecord): string {
  return verdict === byPolicies ? verdict : `${verdict}; by the policies alone: ${byPolicies}`;
}

function ends({ egress, ingress }: CallRecord): (readonly [string, EndRecord])[] {
  return [
    ...(egress === undefined ? [] : [['egress', egress] as const]),
    ...(ingress === undefined ? [] : [['ingress', ingress] as const]),
  ];
}

/** Policies that are named where many select the pods; those that isolate them stand first. */
const SHOWN = 2;

function endLines(end: EndRecord, style?: TextStyle): (readonly [string, string])[] {
  const admits = end.verdict === 'Admits' ? 'by' : 'perhaps';
  const policies = style?.verbose === true ? end.selectedBy : end.selectedBy.slice(0, SHOWN);
  const more = end.selectedBy.length - policies.length;
  return [
    ...end.admittedBy.map((each) => [admits, proofWords(each, style)] as const),
    ...(end.addresses === undefined ? [] : [['admitted', end.addresses.join(', ')] as const]),
    ...(end.verdict === 'NotSelected' ? [['by', 'no policy selects the pods, so everything passes'] as const] : []),
    ...(end.verdict === 'DoesNotAdmit' ? policies.map((each) => ['selects', proofWords(each, style)] as const) : []),
    ...(end.verdict === 'DoesNotAdmit' && more > 0 ? [['selects', `${plural(more, 'more policy', 'more policies')} (-v)`] as const] : []),
    ...(end.nearly === undefined ? [] : [['nearly', `${proofWords(end.nearly.rule, style)}: ${end.nearly.lacks.join('; ')}`] as const]),
    ...(end.remedy === undefined || end.remedy === '' ? [] : [['try', end.remedy] as const]),
  ];
}

function ruleWords({ policy, own, rule }: Evidence): string {
  return `${own ?? policy}${rule === undefined ? '' : ` ${rule}`}`;
}

/** `shop/db spec.ingress[0] (tenants/shop/objects/np.yaml:12)`, `team-dev/tenantplane-allow-dns spec.egress[0], of TenantCluster/dev#… (…)` */
function proofWords(evidence: Evidence, style?: TextStyle): string {
  const { cause, source } = evidence;
  const file = source === undefined ? undefined : (style?.sourcePath(source.file) ?? source.file);
  const place = file === undefined ? '' : ` (${file}${source?.line === undefined ? '' : `:${source.line}`})`;
  return `NetworkPolicy ${ruleWords(evidence)}${cause === undefined ? '' : `, of ${cause}`}${place}`;
}
