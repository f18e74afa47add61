import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, isObject, type Json, type JsonObject, stringAt } from '../../src/core/kube/json.ts';

/** One request, as the API server wrote it down. */
export interface AuditEntry {
  readonly verb: string;
  readonly group: string;
  /** with its subresource: `tenantclusters/status` */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly code: number;
  /** milliseconds since 1970, when it came in */
  readonly time: number;
  /** which of a user's tokens it was; empty where it was no token of a ServiceAccount */
  readonly token: string;
}

const LOG = 'audit.log';

/** Flags of an API server that writes down what these users ask for, and what was answered, but no content. */
export function auditFlags(folder: string, users: readonly string[]): string[] {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', users }],
  };
  const file = join(folder, 'audit-policy.yaml');
  writeFileSync(file, JSON.stringify(policy));
  return [`--audit-policy-file=${file}`, `--audit-log-path=${join(folder, LOG)}`];
}

/** One entry for each request: a watch has one when it begins and one when it ends. */
export function auditLog(folder: string): readonly AuditEntry[] {
  const file = join(folder, LOG);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // the last line may be half written
  const events = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => JSON.parse(line) as Json)
    .filter(isObject)
    .filter((event) => at(event, 'objectRef') !== undefined);
  return [...new Map(events.map((event) => [stringAt(event, 'auditID'), entryOf(event)])).values()];
}

function entryOf(event: JsonObject): AuditEntry {
  const text = (field: string): string => stringAt(event, 'objectRef', field) ?? '';
  const part = text('subresource');
  const ids = at(event, 'user', 'extra', 'authentication.kubernetes.io/credential-id');
  return {
    verb: stringAt(event, 'verb') ?? '',
    group: text('apiGroup'),
    resource: part === '' ? text('resource') : `${text('resource')}/${part}`,
    namespace: text('namespace'),
    name: text('name'),
    code: Number(at(event, 'responseStatus', 'code') ?? 0),
    time: Date.parse(stringAt(event, 'requestReceivedTimestamp') ?? ''),
    token: Array.isArray(ids) ? ids.join() : '',
  };
}
