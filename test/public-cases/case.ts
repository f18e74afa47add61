import { expect, it } from 'vitest';
import type { Decision } from '../../src/core/decision/decision.ts';
import type { ReasonName } from '../../src/core/decision/reasons.ts';
import { at, type Json, type JsonObject } from '../../src/core/kube/json.ts';
import { dotted } from '../../src/core/kube/pointer.ts';
import type { Plan, RenderConfig } from '../../src/core/plan/plan-types.ts';
import { devPackage, planFiles, policy, profile } from '../support/observe.ts';

/** One public report, advisory or benchmark item: what went wrong elsewhere, a small input of ours, and the right value here. */
export interface Case {
  /** `S` a syncer, `T` a threat, `E` the adversarial suite, `G` GitOps tools; README.md has the list */
  readonly id: string;
  /** where it was reported: `vcluster#1120`, a CVE, a benchmark item */
  readonly refs: string;
  /** what goes wrong, in a few words */
  readonly wrong: string;
  /** the tenant's object that the case is about; the first document counts */
  readonly input: string;
  /** other objects of the tenant */
  readonly beside?: string;
  readonly level?: 'baseline' | 'restricted' | 'sandboxed';
  /** lines below `spec` of the profile */
  readonly profile?: string;
  /** lines below `spec` of the TenantCluster */
  readonly spec?: string;
  readonly policy?: string;
  readonly config?: Partial<RenderConfig>;
  /** it is kept off the host, for these reasons and no other */
  readonly refused?: ReasonName | readonly ReasonName[];
  /** where the refusal points */
  readonly pointer?: string;
  /** it is projected, and its host object has these values; undefined is absent. A space separates the steps of a path. */
  readonly fields?: Readonly<Record<string, Json | undefined>>;
  /** notes of the decision, among others */
  readonly notes?: readonly ReasonName[];
  /** part of the sentence or remedy that a person gets */
  readonly says?: RegExp;
}

export function planCase(row: Case): Plan {
  const objects = { 'x.yaml': row.input, ...(row.beside !== undefined && { 'y.yaml': row.beside }) };
  const level = row.level ?? 'restricted';
  return planFiles(
    devPackage(objects, {
      profile: profile('restricted', level, row.profile ?? ''),
      policy: row.policy ?? policy(),
      ...(row.spec !== undefined && { spec: row.spec }),
    }),
    row.config,
  );
}

export function decisionsOf(result: Plan): readonly Decision[] {
  return [...result.decisions, ...result.tenants.flatMap((tenant) => tenant.decisions)];
}

/** The decision about the first document of `x.yaml`. */
export function decisionOf(result: Plan): Decision | undefined {
  return decisionsOf(result).find(({ source }) => source?.file.path === 'tenants/dev/objects/x.yaml' && source.file.document === 0);
}

/** The host object of the first document of `x.yaml`, aliases left out. */
export function hostObject(result: Plan): JsonObject | undefined {
  const decision = decisionOf(result);
  const files = result.tenants.flatMap((tenant) => tenant.files);
  return files.find((file) => file.decision === decision)?.object;
}

export function valueAt(object: JsonObject | undefined, path: string): Json | undefined {
  return at(object, ...path.split(' ').map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

/** Runs a table of cases. Each row says either why the object is refused or what its host object holds. */
export function cases(rows: readonly Case[]): void {
  it.each(rows.map((row) => [`${row.id} ${row.refs}: ${row.wrong}`, row] as const))('%s', (_title, row) => {
    const result = planCase(row);
    const decision = decisionOf(result);
    expect(decision, 'the object has a decision').toBeDefined();
    if (row.refused !== undefined) {
      const reasons = new Set([decision?.reason, ...refusalNotes(decision)]);
      expect([...reasons].sort()).toEqual([...new Set([row.refused].flat())].sort());
      expect(decision?.action).toBe('Skip');
      expect(hostObject(result)).toBeUndefined();
      expect(decision?.remedy !== '' || decision?.severity === 'info').toBe(true);
    } else {
      expect(`${decision?.action} ${decision?.reason} ${decision?.message} ${notesText(decision)}`).toMatch(/^Create PolicyMatched/);
      expect(hostObject(result), 'it has a host object').toBeDefined();
    }
    if (row.pointer !== undefined) {
      const paths = decision?.notes.flatMap((note) => (note.path === undefined ? [] : dotted(note.path))) ?? [];
      expect([decision?.params['pointer'], ...paths]).toContain(row.pointer);
    }
    for (const [path, value] of Object.entries(row.fields ?? {})) expect(valueAt(hostObject(result), path), path).toEqual(value);
    const notes = decision?.notes.map(({ reason }) => reason) ?? [];
    for (const note of row.notes ?? []) expect(notes).toContain(note);
    if (row.says !== undefined) expect(`${decision?.message} ${decision?.remedy} ${notesText(decision)}`).toMatch(row.says);
  });
}

/** A refused object lists every refusal as a note. */
function refusalNotes(decision: Decision | undefined): ReasonName[] {
  return decision?.action === 'Skip' ? decision.notes.filter(({ severity }) => severity !== 'info').map(({ reason }) => reason) : [];
}

function notesText(decision: Decision | undefined): string {
  return (decision?.notes ?? []).map((note) => `${note.message} ${note.remedy}`).join(' ');
}
