import { decisionNote } from '../decision/decide.ts';
import { reasonOf } from '../decision/reasons.ts';
import { at, objectsOf, stringAt } from '../kube/json.ts';
import { madeSecret } from '../kube/made-secret.ts';
import type { Reference, Refusal } from '../translate/edit.ts';
import type { Projection } from './project.ts';
import type { Subject, TenantContext } from './tenant-context.ts';

interface Refused {
  readonly refusal: Refusal;
  /** the object itself, or what makes it (an ExternalSecret its Secret) */
  readonly maker: Subject;
}

/**
 * Looks every reference up among what is really projected. A missing target is a warning, since references are rewritten all
 * the same and a raw name never reaches the host; an object that is nothing without its target is refused, which may take
 * further targets away, so this repeats until nothing changes.
 */
export function resolveReferences(projections: readonly Projection[], ctx: TenantContext): readonly Projection[] {
  const expected = new Set(ctx.tenant.expects.map(({ kind, namespace, name }) => `${kind}|${namespace}|${name}`));
  let current = projections;
  for (;;) {
    const present = new Set<string>();
    const refused = new Map<string, Refused>();
    for (const projection of current) {
      const [refusal] = projection.refusals;
      for (const key of namesMade(projection)) {
        if (refusal === undefined) present.add(key);
        else refused.set(key, { refusal, maker: projection.subject });
      }
    }
    const missing = (kind: string, virtualNamespace: string, name: string): boolean => {
      const key = `${kind}|${virtualNamespace}|${name}`;
      return !present.has(key) && !expected.has(key) && !isSetClaim(kind, virtualNamespace, name, ctx);
    };
    let changed = false;
    current = current.map((projection) => {
      if (projection.edit === undefined || projection.refusals.length > 0) return projection;
      const refusals: Refusal[] = projection.edit.references
        .filter((reference) => reference.required === true && missing(reference.targetKind, reference.virtualNamespace, reference.name))
        .map((reference) => ({
          reason: 'TargetNotProjected',
          params: { target: targetText(reference) },
          path: reference.path,
          ...remedyOf(reference, refused, ctx),
        }));
      if (refusals.length === 0) return projection;
      changed = true;
      return { ...projection, refusals, trace: projection.trace.add('references.target', 'Blocked') };
    });
    if (changed) continue;
    for (const projection of current) {
      if (projection.edit === undefined || projection.refusals.length > 0) continue;
      for (const reference of projection.edit.references) {
        if (
          reference.optional ||
          isOwnTemplate(projection, reference) ||
          !missing(reference.targetKind, reference.virtualNamespace, reference.name)
        )
          continue;
        const { remedy } = remedyOf(reference, refused, ctx);
        projection.edit.note('ReferenceUnresolved', { target: targetText(reference) }, reference.path, remedy);
      }
    }
    return current;
  }
}

function targetText(reference: { readonly targetKind: string; readonly virtualNamespace: string; readonly name: string }): string {
  return `${reference.targetKind} ${reference.virtualNamespace}/${reference.name}`;
}

/** What is in `objects/`: the target itself, or what would make it. */
function standingText(reference: Reference, { key, row, virtualNamespace, name }: Subject): string {
  const target = targetText(reference);
  return key === reference.targetKind ? target : `${row.kind} ${virtualNamespace}/${name}, which makes ${target},`;
}

/** One in plain text would be refused. */
const MAKE_SECRET =
  'Add an ExternalSecret or a SealedSecret that makes it to objects/ and its kind to the SyncPolicy, or list it under spec.expects of the TenantCluster if something else makes it.';

/** Where the target stands in `objects/` but is kept off the host itself, that is what to mend. */
function remedyOf(reference: Reference, refused: ReadonlyMap<string, Refused>, { tenant }: TenantContext): { readonly remedy?: string } {
  const found = refused.get(`${reference.targetKind}|${reference.virtualNamespace}|${reference.name}`);
  if (found === undefined) return reference.targetKind === 'Secret' && tenant.renderSecrets !== 'plain' ? { remedy: MAKE_SECRET } : {};
  const { code, reason, remedy } = decisionNote(found.refusal);
  const what = reasonOf(reason).disposition === 'Rejected' ? 'was refused' : 'is left out';
  return {
    remedy: `${standingText(reference, found.maker)} is in objects/, but ${what} (${code} ${reason})${remedy === '' ? '.' : `: ${remedy}`}`,
  };
}

function namesMade({ subject }: Projection): string[] {
  const own = `${subject.key}|${subject.virtualNamespace}|${subject.name}`;
  const secret = madeSecret(subject.key, subject.object);
  return secret === undefined ? [own] : [own, `Secret|${subject.virtualNamespace}|${secret}`];
}

/** A claim that a StatefulSet's template makes is there as soon as the set is. */
function isSetClaim(kind: string, virtualNamespace: string, name: string, ctx: TenantContext): boolean {
  return kind === 'PersistentVolumeClaim' && ctx.claimName(virtualNamespace, name) !== ctx.hostName(kind, virtualNamespace, name).name;
}

/** A StatefulSet's controller replaces a volume that is named like one of its claim templates, so its claim is never looked for. */
function isOwnTemplate({ subject }: Projection, { targetKind, path }: Reference): boolean {
  if (targetKind !== 'PersistentVolumeClaim' || subject.key !== 'StatefulSet.apps') return false;
  const volume = stringAt(subject.object, ...path.slice(0, -2), 'name');
  return objectsOf(at(subject.object, 'spec', 'volumeClaimTemplates')).some(
    (template) => stringAt(template, 'metadata', 'name') === volume,
  );
}
