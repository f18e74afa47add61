import { blameField, type FieldBlame } from '../../core/explain/field-blame.ts';
import { type FieldStep, parseField } from '../../core/explain/field-path.ts';
import type { Json, JsonObject, Path } from '../../core/kube/json.ts';
import { pointer } from '../../core/kube/pointer.ts';
import type { Answer } from '../../report/answer/answer.ts';
import { field, shownValue } from '../../report/decision-record.ts';
import { jsonText } from '../../report/json-text.ts';
import type { TextStyle } from '../../report/text.ts';
import { TenantplaneError } from '../errors.ts';
import { issuesOfFound } from './decision-issues.ts';
import { lineage } from './lineage.ts';
import { type FilePlace, placeAt } from './places.ts';
import { placeRecord } from './why-answer.ts';
import type { WhyEntry } from './why-entry.ts';
import { isSecret, joined, placeWords, refWords, ruleWords, short } from './why-text.ts';

interface PlacedBlame {
  readonly entry: WhyEntry;
  readonly blame: FieldBlame;
  /** where the tenant wrote the field, or the nearest thing around it */
  readonly place?: FilePlace;
}

/** The answer of `why --field`: who gave a field of a host object its value. */
export async function fieldAnswer(
  title: string,
  entries: readonly WhyEntry[],
  text: string,
  texts: ReadonlyMap<string, string>,
  style: TextStyle,
): Promise<Answer> {
  const steps = stepsOf(text);
  const blames: PlacedBlame[] = [];
  for (const entry of entries) {
    const blame = blameField(entry.found, entry.input?.object, steps);
    const source = entry.decision.source?.file;
    const place = blame.tenant === undefined || source === undefined ? undefined : await placeAt(source, pointer(blame.tenantPath), texts);
    blames.push({ entry, blame, ...(place !== undefined && { place }) });
  }
  const records = blames.map(blameRecord);
  return {
    kind: 'FieldReport',
    title: `${title} ${text}`,
    document: { fields: records },
    items: records,
    tables: [
      {
        columns: [
          { name: 'object' },
          { name: 'field' },
          { name: 'value' },
          { name: 'set by' },
          { name: 'tenant’s value' },
          { name: 'source', wide: true },
        ],
        rows: blames.map(({ entry, blame, place }) => ({
          cells: [
            subjectWords(entry),
            pointer(blame.path),
            valueWords(blame.host, blame.path, entry),
            setByWords(blame, entry),
            valueWords(blame.tenant, blame.tenantPath, entry),
            place === undefined ? '-' : placeWords(place, style),
          ],
        })),
      },
    ],
    trees: blames.map((placed) => ({
      text: subjectWords(placed.entry),
      children: blameLines(placed, style).map((line) => ({ text: line, children: [] })),
    })),
    graph: lineage(entries, style.hostPrefix),
    issues: issuesOfFound(entries.map(({ found }) => found)),
    text: (painted) =>
      blames.map((placed) => joined([subjectWords(placed.entry), ...blameLines(placed, painted).map((line) => `  ${line}`)])).join('\n'),
  };
}

function stepsOf(text: string): readonly FieldStep[] {
  const steps = parseField(text);
  if (steps !== undefined) return steps;
  throw new TenantplaneError('usage', `--field ${text} is no field.`, {
    hint: 'Write /spec/replicas, spec.replicas or spec.containers[app].image.',
  });
}

function blameLines({ entry, blame, place }: PlacedBlame, style: TextStyle): readonly string[] {
  const { decision, causes } = entry;
  const lines = [`${pointer(blame.path)} = ${valueWords(blame.host, blame.path, entry)}`, `set by ${setByWords(blame, entry)}`];
  const where = place === undefined ? '' : `  ${placeWords(place, style)}`;
  if (decision.source !== undefined) lines.push(`tenant’s value: ${valueWords(blame.tenant, blame.tenantPath, entry)}${where}`);
  for (const change of blame.changes.slice(0, MOST)) {
    const { op, pointer: at, before, after } = field(change, isSecret(decision));
    const values = [before, after].map((value) => (value === undefined ? '(none)' : short(jsonText(value))));
    lines.push(`${change.rule} ${String(op).toLowerCase()} ${String(at)}: ${values.join(' -> ')}  ${ruleWords(change.rule)}`);
  }
  if (blame.changes.length > MOST) lines.push(`and ${blame.changes.length - MOST} more changes in it`);
  // a change of a rule follows from the profile, a stamp and a compiled object from all that decided
  for (const { text, role, place: at, implied } of causes.filter(
    (cause) => blame.setBy !== 'tenant' && (blame.setBy !== 'rule' || cause.role === 'profile'),
  ))
    lines.push(`${role} ${text}${at === undefined ? '' : `  ${placeWords(at, style)}`}${implied === undefined ? '' : ` (${implied})`}`);
  return lines;
}

const MOST = 10;

function setByWords({ setBy, changes, host }: FieldBlame, { decision, causes }: WhyEntry): string {
  if (setBy === 'rule') return [...new Set(changes.map(({ rule }) => rule))].join(', ');
  if (setBy === 'tenant') return decision.host === undefined ? 'the tenant; the object is not on the host' : 'the tenant';
  if (setBy === 'compiled') return causes.map(({ text }) => text).join(', ');
  if (setBy === 'nobody') return 'nobody: neither object has it';
  return host === undefined
    ? 'the tenant; the object is not on the host'
    : 'the render, which stamps identity and decision on every object';
}

function valueWords(value: Json | undefined, path: Path, { decision }: WhyEntry): string {
  return value === undefined ? '(none)' : short(jsonText(shownValue(value, path, isSecret(decision))));
}

function subjectWords({ decision }: WhyEntry): string {
  const subject = decision.host ?? decision.source;
  return subject === undefined ? 'an object without a name' : refWords(subject);
}

function blameRecord({ entry, blame, place }: PlacedBlame): JsonObject {
  const secret = isSecret(entry.decision);
  return {
    object: subjectWords(entry),
    pointer: pointer(blame.path),
    setBy: blame.setBy,
    ...(blame.host !== undefined && { value: shownValue(blame.host, blame.path, secret) }),
    ...(blame.tenant !== undefined && { tenantValue: shownValue(blame.tenant, blame.tenantPath, secret) }),
    ...(place !== undefined && { source: placeRecord(place) }),
    changes: blame.changes.map((change) => field(change, secret)),
    causes: [...entry.decision.causes],
  };
}
