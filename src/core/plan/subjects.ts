import { noKind } from '../checks/no-kind.ts';
import { claimsOtherTenant, virtualNamespaceOf } from '../checks/scope-checks.ts';
import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import type { ReasonName } from '../decision/reasons.ts';
import { type KindRow, kindRow } from '../kube/kinds.ts';
import { apiVersionOf, groupOf, isNoObject, kindKey, kindOf, nameOf } from '../kube/object.ts';
import { isConfig, type TenantKey } from './assign.ts';
import type { InputObject } from './plan-types.ts';
import type { Subject } from './tenant-context.ts';

export interface Subjects {
  readonly subjects: readonly Subject[];
  /** inputs that are no subject of the planner: configuration, duplicates, documents that are no objects */
  readonly decisions: readonly Decision[];
}

/** Charts bring their CRDs along (`helm template --include-crds`), and a CRD is one for all tenants of the host. */
const CRD_REMEDY =
  'Take it out of objects/ and install it with the CRDs of the platform, once for the host; helm template leaves it out without --include-crds.';

/** Turns a tenant's inputs into subjects, in a fixed order whatever the order of the files. */
export function toSubjects(tenant: Decision['tenant'], inputs: readonly InputObject[]): Subjects {
  const tenantKey: TenantKey = `${tenant.namespace}/${tenant.name}`;
  const decisions: Decision[] = [];
  const candidates: Subject[] = [];
  const causes = [`TenantCluster/${tenant.name}`];
  const reject = (input: InputObject, reason: ReasonName, params: Decision['params'], remedy?: string): void => {
    const told = { reason, params, ...(remedy !== undefined && { remedy }) };
    decisions.push(decide({ tenant, source: sourceRef(input), flow: 'None', action: 'Skip', ...told, causes }));
  };

  for (const input of inputs) {
    const { object } = input;
    const apiVersion = apiVersionOf(object);
    const kind = kindOf(object);
    if (isNoObject(object)) {
      reject(input, 'NotAnObject', { why: 'it has neither apiVersion nor kind' });
      continue;
    }
    const unsaid = noKind(object);
    if (unsaid !== undefined) {
      reject(input, unsaid.reason, unsaid.params, unsaid.remedy);
      continue;
    }
    if (isConfig(object) || groupOf(apiVersion) === 'fn.tenantplane.io') {
      reject(input, 'ConfigFromTenant', { kind }, kind === 'CustomResourceDefinition' ? CRD_REMEDY : undefined);
      continue;
    }
    const claimed = claimsOtherTenant({ object }, tenantKey);
    if (claimed !== undefined) {
      reject(input, 'TenantMismatch', { annotation: claimed, folder: tenantKey });
      continue;
    }
    const key = kindKey(apiVersion, kind);
    const row = kindRow(key) ?? unknownRow(apiVersion, kind);
    candidates.push({
      object,
      row,
      key,
      name: nameOf(object),
      virtualNamespace: row.scope === 'Cluster' ? '' : virtualNamespaceOf(object),
      source: input.source,
    });
  }

  const byIdentity = new Map<string, Subject[]>();
  for (const subject of candidates) {
    const identity =
      subject.name === ''
        ? `${subject.source.path}#${subject.source.document}`
        : `${subject.key}|${subject.virtualNamespace}|${subject.name}`;
    const group = byIdentity.get(identity);
    if (group === undefined) byIdentity.set(identity, [subject]);
    else group.push(subject);
  }
  const subjects: Subject[] = [];
  for (const group of byIdentity.values()) {
    if (group.length === 1) {
      subjects.push(...group);
      continue;
    }
    const files = placesOf(group);
    for (const subject of group) {
      reject(subject, 'SourceDuplicated', {
        source: `${subject.row.kind} ${subject.virtualNamespace}/${subject.name}`,
        count: String(group.length),
        files,
      });
    }
  }
  return { subjects: subjects.sort(bySubject), decisions };
}

/** Ten thousand copies of one object get a message of ten places each, not of ten thousand. */
const MOST_PLACES = 10;

function placesOf(group: readonly Subject[]): string {
  const sources = group.map(({ source }) => source).sort((a, b) => compare(a.path, b.path) || a.document - b.document);
  const places = sources.map(({ path, line }) => `${path}${line === undefined ? '' : `:${line}`}`);
  const shown = places.slice(0, MOST_PLACES).join(', ');
  return places.length <= MOST_PLACES ? shown : `${shown} and ${places.length - MOST_PLACES} more`;
}

/** A kind that the table does not hold; scope checks decide what that means. */
function unknownRow(apiVersion: string, kind: string): KindRow {
  return { kind, group: groupOf(apiVersion), versions: [], plural: '', scope: 'Namespaced', role: 'projected', nameLimit: 63, dots: true };
}

export function sourceRef(input: InputObject): NonNullable<Decision['source']> {
  const { object, source } = input;
  const row = kindRow(kindKey(apiVersionOf(object), kindOf(object)));
  return {
    apiVersion: apiVersionOf(object),
    kind: kindOf(object),
    namespace: row?.scope === 'Cluster' ? '' : virtualNamespaceOf(object),
    name: nameOf(object),
    file: source,
  };
}

function bySubject(a: Subject, b: Subject): number {
  return (
    compare(a.key, b.key) ||
    compare(a.virtualNamespace, b.virtualNamespace) ||
    compare(a.name, b.name) ||
    compare(a.source.path, b.source.path) ||
    a.source.document - b.source.document
  );
}

/** Code unit order: the same on every machine, unlike localeCompare. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
