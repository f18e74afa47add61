import type { FieldBlame } from '../../core/explain/field-blame.ts';
import { type FieldStep, parseField } from '../../core/explain/field-path.ts';
import { nearFields } from '../../core/explain/near-field.ts';
import type { Json, JsonObject, Path } from '../../core/kube/json.ts';
import { pointer } from '../../core/kube/pointer.ts';
import type { Answer } from '../../report/answer/answer.ts';
import { field, shownValue } from '../../report/decision-record.ts';
import { jsonText } from '../../report/json-text.ts';
import type { TextStyle } from '../../report/text.ts';
import { TenantplaneError } from '../errors.ts';
import { issuesOfFound } from './decision-issues.ts';
import type { LastChange } from './git-facts.ts';
import { heldWords } from './held.ts';
import { lineage } from './lineage.ts';
import { type FieldContext, type PlacedBlame, placedBlames } from './placed-blame.ts';
import { placeRecord, placeWords } from './places.ts';
import { changeRecord } from './why-answer.ts';
import type { WhyEntry } from './why-entry.ts';
import { joined, refWords, ruleWords, short } from './why-text.ts';

/** The answer of `why --field`: who gave a field of a host object its value. */
export async function fieldAnswer(
  title: string,
  entries: readonly WhyEntry[],
  text: string,
  context: FieldContext,
  style: TextStyle,
): Promise<Answer> {
  const steps = stepsOf(text);
  const blames = await placedBlames(entries, steps, context);
  if (blames.every(({ blame }) => blame.setBy === 'nobody')) refuseNear(text, steps, entries);
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

/** A path that neither object has is more often meant otherwise than asked on purpose. @throws where a near one is there */
function refuseNear(text: string, steps: readonly FieldStep[], entries: readonly WhyEntry[]): void {
  const objects = entries.flatMap(({ found: { file }, input }) => [file?.object ?? {}, input?.object ?? {}]);
  const [near] = objects.map((object) => nearFields(object, steps)).filter((fields) => fields.length > 0);
  if (near === undefined) return;
  throw new TenantplaneError('usage', `There is no field ${text} in either object, the tenant’s or the host’s.`, {
    hint: `Did you mean ${near.join(' or ')}?`,
  });
}

function stepsOf(text: string): readonly FieldStep[] {
  const steps = parseField(text);
  if (steps !== undefined) return steps;
  throw new TenantplaneError('usage', `--field ${text} is no field.`, {
    hint: 'Write /spec/replicas, spec.replicas or spec.containers[app].image.',
  });
}

function words(value: Json | undefined): string {
  return value === undefined ? '(none)' : short(jsonText(value));
}

function blameLines({ entry, blame, place, causes, last }: PlacedBlame, style: TextStyle): readonly string[] {
  const { decision } = entry;
  const lines = [`${pointer(blame.path)} = ${valueWords(blame.host, blame.path, entry)}`, `set by ${setByWords(blame, entry)}`];
  const where = place === undefined ? '' : `  ${placeWords(place, style)}${lastWords(last)}`;
  if (decision.source !== undefined) lines.push(`tenant’s value: ${valueWords(blame.tenant, blame.tenantPath, entry)}${where}`);
  for (const change of blame.changes.slice(0, MOST)) {
    const { op, pointer: at, before, after } = field(change, decision);
    // values of removed annotations are in no record; the source has them
    const first = before === undefined && change.op === 'Remove' && pointer(change.path) === pointer(blame.tenantPath ?? []);
    const values = [first ? valueWords(blame.tenant, change.path, entry) : words(before), words(after)];
    lines.push(`${change.rule} ${String(op).toLowerCase()} ${String(at)}: ${values.join(' -> ')}  ${ruleWords(change.rule)}`);
  }
  if (blame.changes.length > MOST) lines.push(`and ${blame.changes.length - MOST} more changes in it`);
  for (const { text, role, place: at, implied, last: changed } of causes) {
    const there = at === undefined ? '' : `  ${placeWords(at, style)}`;
    lines.push(`${role} ${text}${there}${implied === undefined ? '' : ` (${implied})`}${lastWords(changed)}`);
  }
  lines.push(...standingLines(entry, blame));
  return lines;
}

/** The values above are a render's: where the file on the disk is otherwise, or no render writes it, that goes with them. */
function standingLines({ file, held }: WhyEntry, { path }: FieldBlame): readonly string[] {
  const lines = held === undefined ? [] : [heldWords(held)];
  if (file === undefined || file.state === 'current') return lines;
  const asked = pointer(path);
  const here = file.fields.some((other) => `${asked}/`.startsWith(`${other}/`) || other.startsWith(`${asked}/`));
  return [...lines, `the file on the disk ${file.words}${here ? '; it differs in this field' : ''}`];
}

function lastWords(last: LastChange | undefined): string {
  return last === undefined ? '' : `  ${last.words}`;
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
  return value === undefined ? '(none)' : short(jsonText(shownValue(value, path, decision)));
}

function subjectWords({ decision }: WhyEntry): string {
  const subject = decision.host ?? decision.source;
  return subject === undefined ? 'an object without a name' : refWords(subject);
}

function blameRecord({ entry, blame, place, causes, last }: PlacedBlame): JsonObject {
  return {
    object: subjectWords(entry),
    pointer: pointer(blame.path),
    setBy: blame.setBy,
    ...(blame.host !== undefined && { value: shownValue(blame.host, blame.path, entry.decision) }),
    ...(blame.tenant !== undefined && { tenantValue: shownValue(blame.tenant, blame.tenantPath, entry.decision) }),
    ...(place !== undefined && { source: placeRecord(place) }),
    ...(last !== undefined && { git: changeRecord(last) }),
    changes: blame.changes.map((change) => field(change, entry.decision)),
    ...(entry.held !== undefined && { held: { ...entry.held } }),
    ...(entry.file !== undefined && { hostFile: { state: entry.file.state, differs: [...entry.file.fields] } }),
    causes: causes.map(({ text, role, place: at, last: changed }) => ({
      cause: text,
      role,
      ...(at !== undefined && { file: placeRecord(at) }),
      ...(changed !== undefined && { git: changeRecord(changed) }),
    })),
  };
}
