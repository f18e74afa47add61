/** What stands on the host of a tenant's boundary, held against what is planned. */
export interface BoundaryReport {
  /** a row for each planned object, and for each other one that bears on the boundary; by control, worst first */
  readonly rows: readonly BoundaryRow[];
  /** nothing is open that the plan closes. What is closed further than planned leaves this true. */
  readonly enforced: boolean;
  /** nothing differs at all */
  readonly asPlanned: boolean;
  /** whom the admission policies leave alone */
  readonly trusted: Trusted;
}

export interface BoundaryRow {
  readonly object: ObjectRef;
  /** the control that it enforces, as `CompiledObject.control` spells it */
  readonly control: string;
  /** further ones, where it enforces several: an admission policy holds the rules of a whole kind */
  readonly alsoEnforces?: readonly string[];
  readonly verdict: Verdict;
  /** what of it is left, where it is missing, drifted or nobody's: less than planned, more, or neither */
  readonly way?: Way;
  /** JSON pointers of what differs; into the live object, or the planned one where the live one lacks it */
  readonly fields: readonly string[];
  readonly sentence: string;
}

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** `foreign`: it has the name of a planned one, and is not this tenant's. `widens`: nobody planned it, and it opens something. */
export type Verdict = 'as-planned' | 'missing' | 'drifted' | 'foreign' | 'widens';

/** `weaker` is whatever is not known to be as strict as the plan; `other` bears on no boundary (texts, audit, disruption). */
export type Way = 'weaker' | 'stronger' | 'other';

export interface Trusted {
  readonly writers: readonly string[];
  readonly groups: readonly string[];
  /** nobody said who they are: these were read from the policies that stand on the host, so that the rest can be compared */
  readonly taken: boolean;
}

/** Whether a row leaves something open that the plan closes. */
export function opens({ verdict, way }: Pick<BoundaryRow, 'verdict' | 'way'>): boolean {
  return verdict === 'widens' || verdict === 'foreign' || (verdict !== 'as-planned' && way === 'weaker');
}

const VERDICTS: readonly Verdict[] = ['widens', 'foreign', 'missing', 'drifted', 'as-planned'];

export function boundaryReport(rows: readonly BoundaryRow[], trusted: Trusted): BoundaryReport {
  const ranked = rows.map((row) => ({ row, rank: (opens(row) ? 0 : 10) + VERDICTS.indexOf(row.verdict), name: nameOf(row) }));
  const worst = new Map<string, number>();
  for (const { row, rank } of ranked) worst.set(row.control, Math.min(rank, worst.get(row.control) ?? rank));
  const place = (control: string): number => worst.get(control) ?? 0;
  ranked.sort(
    (a, b) =>
      place(a.row.control) - place(b.row.control) || compare(a.row.control, b.row.control) || a.rank - b.rank || compare(a.name, b.name),
  );
  return {
    rows: ranked.map(({ row }) => row),
    enforced: !rows.some(opens),
    asPlanned: rows.every(({ verdict }) => verdict === 'as-planned'),
    trusted,
  };
}

function nameOf({ object: { kind, namespace = '', name } }: BoundaryRow): string {
  return `${kind}|${namespace}|${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
