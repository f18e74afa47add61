import { podChecks } from '../../src/core/checks/pod-checks.ts';
import { asObject, clone, type Json, type JsonObject, objectAt } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import type { TenantContext } from '../../src/core/plan/tenant-context.ts';
import { commonSteps } from '../../src/core/translate/common-steps.ts';
import { createEdit, type Edit, type Note, type Refusal } from '../../src/core/translate/edit.ts';
import { podSteps } from '../../src/core/translate/pod/pod-steps.ts';
import { WORKLOAD_TRANSLATIONS } from '../../src/core/translate/workloads/table.ts';
import { testSubject } from './context.ts';

/** What Pod Security restricted asks of a container and a pod, in full. */
export const SAFE: JsonObject = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true };

export function container(fields: JsonObject = {}): JsonObject {
  return { name: 'app', image: 'app:1', securityContext: clone(SAFE), ...fields };
}

export function podSpec(fields: JsonObject = {}): JsonObject {
  return { containers: [container()], ...fields };
}

export function pod(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...metadata }, spec };
}

const GROUPS: Readonly<Record<string, string>> = { Job: 'batch/v1', CronJob: 'batch/v1', ReplicationController: 'v1', PodTemplate: 'v1' };

/** Any kind that holds a pod template, around a pod spec; `fields` go into its spec. */
export function workload(kind: string, spec: JsonObject = podSpec(), fields: JsonObject = {}, name = 'web'): KubeObject {
  const apiVersion = GROUPS[kind] ?? 'apps/v1';
  const restartPolicy = kind === 'Job' || kind === 'CronJob' ? { restartPolicy: 'Never' } : {};
  const template = { metadata: { labels: { app: name } }, spec: { ...restartPolicy, ...spec } };
  const metadata = { name };
  if (kind === 'PodTemplate') return { apiVersion, kind, metadata, template };
  if (kind === 'CronJob')
    return { apiVersion, kind, metadata, spec: { schedule: '0 1 * * *', jobTemplate: { spec: { template, ...fields } } } };
  if (kind === 'Job') return { apiVersion, kind, metadata, spec: { template, ...fields } };
  const selector = kind === 'ReplicationController' ? { app: name } : { matchLabels: { app: name } };
  return { apiVersion, kind, metadata, spec: { selector, template, ...fields } };
}

export const WORKLOADS = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
  'PodTemplate',
] as const;

/** Refusals of the pod checks and those of the kind. */
export function refusalsOf(object: KubeObject, ctx: TenantContext): Refusal[] {
  const subject = testSubject(object);
  const kind = WORKLOAD_TRANSLATIONS.find((row) => row.key === subject.key);
  return [...podChecks, ...(kind?.checks ?? [])].flatMap((check) => check.run(subject, ctx) ?? []);
}

export function reasonsOf(object: KubeObject, ctx: TenantContext): string[] {
  return refusalsOf(object, ctx).map((refusal) => refusal.reason);
}

export interface Rendered {
  readonly object: KubeObject;
  readonly spec: JsonObject;
  readonly edit: Edit;
  readonly notes: readonly Note[];
  note(reason: string): Note | undefined;
}

/** Translates as the planner does; the object must pass. */
export function render(object: KubeObject, ctx: TenantContext): Rendered {
  const refusals = refusalsOf(object, ctx);
  if (refusals.length > 0) throw new Error(`refused: ${JSON.stringify(refusals)}`);
  const rendered = renderUnchecked(object, ctx);
  if (rendered.edit.refusals.length > 0) throw new Error(`refused: ${JSON.stringify(rendered.edit.refusals)}`);
  return rendered;
}

export function renderUnchecked(object: KubeObject, ctx: TenantContext): Rendered {
  const subject = ctx.find(testSubject(object).key, namespaceOf(object) ?? 'default', nameOf(object)) ?? testSubject(object);
  const kind = WORKLOAD_TRANSLATIONS.find((row) => row.key === subject.key);
  if (kind === undefined) throw new Error(`no translation of ${kindOf(object)}`);
  const edit = createEdit(clone(object));
  for (const step of [...commonSteps, ...podSteps, ...(kind.steps ?? [])]) step(edit, subject, ctx);
  const path = subject.row.podSpec ?? [];
  return {
    object: edit.object,
    spec: objectAt(edit.object, ...path) ?? {},
    edit,
    notes: edit.notes,
    note: (reason) => edit.notes.find((note) => note.reason === reason),
  };
}

/** The first container of a rendered pod spec. */
export function first(spec: JsonObject, list: 'containers' | 'initContainers' = 'containers'): JsonObject {
  const items = spec[list];
  return (Array.isArray(items) ? asObject(items[0]) : undefined) ?? {};
}

/** The environment of a container, in order, as the kubelet would read plain values. */
export function environment(of: JsonObject): Map<string, Json | undefined> {
  const items = Array.isArray(of['env']) ? of['env'] : [];
  return new Map(items.map((item) => [String(asObject(item)?.['name']), asObject(item)?.['value'] ?? asObject(item)?.['valueFrom']]));
}
