import { type JsonObject, objectAt, type Path, put } from '../kube/json.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Edit } from './edit.ts';
import { foreignAnnotationProblem } from './kinds/foreign-annotations.ts';
import { hostAnnotationProblem } from './kinds/host-annotations.ts';
import { isReservedLabel } from './labels.ts';
import { missedEffect } from './missed-annotations.ts';
import { isRawConfiguration } from './raw-annotations.ts';

/** Annotations of templates without which configuration changes no longer roll. */
const TEMPLATE_ANNOTATIONS = ['checksum/*', 'kubectl.kubernetes.io/restartedAt'] as const;

/**
 * Kept out of messages: they say nothing to a reader and are on every object that kubectl has touched, or they were read and
 * did what they are for, so "left out" would mislead.
 */
const SILENT: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'kubernetes.io/ingress.class',
  'sealedsecrets.bitnami.com/cluster-wide',
  'sealedsecrets.bitnami.com/namespace-wide',
  'tenantplane.io/sealed-for',
]);

function allowed(key: string, patterns: readonly string[]): boolean {
  // What speaks to a tool of the host is never the tenant's to say, whatever a profile lists.
  if (isReservedLabel(key)) return false;
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) && !isRawConfiguration(key) : key === pattern,
  );
}

/** `fixed` is what an object stamps out and cannot change later: what a profile allows anew would change it, so nothing passes. */
export type AnnotationPlace = 'object' | 'template' | 'fixed';

function patternsOf(place: AnnotationPlace, ctx: TenantContext): readonly string[] {
  if (place === 'fixed') return [];
  return place === 'template' ? [...TEMPLATE_ANNOTATIONS, ...ctx.profile.allow.annotations] : ctx.profile.allow.annotations;
}

/**
 * Annotations pass by allow-list (notes: a replicator or a GitOps hook is only an annotation away). What is left out is listed. One that
 * claims a host must claim the tenant's own, as the rules of an Ingress must, and one that names an object by namespace none of another's.
 */
export function filterAnnotations(edit: Edit, path: Path, ctx: TenantContext, place: AnnotationPlace): void {
  const annotations = objectAt(edit.object, ...path);
  if (annotations === undefined) {
    edit.remove(path, 'rw.annotations');
    return;
  }
  const patterns = patternsOf(place, ctx);
  const kept: JsonObject = {};
  const dropped: string[] = [];
  for (const key of Object.keys(annotations)) {
    const value = annotations[key];
    if (typeof value === 'string' && allowed(key, patterns)) put(kept, key, value);
    else dropped.push(key);
  }
  for (const key of dropped) edit.remove([...path, key], 'rw.annotations');
  const missed = new Map<string, string[]>();
  const told: string[] = [];
  for (const key of dropped.sort()) {
    const effect = place === 'object' ? missedEffect(edit.object, key) : undefined;
    if (effect !== undefined) missed.set(effect, [...(missed.get(effect) ?? []), key]);
    else if (!SILENT.has(key)) told.push(key);
  }
  for (const [effect, keys] of missed) edit.note('AnnotationMissed', { key: keys.join(', '), effect }, [...path, keys[0] ?? '']);
  if (told.length > 0) edit.note('AnnotationBlocked', { key: told.join(', ') }, path);
  for (const [key, value] of Object.entries(kept)) {
    const why =
      hostAnnotationProblem(edit.object, key, String(value), ctx.tenant.ingressHostSuffixes) ??
      foreignAnnotationProblem(key, String(value), ctx.tenant.namespace);
    if (why === undefined) continue;
    edit.remove([...path, key], 'rw.ingress');
    edit.note('TenantMetadataDropped', { key, why }, [...path, key]);
    delete kept[key];
  }
  if (Object.keys(kept).length === 0) edit.remove(path, 'rw.annotations');
}
