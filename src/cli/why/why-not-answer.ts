import type { DecisionNote, TraceStep } from '../../core/decision/decision.ts';
import { pointerOf } from '../../core/decision/pointer-of.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { pointer } from '../../core/kube/pointer.ts';
import type { Answer, Sign, TreeNode } from '../../report/answer/answer.ts';
import { decisionRecord } from '../../report/decision-record.ts';
import { entryWords, nearWords } from '../../report/near-words.ts';
import { place, type TextStyle } from '../../report/text.ts';
import type { Asked } from './ask.ts';
import { issuesOfFound } from './decision-issues.ts';
import { leavingLines, leavingRecord } from './leaving-words.ts';
import { placeRecord, placeWords } from './places.ts';
import { type Outlook, outlookOf } from './thaw.ts';
import { stepWords, type WhyNotEntry } from './why-not-entry.ts';
import { blocks, joined, refWords } from './why-text.ts';

export function whyNotAnswer(title: string, entries: readonly WhyNotEntry[], asked: Pick<Asked, 'found'>, style: TextStyle): Answer {
  const records = entries.map(record);
  return {
    kind: 'WhyNotReport',
    title,
    document: { subjects: records },
    items: records,
    tables: [
      {
        columns: [
          { name: 'object' },
          { name: 'verdict' },
          { name: 'code' },
          { name: 'stopped by' },
          { name: 'source', wide: true },
          { name: 'why' },
          { name: 'checks', wide: true },
        ],
        rows: entries.map((entry) => ({
          cells: [
            words(entry),
            entry.verdict,
            `${entry.decision.code} ${entry.decision.reason}`,
            entry.decision.trace.find((step) => stepWords(step) === 'STOP')?.rule ?? entry.causes[0]?.text ?? '-',
            sourceWords(entry, style) ?? '-',
            entry.verdict === 'not on the host' ? entry.decision.message : (entry.held ?? entry.decision.message),
            entry.decision.trace.map((step) => `${stepWords(step)} ${step.rule}`).join(', ') || '-',
          ],
          sign: SIGNS[entry.verdict],
        })),
      },
    ],
    trees: entries.map((entry) => ({
      text: headline(entry),
      children: lines(entry, style).map((text): TreeNode => ({ text, children: [] })),
    })),
    issues: issuesOfFound(asked.found),
    text: (painted) => blocks(entries, (entry) => joined([headline(entry), ...lines(entry, painted).map((line) => `  ${line}`)]), painted),
  };
}

const SIGNS: Readonly<Record<WhyNotEntry['verdict'], Sign>> = {
  'on the host': '=',
  'not on the host': '!',
  'not defined': '?',
  removed: '-',
  frozen: '!',
  stopped: '!',
  waits: '!',
};

const HEADLINES: Readonly<Record<Exclude<WhyNotEntry['verdict'], 'frozen'>, string>> = {
  'on the host': 'is on the host after all',
  'not on the host': 'is not on the host',
  'not defined': 'is not defined anywhere in the tenant’s objects',
  removed: 'leaves the host',
  stopped: 'waits: the render stops, and nothing is written',
  waits: 'waits: what the tree has of it stays as it last was',
};

/** Of an object of a frozen tenant; what is refused, and stands in no tree, is not on the host as it would be anyhow. */
const FROZEN: Readonly<Record<Outlook, string>> = {
  written: 'waits: its tenant is frozen, and what it has stays as it last was',
  undecided: 'is not on the host, and is not judged: its tenant is frozen, and what it has stays as it last was',
  refused: 'is on the host as it was last rendered: its tenant is frozen, and what it has stays; a render would not write it now',
};

function words({ subject: { kind, namespace, name } }: WhyNotEntry): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function headline(entry: WhyNotEntry): string {
  if (entry.sourceless !== undefined) return `${words(entry)} is on the host as it was last rendered, and ${entry.sourceless}.`;
  return `${words(entry)} ${entry.verdict === 'frozen' ? FROZEN[outlookOf(entry.decision)] : HEADLINES[entry.verdict]}.`;
}

function lines(entry: WhyNotEntry, style: TextStyle): readonly string[] {
  const { decision, verdict, causes, held, remedy, leaving } = entry;
  const source = sourceWords(entry, style);
  const out: string[] = [];
  const mend = remedy === undefined ? [] : [`try: ${remedy}`];
  // what is refused by itself is told first, and that its tenant is frozen beside it
  const beside = verdict === 'not on the host';
  if (held !== undefined && !beside) out.push(`why: ${held}`, ...mend);
  const assumed = verdict === 'not defined' ? 'if it were: ' : '';
  out.push(`${assumed}${decision.code} ${decision.reason}: ${decision.message}`);
  if (leaving !== undefined) out.push(...leavingLines(leaving, style));
  // what to do stands where people look first, and what passed last
  out.push(...changeLines(entry, style), ...noteLines(entry, style), ...nearLines(entry));
  if (held !== undefined && beside) out.push(`also: nothing of its tenant is written: ${held}`, ...mend.map((line) => `  ${line}`));
  if (decision.tenant.name !== '') out.push(`tenant   ${decision.tenant.namespace}/${decision.tenant.name}`);
  if (source !== undefined) out.push(`source   ${source}`);
  const host = leaving?.removal.host ?? decision.host;
  if (host !== undefined && verdict !== 'not defined') out.push(`host     ${refWords(host)}  ${style.hostPrefix}${host.file}`);
  for (const { text, role, place, implied } of causes)
    out.push(
      `${role.padEnd(7)}  ${text}${place === undefined ? '' : `  ${placeWords(place, style)}`}${implied === undefined ? '' : ` (${implied})`}`,
    );
  for (const fact of entry.undecided) out.push(`undecided: ${fact}`);
  out.push(...traceLines(entry, style));
  return out;
}

/** What stopped it; the other checks are counted, unless all is asked for. */
function traceLines({ decision }: WhyNotEntry, style: TextStyle): readonly string[] {
  const { trace } = decision;
  if (trace.length === 0) return [];
  if (style.verbose) return ['checked in order', ...trace.map((step) => `  ${stepWords(step).padEnd(11)}  ${stepText(step)}`)];
  const told = trace.filter((step) => !QUIET.has(stepWords(step)));
  const counts = [...QUIET].flatMap((words) => {
    const count = trace.filter((step) => stepWords(step) === words).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return [...told.map((step) => `checked  ${stepWords(step)} ${stepText(step)}`), `checked  ${counts.join(', ')} (-v lists all in order)`];
}

/** Checks that say nothing about why: counted. */
const QUIET: ReadonlySet<string> = new Set(['pass', 'n/a', 'not reached']);

function stepText({ rule, because }: TraceStep): string {
  return `${rule}${because === undefined ? '' : ` (${because})`}`;
}

/** At the line of the field that is at fault, where it is one. */
function sourceWords({ decision, source }: WhyNotEntry, style: TextStyle): string | undefined {
  if (source === undefined || decision.source === undefined) return undefined;
  const line = style.locate(decision.source.file, pointerOf(decision));
  return placeWords({ ...source, ...(line !== undefined && { line }) }, style);
}

/** The place of a note, where it is another one than that of the object. */
function notePlace(entry: WhyNotEntry, path: DecisionNote['path'], style: TextStyle): string {
  const file = entry.source === undefined ? undefined : entry.decision.source?.file;
  if (file === undefined || path === undefined) return '';
  const words = place(file, style, pointer(path));
  return words === sourceWords(entry, style) ? '' : `${words}  `;
}

function noteLines(entry: WhyNotEntry, style: TextStyle): readonly string[] {
  const { decision, verdict } = entry;
  if (verdict === 'on the host') return [];
  return decision.notes.flatMap((note) => [
    `also: ${notePlace(entry, note.path, style)}${note.code} ${note.reason}: ${note.message}`,
    ...(note.remedy === '' ? [] : [`  try: ${note.remedy}`]),
  ]);
}

function nearLines({ near, verdict, missing }: WhyNotEntry): readonly string[] {
  return verdict === 'on the host' ? [] : nearWords(near, missing).map((words) => `near: ${words}`);
}

function changeLines({ decision, missing, verdict, remedy }: WhyNotEntry, style: TextStyle): readonly string[] {
  if (missing === undefined)
    return decision.remedy === '' || decision.remedy === remedy || verdict === 'on the host' ? [] : [`try: ${decision.remedy}`];
  const entry = entryWords(missing.entry);
  const settings = [`SyncPolicy/${missing.policy}:+spec.resources=${entry}`, ...(missing.needs === undefined ? [] : [missing.needs])];
  return [
    `to project it, add to spec.resources of SyncPolicy ${missing.policy}${missing.place === undefined ? '' : `  ${placeWords(missing.place, style)}`}`,
    `  - ${entry}`,
    ...(missing.needs === undefined ? [] : [`and set ${needsWords(missing.needs)}`]),
    [`what that would do: tenantplane what-if${style.packageWords}`, ...settings.map((setting) => `--set ${shellWord(setting)}`)].join(' '),
  ];
}

/** `spec.secrets.render: plain on TenantCluster team-dev/dev` of what `what-if --set` takes. */
function needsWords(setting: string): string {
  const [, kind = '', name = '', field = '', value = ''] = /^([^/]*)\/([^:]*):([^=]*)=(.*)$/.exec(setting) ?? [];
  return `${field}: ${value} on ${kind} ${name}`;
}

function record(entry: WhyNotEntry): JsonObject {
  const { verdict, subject, decision, causes, held, remedy, sourceless, near, missing, undecided, leaving } = entry;
  return {
    verdict,
    subject: { ...subject },
    // of an object that nobody wrote, only what its name and kind come to
    decision: decisionRecord(decision),
    causes: causes.map(({ text, role, place }) => ({ cause: text, role, ...(place !== undefined && { file: placeRecord(place) }) })),
    ...(held !== undefined && { held }),
    ...(remedy !== undefined && { remedy }),
    ...(sourceless !== undefined && { sourceless }),
    ...(leaving !== undefined && { leaving: leavingRecord(leaving) }),
    near: { namespaces: [...near.namespaces], kinds: [...near.kinds], names: [...near.names], listed: [...near.listed] },
    ...(missing !== undefined && {
      add: { policy: missing.policy, entry: missing.entry, ...(missing.needs !== undefined && { needs: missing.needs }) },
    }),
    undecided: [...undecided],
  };
}
