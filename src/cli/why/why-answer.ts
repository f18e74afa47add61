import type { JsonObject } from '../../core/kube/json.ts';
import type { Answer } from '../../report/answer/answer.ts';
import { decisionRecord } from '../../report/decision-record.ts';
import type { TextStyle } from '../../report/text.ts';
import { issuesOfFound } from './decision-issues.ts';
import type { LastChange } from './git-facts.ts';
import { leavingRecord } from './leaving-words.ts';
import { lineage } from './lineage.ts';
import { placeRecord, placeWords } from './places.ts';
import type { WhyEntry } from './why-entry.ts';
import { blocks, hostOf, joined, refWords, whyDetails, whyTree } from './why-text.ts';

/** The answer of `why` on objects. */
export function whyAnswer(title: string, entries: readonly WhyEntry[], style: TextStyle): Answer {
  const records = entries.map(entryRecord);
  return {
    kind: 'WhyReport',
    title,
    document: { subjects: records },
    items: records,
    tables: [
      {
        columns: [
          { name: 'host object' },
          { name: 'tenant object' },
          { name: 'code' },
          { name: 'rule' },
          { name: 'source', wide: true },
          { name: 'rule file', wide: true },
          { name: 'file', wide: true },
          { name: 'state' },
        ],
        rows: entries
          .map((entry) => ({ entry, host: hostOf(entry) }))
          .map(({ entry: { decision, source, causes, file, held }, host }) => ({
            cells: [
              host === undefined ? '-' : refWords(host),
              decision.source === undefined ? '-' : refWords(decision.source),
              `${decision.code} ${decision.reason}`,
              causes[0]?.text ?? '-',
              source === undefined ? '-' : placeWords(source, style),
              causes[0]?.place === undefined ? '-' : placeWords(causes[0].place, style),
              host === undefined ? '-' : `${style.hostPrefix}${host.file}`,
              held?.state ?? file?.state ?? '-',
            ],
          })),
      },
    ],
    trees: entries.map((entry) => whyTree(entry, style)),
    graph: lineage(entries, style.hostPrefix),
    issues: issuesOfFound(entries.map(({ found }) => found)),
    text: (painted) => blocks(entries, (entry) => entryText(entry, painted), painted),
  };
}

function entryText(entry: WhyEntry, style: TextStyle): string {
  const [head, ...reasons] = [whyTree(entry, style)].flatMap((node) => [node.text, ...node.children]);
  const lines = [String(head)];
  for (const reason of reasons) {
    if (typeof reason === 'string') continue;
    lines.push(`  ${reason.text}`, ...reason.children.map(({ text }) => `    ${text}`));
  }
  return joined([...lines, ...whyDetails(entry, style).map((line) => `  ${line}`)]);
}

/** One subject as programs read it: the decision, then what was found beside it. */
export function entryRecord(entry: WhyEntry): JsonObject {
  const { decision, causes, file, held, sourceless, enforces, users, git, leaving } = entry;
  return {
    decision: decisionRecord(decision),
    causes: causes.map(({ text, role, place, implied }) => ({
      cause: text,
      role,
      ...(place !== undefined && { file: placeRecord(place) }),
      ...(implied !== undefined && { implied }),
    })),
    ...(file !== undefined && { hostFile: { path: hostOf(entry)?.file ?? '', state: file.state, differs: [...file.fields] } }),
    ...(held !== undefined && { held: { ...held } }),
    ...(sourceless !== undefined && { sourceless }),
    ...(leaving !== undefined && { leaving: leavingRecord(leaving) }),
    ...(enforces.length > 0 && {
      enforces: enforces.map(({ tenant, control }) => ({ tenant, field: control.field, value: control.value })),
    }),
    ...(users.length > 0 && { tenants: [...users] }),
    ...(git !== undefined && {
      git: Object.fromEntries(Object.entries(git).map(([what, change]) => [what, change === undefined ? null : changeRecord(change)])),
    }),
  };
}

export function changeRecord({ words, ...change }: LastChange): JsonObject {
  return change.commit === undefined ? { state: words } : { ...change };
}
