import type { Check } from '../../checks/check.ts';
import { malformed } from '../../checks/shape.ts';
import { asArray, asObject, clone, isObject, type Json, objectAt, type Path, stringAt } from '../../kube/json.ts';
import { annotationsOf, kindKey } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { listed } from './dns-suffix.ts';
import { translateObjectAnnotations } from './ingress-annotations.ts';
import { hostRefusals, specHosts } from './ingress-hosts.ts';
import { type Item, itemsAt, itemsIn } from './items.ts';
import { optInCheck, shapeCheck } from './kind-checks.ts';
import { referTo } from './reference.ts';

/** Before `spec.ingressClassName`; controllers still read it, so it counts as the class and never reaches the host. */
const LEGACY_CLASS = 'kubernetes.io/ingress.class';
/** No character that a controller's configuration language reads as anything but itself (CVE-2021-25745, CVE-2026-1580). */
const PLAIN_PATH = /^\/[A-Za-z0-9._~/-]*$/;
const PATH_TYPES: ReadonlySet<string> = new Set(['Exact', 'Prefix', 'ImplementationSpecific']);

function pathsOf(object: Subject['object']): Item[] {
  return itemsAt(object, 'spec', 'rules').flatMap((rule) => itemsIn(rule, 'http', 'paths'));
}

const checks: readonly Check[] = [
  optInCheck('allow.ingressClasses', (allow) => allow.ingressClasses.length > 0),
  shapeCheck('Ingress'),
  {
    id: 'ingress.class',
    run(subject, ctx) {
      const allowed = ctx.profile.allow.ingressClasses;
      const named: [string | undefined, Path][] = [
        [stringAt(subject.object, 'spec', 'ingressClassName'), ['spec', 'ingressClassName']],
        [annotationsOf(subject.object).get(LEGACY_CLASS), ['metadata', 'annotations', LEGACY_CLASS]],
      ];
      return named.flatMap(([name, path]) =>
        name === undefined || name === '' || allowed.includes(name)
          ? []
          : [{ reason: 'IngressClassBlocked', params: { class: name, profile: ctx.profile.name, allowed: listed(allowed) }, path }],
      );
    },
  },
  { id: 'ingress.hosts', run: (subject, ctx) => hostRefusals(subject.object, ctx) },
  {
    id: 'ingress.paths',
    run: (subject) =>
      pathsOf(subject.object).flatMap(({ item, path }) => {
        const type = item['pathType'];
        if (typeof type !== 'string' || !PATH_TYPES.has(type))
          return [malformed([...path, 'pathType'], type, 'Exact, Prefix or ImplementationSpecific')];
        const text = stringAt(item, 'path') ?? '';
        const why = text === '' && type === 'ImplementationSpecific' ? undefined : pathProblem(text);
        return why === undefined ? [] : [{ reason: 'IngressPathBlocked', params: { path: text, why }, path: [...path, 'path'] }];
      }),
  },
];

function pathProblem(path: string): string | undefined {
  if (!PLAIN_PATH.test(path)) return 'it holds characters that some controllers read as patterns or configuration';
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return 'it holds . or .. as a segment';
  return path.includes('//') ? 'it holds //' : undefined;
}

function translateClass(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const named = stringAt(subject.object, 'spec', 'ingressClassName') || annotationsOf(subject.object).get(LEGACY_CLASS);
  const [first] = ctx.profile.allow.ingressClasses;
  const chosen = named || first;
  if (chosen !== undefined) edit.set(['spec', 'ingressClassName'], chosen, 'rw.ingress');
  edit.remove(['metadata', 'annotations', LEGACY_CLASS], 'rw.ingress');
}

/**
 * A default backend answers for every host that nobody claims, on some controllers for the whole class. It becomes the last path
 * of each of the tenant's own hosts, which is all that it can mean here.
 */
function moveDefaultBackend(edit: Edit): void {
  const backend = objectAt(edit.object, 'spec', 'defaultBackend');
  edit.remove(['spec', 'defaultBackend'], 'rw.ingress');
  const rules = itemsAt(edit.object, 'spec', 'rules');
  if (backend === undefined) return;
  const hosts = rules.length > 0 ? [] : specHosts(edit.object);
  const last = (): Json => ({ path: '/', pathType: 'Prefix', backend: clone(backend) });
  if (hosts.length > 0)
    edit.set(
      ['spec', 'rules'],
      hosts.map((host) => ({ host, http: { paths: [last()] } })),
      'rw.ingress',
    );
  for (const { item, path } of rules) {
    const paths = asArray(objectAt(item, 'http')?.['paths']) ?? [];
    if (paths.some((entry) => isObject(entry) && (entry['path'] === '/' || !entry['path']) && entry['pathType'] !== 'Exact')) continue;
    edit.set([...path, 'http', 'paths'], [...paths.map((entry) => clone(entry)), last()], 'rw.ingress');
  }
}

function translatePaths(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const { item, path } of pathsOf(edit.object)) {
    if (item['pathType'] === 'ImplementationSpecific') {
      edit.set([...path, 'pathType'], 'Prefix', 'rw.ingress');
      if (!item['path']) edit.set([...path, 'path'], '/', 'rw.ingress');
    }
    translateBackend(edit, [...path, 'backend'], subject, ctx);
  }
}

function translateBackend(edit: Edit, path: Path, subject: Subject, ctx: TenantContext): void {
  referTo(edit, [...path, 'service', 'name'], ctx, 'Service', subject.virtualNamespace);
  const resource = asObject(objectAt(edit.object, ...path)?.['resource']);
  if (resource === undefined) return;
  const group = stringAt(resource, 'apiGroup') ?? '';
  const key = kindKey(group === '' ? 'v1' : `${group}/v1`, stringAt(resource, 'kind') ?? '');
  referTo(edit, [...path, 'resource', 'name'], ctx, key, subject.virtualNamespace);
}

/** A certificate without hosts stands for all of them on some controllers; here it stands for the hosts of the rules. */
function translateCertificates(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const ruled = [...new Set(itemsAt(edit.object, 'spec', 'rules').flatMap(({ item }) => stringAt(item, 'host') ?? []))].sort();
  for (const { item, path } of itemsAt(edit.object, 'spec', 'tls')) {
    if ((asArray(item['hosts']) ?? []).length === 0) edit.set([...path, 'hosts'], ruled, 'rw.ingress');
    referTo(edit, [...path, 'secretName'], ctx, 'Secret', subject.virtualNamespace);
  }
}

export const ingress: KindTranslation = {
  key: 'Ingress.networking.k8s.io',
  checks,
  steps: [translateClass, moveDefaultBackend, translatePaths, translateCertificates, translateObjectAnnotations],
};
