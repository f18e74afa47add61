import { KINDS, kindRow } from '../../core/kube/kinds.ts';
import { kindKey } from '../../core/kube/object.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';

export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Short names, as `kubectl api-resources` lists them. */
const SHORT: Readonly<Record<string, string>> = {
  po: 'Pod',
  deploy: 'Deployment',
  sts: 'StatefulSet',
  ds: 'DaemonSet',
  rs: 'ReplicaSet',
  rc: 'ReplicationController',
  cj: 'CronJob',
  svc: 'Service',
  ep: 'Endpoints',
  cm: 'ConfigMap',
  pvc: 'PersistentVolumeClaim',
  ing: 'Ingress',
  netpol: 'NetworkPolicy',
  pdb: 'PodDisruptionBudget',
  hpa: 'HorizontalPodAutoscaler',
  es: 'ExternalSecret',
  sa: 'ServiceAccount',
  ns: 'Namespace',
};

/**
 * The kind that a person means by `Deployment`, `deployments`, `Deployment.apps` or `apps/v1/Deployment`.
 * @param declared kinds that the package's policies name beyond the table
 */
export function findKind(text: string, declared: readonly KindName[]): KindName {
  const slash = text.lastIndexOf('/');
  if (slash > 0) return { apiVersion: text.slice(0, slash), kind: text.slice(slash + 1) };
  const found = tryKind(text, declared);
  if (found !== undefined) return found;
  const near = nearest(text, [...KINDS.map((known) => known.kind), ...declared.map((known) => known.kind)]);
  throw new TenantplaneError('usage', `The kind ${text} is not in the table of kinds, and no SyncPolicy of the package names it.`, {
    hint: near === undefined ? 'Write it with its version: --kind GROUP/VERSION/KIND.' : `Did you mean ${near}?`,
  });
}

/** The same where the kind is known, with its version or without; undefined where it is not. */
export function tryKind(text: string, declared: readonly KindName[]): KindName | undefined {
  const slash = text.lastIndexOf('/');
  if (slash > 0) {
    const named = { apiVersion: text.slice(0, slash), kind: text.slice(slash + 1) };
    const known = kindRow(kindKey(named.apiVersion, named.kind)) !== undefined || declared.some((other) => sameKind(other, named));
    return known ? named : undefined;
  }
  const lower = ((Object.hasOwn(SHORT, text.toLowerCase()) ? SHORT[text.toLowerCase()] : undefined) ?? text).toLowerCase();
  const rows = KINDS.filter((row) => {
    const key = (row.group === '' ? row.kind : `${row.kind}.${row.group}`).toLowerCase();
    return row.kind.toLowerCase() === lower || row.plural === lower || key === lower;
  });
  const row = rows.find((known) => known.role === 'projected') ?? rows[0];
  if (row !== undefined) {
    const version = row.versions[0] ?? 'v1';
    return { apiVersion: row.group === '' ? version : `${row.group}/${version}`, kind: row.kind };
  }
  return declared.find((known) => known.kind.toLowerCase() === lower);
}

function sameKind(a: KindName, b: KindName): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind;
}
