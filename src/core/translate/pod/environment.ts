import { TENANT_API_PORT, tenantApiHost } from '../../controlplane/endpoint.ts';
import { asArray, asString, at, type Json, type JsonObject, objectAt, objectsOf, own, type Path } from '../../kube/json.ts';
import { dotted } from '../../kube/pointer.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { Step } from '../translation.ts';
import { eachContainer, podView } from './pod-view.ts';

type Variables = readonly (readonly [name: string, value: string])[];
const VARIABLES: WeakMap<TenantContext, Variables> = new WeakMap();

/** What a client library looks for. The kubelet would fill these with the host's API in every pod, service links or not. */
function apiVariables(ctx: TenantContext): Variables {
  const made = VARIABLES.get(ctx);
  if (made !== undefined) return made;
  const port = String(TENANT_API_PORT);
  const variables: Variables = [
    ['KUBERNETES_SERVICE_HOST', tenantApiHost(ctx)],
    ['KUBERNETES_SERVICE_PORT', port],
    ['KUBERNETES_SERVICE_PORT_HTTPS', port],
  ];
  VARIABLES.set(ctx, variables);
  return variables;
}

/**
 * Says in each container where the tenant's API is. First in the list, since `$(VAR)` sees only what stands before it. A variable
 * that the tenant sets itself, in env or through envFrom, is left to the tenant; a list with two of one name cannot be
 * applied. Last of the pod steps: it moves the indexes of env.
 */
export const environmentStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  // Links of Services carry addresses of the host's making, under names of the host's.
  edit.set([...view.base, 'enableServiceLinks'], false, 'rw.environment');
  const variables = apiVariables(ctx);
  eachContainer(view, (container, path) => {
    dropRepeated(edit, container, [...path, 'env']);
    const stated = objectsOf(container['env']);
    // As the tenant wrote them: in the host object their references are rewritten already.
    const sources = objectsOf(at(subject.object, ...path, 'envFrom'));
    const missing = variables.filter(
      ([name]) => !stated.some((variable) => variable['name'] === name) && !fromSources(name, sources, subject, ctx),
    );
    prepend(
      edit,
      [...path, 'env'],
      missing.map(([name, value]) => ({ name, value })),
    );
  });
};

/**
 * Of variables that repeat a name the kubelet takes the last, while server-side apply refuses the list. The earlier ones go, unless a value
 * after them reads them.
 */
function dropRepeated(edit: Edit, container: JsonObject, path: Path): void {
  const env = objectsOf(container['env']);
  const last = new Map<string, number>();
  env.forEach((variable, index) => {
    last.set(asString(variable['name']) ?? '', index);
  });
  if (last.size === env.length) return;
  const readAfter = new Set<string>();
  for (let index = env.length - 1; index >= 0; index -= 1) {
    const name = asString(env[index]?.['name']) ?? '';
    if (last.get(name) !== index) {
      if (readAfter.has(name)) {
        const params = { pointer: dotted([...path, index]), found: `read as $(${name}) and set again`, wanted: 'a name of its own' };
        edit.refuse('ObjectMalformed', params, [...path, index]);
      } else edit.remove([...path, index], 'rw.environment');
    }
    for (const read of variablesRead(asString(env[index]?.['value']) ?? '')) readAfter.add(read);
  }
}

/** The names in `$(NAME)`; each piece of the text is looked at once, however many variables there are. */
function variablesRead(value: string): string[] {
  return value
    .split('$(')
    .slice(1)
    .flatMap((piece) => (piece.includes(')') ? [piece.slice(0, piece.indexOf(')'))] : []));
}

/** Puts items first in a list; each is a change of its own, so that a decision does not repeat the whole list. */
function prepend(edit: Edit, path: Path, items: readonly JsonObject[]): void {
  if (items.length === 0) return;
  const list = asArray(at(edit.object, ...path));
  if (list === undefined || list.length === 0) {
    edit.set(path, [...items], 'rw.environment');
    return;
  }
  list.unshift(...new Array<Json>(items.length));
  items.forEach((item, index) => {
    edit.set([...path, index], item, 'rw.environment');
  });
}

/** Where the keys of an envFrom source are written down, by the kind that makes it. Values are never looked at. */
const KEYS: readonly { readonly field: string; readonly kind: string; readonly at: readonly string[] }[] = [
  { field: 'configMapRef', kind: 'ConfigMap', at: ['data'] },
  { field: 'secretRef', kind: 'Secret', at: ['data'] },
  { field: 'secretRef', kind: 'Secret', at: ['stringData'] },
  { field: 'secretRef', kind: 'SealedSecret.bitnami.com', at: ['spec', 'encryptedData'] },
];

/** Whether an envFrom source of the tenant's own sets the variable: env would win over it, and the tenant meant otherwise. */
function fromSources(name: string, sources: readonly JsonObject[], subject: Subject, ctx: TenantContext): boolean {
  for (const source of sources) {
    const prefix = asString(source['prefix']) ?? '';
    if (!name.startsWith(prefix)) continue;
    for (const { field, kind, at: place } of KEYS) {
      const target = asString(objectAt(source, field)?.['name']);
      if (target === undefined) continue;
      const object = ctx.find(kind, subject.virtualNamespace, target)?.object;
      if (own(objectAt(object, ...place), name.slice(prefix.length)) !== undefined) return true;
    }
  }
  return false;
}
