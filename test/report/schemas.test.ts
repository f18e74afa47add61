import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../src/core/kube/json.ts';
import { REPORT_KINDS, reportSchema } from '../../src/report/schemas/report-schemas.ts';
import { HOST_PATH_POD, PLATFORM, tenantplane, twoTenants } from '../cli/harness.ts';

/** The same schema, but that every field has to be described: what a report prints and its schema does not know is an error here. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value ?? null)]));
  return isObject(schema['properties']) ? { ...inner, additionalProperties: false } : inner;
}

function complaints(kind: string, document: unknown): readonly string[] {
  const validator = new Validator(closed(reportSchema(kind) ?? false) as object, '2020-12', false);
  return validator.validate(document).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** How each kind of report is made. A kind that publishes a schema needs a row. */
const MADE: Readonly<Record<string, () => Promise<string>>> = {
  async ValidationReport() {
    return (await tenantplane(['validate', '-o', 'json'], { cwd: twoTenants({ 'tenants/dev/objects/worker.yaml': HOST_PATH_POD }) })).out;
  },
  async AuditReport() {
    return (await tenantplane(['audit', 'verify', '-o', 'json', '--require-ledger'], { cwd: twoTenants() })).out;
  },
  async DoctorReport() {
    return (await tenantplane(['doctor', '-o', 'json'], { cwd: twoTenants() })).out;
  },
  async DiffReport() {
    const before = twoTenants({ 'tenants/qa/objects/a.yaml': CONFIG.replace('one', 'two') });
    const after = twoTenants({
      'platform/platform.yaml': PLATFORM.replace('level: restricted', 'level: baseline'),
      'tenants/dev/objects/a.yaml': CONFIG,
      'tenants/dev/objects/worker.yaml': HOST_PATH_POD,
      'tenants/qa/objects/a.yaml': CONFIG,
    });
    const { out } = await tenantplane(['diff', '--base', before, '--head', after, '-o', 'json'], { cwd: after });
    return out;
  },
};

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\ndata: {k: one}\n';

describe.each(REPORT_KINDS)('%s', (kind) => {
  test('is what its schema says, in every field', async () => {
    const document = JSON.parse((await MADE[kind]?.()) ?? 'null');
    expect(document.kind).toBe(kind);
    expect(complaints(kind, document)).toEqual([]);
    // a field that is missing and one that is not described are both seen
    const [first = ''] = Object.keys(document).filter((key) => key !== 'apiVersion' && key !== 'kind');
    const { [first]: _, ...rest } = document;
    expect(complaints(kind, rest)).not.toEqual([]);
    expect(complaints(kind, { ...document, unheard: 1 })).not.toEqual([]);
  });

  test('has its schema printed, for programs and for people', async () => {
    const { out, code } = await tenantplane(['schema', kind, '-o', 'json']);
    expect([code, JSON.parse(out).title]).toEqual([0, kind]);
    expect((await tenantplane(['schema', kind.toLowerCase()])).out).toContain('report.tenantplane.io/v1alpha1');
    expect((await tenantplane(['schema'])).out).toContain(kind);
  });
});

test('the document of a diff that changes something holds each sort of thing', async () => {
  const document = JSON.parse((await MADE['DiffReport']?.()) ?? 'null');
  for (const part of ['causes', 'changes', 'refusals', 'isolation']) expect(document[part].length, part).toBeGreaterThan(0);
});
