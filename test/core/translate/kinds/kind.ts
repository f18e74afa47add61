import { at, type Json, type JsonObject } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { dotted } from '../../../../src/core/kube/pointer.ts';
import { KIND_TRANSLATIONS } from '../../../../src/core/translate/kinds/table.ts';
import type { KindTranslation } from '../../../../src/core/translate/translation.ts';
import { type Overrides, testContext, translateKind } from '../../context.ts';

export function translationOf(key: string): KindTranslation {
  const found = KIND_TRANSLATIONS.find((row) => row.key === key);
  if (found === undefined) throw new Error(`no row ${key}`);
  return found;
}

export interface Result {
  /** names of the refusals, in order */
  readonly refused: readonly string[];
  readonly params: readonly Readonly<Record<string, string>>[];
  readonly notes: readonly string[];
  readonly noteParams: readonly Readonly<Record<string, string>>[];
  /** where the notes point */
  readonly notePaths: readonly string[];
  readonly references: readonly string[];
  readonly object: KubeObject;
  readonly everything: string;
  host(...path: (string | number)[]): Json | undefined;
}

/** What a kind's rules make of one object of tenant `dev`. The object itself is among the tenant's. */
export function run(key: string, object: KubeObject, overrides: Overrides = {}): Result {
  const ctx = testContext({ ...overrides, objects: [object, ...(overrides.objects ?? [])] });
  const { edit, refusals } = translateKind(translationOf(key), object, ctx);
  return {
    refused: refusals.map(({ reason }) => reason),
    params: refusals.map(({ params }) => params),
    notes: edit.notes.map(({ reason }) => reason),
    noteParams: edit.notes.map(({ params }) => params),
    notePaths: edit.notes.map(({ path }) => dotted(path ?? [])),
    references: edit.references.map(({ targetKind, virtualNamespace, name }) => `${targetKind} ${virtualNamespace}/${name}`),
    object: edit.object,
    everything: JSON.stringify({ refusals, changes: edit.changes, notes: edit.notes, references: edit.references }),
    host: (...path) => at(edit.object, ...path),
  };
}

export function make(apiVersion: string, kind: string, name: string, fields: JsonObject = {}, namespace = 'default'): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace }, ...fields };
}

export const ownLabels = (virtualNamespace = 'default'): JsonObject => ({
  'tenantplane.io/tenant': 'dev',
  'tenantplane.io/virtual-namespace': virtualNamespace,
});
