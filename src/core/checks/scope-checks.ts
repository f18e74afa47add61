import { KEY } from '../identity/metadata.ts';
import { at, describe, isObject, own } from '../kube/json.ts';
import { knowsVersion } from '../kube/kinds.ts';
import { matchesSelector } from '../kube/labels.ts';
import { annotationsOf, apiVersionOf, labelsOf, namespaceOf } from '../kube/object.ts';
import type { PolicyEntry } from '../plan/settings.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';
import { consentOf } from './consents.ts';
import { unknownKind } from './unknown-kind.ts';

/** Namespaces of the tenant's own control plane (product rules, one convergence pass). */
const SYSTEM_NAMESPACES: ReadonlySet<string> = new Set(['kube-system', 'kube-public', 'kube-node-lease']);

/** What every API server makes by itself. */
const INFRASTRUCTURE: ReadonlySet<string> = new Set([
  'Service|default|kubernetes',
  'Endpoints|default|kubernetes',
  'EndpointSlice.discovery.k8s.io|default|kubernetes',
]);
const ROOT_CA = 'kube-root-ca.crt';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const DNS_1035_LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const NEVER_WHY = 'it is the platform’s to set';
const FUNCTION_KEYS = ['config.kubernetes.io/function', 'config.k8s.io/function', 'config.kubernetes.io/container'] as const;

/** The SyncPolicy entry that covers an object: that of its version, else the first of its kind. */
export function entryFor(ctx: Pick<TenantContext, 'policy'>, subject: Pick<Subject, 'key' | 'object'>): PolicyEntry | undefined {
  const entries = ctx.policy.entries.filter((entry) => entry.key === subject.key);
  return entries.length < 2 ? entries[0] : (entries.find((entry) => entry.apiVersion === apiVersionOf(subject.object)) ?? entries[0]);
}

export function entryName(entry: Pick<PolicyEntry, 'apiVersion' | 'kind'>): string {
  return `${entry.apiVersion}/${entry.kind}`;
}

const sourceText = (subject: Subject): string => `${subject.virtualNamespace}/${subject.name}`;
const refusal = (reason: Refusal['reason'], params: Refusal['params'], path?: Refusal['path']): Refusal[] => [
  path === undefined ? { reason, params } : { reason, params, path },
];
const PASS: readonly Refusal[] = [];

const isKnown = ({ object, row }: Subject): boolean => knowsVersion(row, apiVersionOf(object));

/** What an object is and where it stands, before anything is said about its content. First refusal wins. */
export const scopeChecks: readonly Check[] = [
  {
    id: 'scope.metadata',
    run: (subject) =>
      ['name', 'namespace'].flatMap((field): Refusal[] => {
        // YAML 1.1, which kubectl reads, takes n, y, on and off for booleans and 123 for a number.
        const value = at(subject.object, 'metadata', field);
        if (value === undefined || value === null || typeof value === 'string') return [];
        return refusal('ObjectMalformed', { found: describe(value), wanted: 'a string (quote it)' }, ['metadata', field]);
      }),
  },
  {
    id: 'scope.encrypted',
    run: (subject) => {
      const sops = own(subject.object, 'sops');
      return isObject(sops) && (own(sops, 'mac') !== undefined || own(sops, 'version') !== undefined) ? refusal('EncryptedFile', {}) : PASS;
    },
  },
  {
    id: 'scope.function',
    run: (subject) => {
      const annotations = annotationsOf(subject.object);
      const key = FUNCTION_KEYS.find((name) => annotations.has(name));
      return key === undefined ? PASS : refusal('FunctionInTenant', { key }, ['metadata', 'annotations', key]);
    },
  },
  {
    id: 'scope.cluster-scoped',
    run: (subject, ctx) =>
      subject.row.role !== 'fact' && (subject.row.scope === 'Cluster' || entryFor(ctx, subject)?.scope === 'Cluster')
        ? refusal('KindIsClusterScoped', { kind: subject.row.kind })
        : PASS,
  },
  {
    id: 'scope.fact',
    run: (subject) =>
      subject.row.role === 'fact' && isKnown(subject) ? refusal('FactRead', { kind: subject.row.kind, source: sourceText(subject) }) : PASS,
  },
  {
    id: 'scope.never',
    run: (subject) => (subject.row.role === 'never' ? refusal('KindNeverProjected', { kind: subject.row.kind, why: NEVER_WHY }) : PASS),
  },
  {
    id: 'scope.known',
    run: (subject, ctx) => {
      if (subject.row.versions.length === 0) {
        // References and selectors of a custom kind are declared for one version; in another they may stand elsewhere.
        const entry = entryFor(ctx, subject);
        if (entry?.scope !== undefined && entry.apiVersion === apiVersionOf(subject.object)) return PASS;
      } else if (isKnown(subject)) return PASS;
      return [unknownKind(subject.object, ctx.policy.name)];
    },
  },
  {
    id: 'scope.name',
    run: (subject) => {
      if (subject.name === '') return refusal('NameMissing', {}, ['metadata', 'name']);
      if (subject.row.kind === 'Service' && !DNS_1035_LABEL.test(subject.name)) {
        return refusal(
          'InvalidName',
          {
            what: 'Service',
            value: JSON.stringify(subject.name),
            rule: 'lower-case letters, digits and dashes, beginning with a letter, at most 63 (RFC 1035 label)',
          },
          ['metadata', 'name'],
        );
      }
      if (subject.name.length > 253 || !DNS_SUBDOMAIN.test(subject.name)) {
        return refusal(
          'InvalidName',
          {
            what: subject.row.kind,
            value: JSON.stringify(subject.name.slice(0, 80)),
            rule: 'lower-case letters, digits, dashes and dots, at most 253 (RFC 1123 subdomain)',
          },
          ['metadata', 'name'],
        );
      }
      return DNS_LABEL.test(subject.virtualNamespace)
        ? PASS
        : refusal(
            'InvalidName',
            {
              what: 'Namespace',
              value: JSON.stringify(subject.virtualNamespace.slice(0, 80)),
              rule: 'lower-case letters, digits and dashes, at most 63 (RFC 1123 label)',
            },
            ['metadata', 'namespace'],
          );
    },
  },
  {
    id: 'scope.system-namespace',
    run: (subject) =>
      SYSTEM_NAMESPACES.has(subject.virtualNamespace) ? refusal('SystemNamespace', { namespace: subject.virtualNamespace }) : PASS,
  },
  {
    id: 'scope.infrastructure',
    run: (subject) =>
      INFRASTRUCTURE.has(`${subject.key}|${subject.virtualNamespace}|${subject.name}`) ||
      (subject.key === 'ConfigMap' && subject.name === ROOT_CA)
        ? refusal('ControlPlaneInfrastructure', { kind: subject.row.kind, source: sourceText(subject) })
        : PASS,
  },
  {
    id: 'scope.opt-out',
    run: (subject) => (annotationsOf(subject.object).get('tenantplane.io/project') === 'false' ? refusal('TenantOptOut', {}) : PASS),
  },
];

const SNIPPET = (entry: string): string =>
  `{apiVersion: ${entry.slice(0, entry.lastIndexOf('/'))}, kind: ${entry.slice(entry.lastIndexOf('/') + 1)}, direction: toHost}`;

export const policyChecks: readonly Check[] = [
  {
    id: 'policy.entry',
    run: (subject, ctx) => {
      if (entryFor(ctx, subject) !== undefined) return PASS;
      const entry = `${apiVersionOf(subject.object)}/${subject.row.kind}`;
      const params = { policy: ctx.policy.name, kind: entry, snippet: SNIPPET(entry) };
      const consent = consentOf(subject, ctx);
      if (consent === undefined) return refusal('KindNotListed', params);
      const { holder, field, value, setting, or } = consent;
      const remedy = `Add ${params.snippet} to spec.resources of SyncPolicy ${params.policy}, and set ${field}: ${value} on ${holder}${or === undefined ? '' : `; ${or}`}.`;
      return [{ reason: 'KindNotListed', params: { ...params, needs: setting }, remedy }];
    },
  },
  {
    id: 'policy.selector',
    run: (subject, ctx) => {
      const entry = entryFor(ctx, subject);
      if (entry?.labelSelector === undefined) return undefined;
      return matchesSelector(entry.labelSelector, labelsOf(subject.object))
        ? PASS
        : refusal('SelectorNotMatched', {
            policy: ctx.policy.name,
            entry: entryName(entry),
            selector: JSON.stringify(entry.labelSelector),
          });
    },
  },
];

/** The tenant that the object claims to be of, where it says so and says another. */
export function claimsOtherTenant(subject: Pick<Subject, 'object'>, tenantKey: string): string | undefined {
  const claimed = annotationsOf(subject.object).get(KEY.tenantCluster);
  return claimed === undefined || claimed === tenantKey ? undefined : claimed;
}

export function virtualNamespaceOf(object: Subject['object']): string {
  return namespaceOf(object) || 'default';
}
