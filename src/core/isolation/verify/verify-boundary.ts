import { kindOf, namespaceOf } from '../../kube/object.ts';
import { pointer } from '../../kube/pointer.ts';
import type { CompiledObject } from '../compiled-object.ts';
import { directionsOf } from '../covered-pods.ts';
import type { BoundaryInput } from './boundary-input.ts';
import { type BoundaryReport, type BoundaryRow, boundaryReport, type Way } from './boundary-report.ts';
import { compareObject, isSameOwner } from './compare-object.ts';
import type { Difference } from './comparison.ts';
import { refOf } from './live-boundary.ts';
import { admitsNothing } from './network-rules.ts';
import { boundaryPairs, type Pair } from './pairs.ts';
import { label, unplannedRows } from './unplanned.ts';

/**
 * Whether a tenant's boundary stands on the host as it is planned: each planned object is there, is the tenant's and says what it should,
 * and nothing else opens what these close. The plan is the render's own (`compileIsolation`, `compileProfile`).
 *
 * @throws where TenantCluster, profile or policy are not legal
 */
export function verifyBoundary(input: BoundaryInput): BoundaryReport {
  const { ctx, pairs, live, trusted } = boundaryPairs(input);
  return boundaryReport([...pairs.map((pair) => plannedRow(pair, pairs)), ...unplannedRows(ctx, pairs, live)], trusted);
}

function plannedRow({ planned, live }: Pair, pairs: readonly Pair[]): BoundaryRow {
  const { object, control, alsoEnforces = [] } = planned;
  const what = label(live ?? object);
  const row = { object: refOf(live ?? object), control, ...(alsoEnforces.length > 0 && { alsoEnforces }) };
  if (live === undefined) {
    const way = missingWay(planned, pairs);
    return { ...row, verdict: 'missing', way, fields: [], sentence: `${what} is missing. ${MISSING[way]}` };
  }
  const differences = compareObject(object, live);
  const fields = [...new Set(differences.map(({ path }) => pointer(path)))];
  if (!isSameOwner(object, live)) {
    const sentence = `${what} is there, and is not this tenant’s: its label or annotation of tenantplane says so.`;
    return { ...row, verdict: 'foreign', way: 'weaker', fields, sentence };
  }
  if (differences.length === 0) return { ...row, verdict: 'as-planned', fields, sentence: `${what} is as planned.` };
  const way = wayOf(differences);
  const more = fields.length > SHOWN ? ` and ${fields.length - SHOWN} more` : '';
  const sentence = `${what} is not as planned at ${fields.slice(0, SHOWN).join(', ')}${more}. ${DRIFTED[way]}`;
  return { ...row, verdict: 'drifted', way, fields, sentence };
}

const SHOWN = 3;
const MISSING: Readonly<Record<Way, string>> = {
  weaker: 'What it closes is open.',
  stronger: 'What it admits is closed.',
  other: 'It bears on no boundary.',
};
const DRIFTED: Readonly<Record<Way, string>> = {
  weaker: 'That may leave open what the plan closes.',
  stronger: 'That closes more than the plan does.',
  other: 'That bears on no boundary.',
};

/** Several differences are as bad as the worst of them. */
function wayOf(differences: readonly Difference[]): Way {
  const ways = new Set(differences.map(({ way }) => way));
  return ways.has('weaker') ? 'weaker' : ways.has('stronger') ? 'stronger' : 'other';
}

/** Kinds that only give something: without them less is possible. */
const GIVING: ReadonlySet<string> = new Set(['ServiceAccount', 'Role', 'RoleBinding']);

/** An allowance that is missing opens nothing, where a default deny closes its directions for all pods of its namespace. */
function missingWay({ object }: CompiledObject, pairs: readonly Pair[]): Way {
  const kind = kindOf(object);
  if (kind === 'PodDisruptionBudget') return 'other';
  if (kind !== 'NetworkPolicy') return GIVING.has(kind) ? 'stronger' : 'weaker';
  const closed = pairs.flatMap(({ planned: { object: other } }) =>
    other !== object && kindOf(other) === kind && namespaceOf(other) === namespaceOf(object) && admitsNothing(other)
      ? directionsOf(other)
      : [],
  );
  return directionsOf(object).every((direction) => closed.includes(direction)) ? 'stronger' : 'weaker';
}
