import { blameField, type FieldBlame } from '../../core/explain/field-blame.ts';
import type { FieldStep } from '../../core/explain/field-path.ts';
import { causeOfRule } from '../../core/explain/rule-cause.ts';
import { pointer } from '../../core/kube/pointer.ts';
import type { LastChange, Lines } from './git-facts.ts';
import type { OpenPackage } from './open-package.ts';
import { type FilePlace, type PlacedCause, placeAt, placedCause } from './places.ts';
import type { PlanPart } from './plan-part.ts';
import { changeOf, type EntryOptions, type WhyEntry } from './why-entry.ts';

/** Who gave one field its value, with the places that say so. */
export interface PlacedBlame {
  readonly entry: WhyEntry;
  readonly blame: FieldBlame;
  /** where the tenant wrote the field, or the nearest thing around it */
  readonly place?: FilePlace;
  /** the configuration that a rule followed, or all that decided where the field is ours */
  readonly causes: readonly DatedCause[];
  /** who last changed the tenant’s line */
  readonly last?: LastChange;
}

interface DatedCause extends PlacedCause {
  readonly last?: LastChange;
}

export interface FieldContext extends EntryOptions {
  readonly open: OpenPackage;
  readonly part: PlanPart;
}

export async function placedBlames(
  entries: readonly WhyEntry[],
  steps: readonly FieldStep[],
  { open, part, ...options }: FieldContext,
): Promise<readonly PlacedBlame[]> {
  const blames: PlacedBlame[] = [];
  for (const entry of entries) {
    const blame = blameField(entry.found, entry.input?.object, steps);
    const source = entry.decision.source?.file;
    const place =
      blame.tenant === undefined || source === undefined ? undefined : await placeAt(source, pointer(blame.tenantPath), part.texts);
    const lastOf = async (at: FilePlace | undefined): Promise<{ readonly last?: LastChange }> =>
      options.git && at !== undefined ? { last: await changeOf(at.path, open, options.platform, lineOf(at)) } : {};
    const causes: DatedCause[] = [];
    for (const cause of await causesOf(blame, entry, open)) causes.push({ ...cause, ...(await lastOf(cause.place)) });
    blames.push({ entry, blame, ...(place !== undefined && { place }), causes, ...(await lastOf(place)) });
  }
  return blames;
}

function lineOf({ line }: FilePlace): Lines | undefined {
  return line === undefined ? undefined : { first: line, last: line };
}

async function causesOf(
  { setBy, changes }: FieldBlame,
  { found: { decision, tenant }, causes }: WhyEntry,
  open: OpenPackage,
): Promise<readonly PlacedCause[]> {
  if (setBy === 'tenant' || setBy === 'nobody') return [];
  if (setBy !== 'rule' || tenant === undefined) return causes;
  const cited = new Set(changes.flatMap(({ rule }) => causeOfRule(rule, tenant) ?? []));
  return Promise.all([...cited].map((cause) => placedCause(cause, decision.tenant, open)));
}
