import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openPackage } from '../../src/cli/why/open-package.ts';
import { planPart } from '../../src/cli/why/plan-part.ts';
import type { Decision, ObjectRef } from '../../src/core/decision/decision.ts';
import { everything } from '../../src/core/explain/find-subjects.ts';
import { KEY } from '../../src/core/identity/metadata.ts';
import { type JsonObject, stringAt } from '../../src/core/kube/json.ts';
import { annotationsOf, kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { decisionRecord } from '../../src/report/decision-record.ts';
import { tenantplane } from '../cli/harness.ts';
import { put, scratch } from '../cli/tree/disk.ts';
import { ALL_KINDS, policy, profile, tenant } from '../support/observe.ts';
import { tenantObject } from './tenant-objects.ts';

const TENANTS = ['dev', 'qa'] as const;
// one suffix for all, so that two tenants may want one host
const PROFILE = profile(
  'restricted',
  'restricted',
  '  allow: {daemonSets: true, ingressClasses: [nginx], ingressHostSuffixes: ["dev.example.com"]}\n',
);
const SPEC = '  networking: {egressPolicy: allow-same-tenant}\n';

interface Sample {
  readonly before: readonly (readonly JsonObject[])[];
  readonly after: readonly (readonly JsonObject[])[];
  readonly kinds: readonly string[];
}

/** An Ingress for one of two hosts: both tenants often want the same. */
const claim = fc.nat({ max: 1 }).map(
  (host): JsonObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: `claim-${host}`, namespace: 'default' },
    spec: {
      rules: [
        {
          host: `www-${host}.dev.example.com`,
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'zz0', port: { number: 80 } } } }] },
        },
      ],
    },
  }),
);
const ofTenant = fc
  .tuple(fc.array(tenantObject, { minLength: 1, maxLength: 3 }), fc.array(claim, { maxLength: 1 }))
  .map(([objects, claims]) => [...objects, ...claims]);
const ofTenants = fc.tuple(...TENANTS.map(() => ofTenant));
/** Two tenants with a tree that was rendered from other objects, and a policy that lists some kinds. */
const sample: fc.Arbitrary<Sample> = fc.record({
  before: ofTenants,
  after: ofTenants,
  kinds: fc.subarray([...ALL_KINDS], { minLength: 12 }),
});

function objectFiles(objects: readonly (readonly JsonObject[])[]): Record<string, string> {
  return Object.fromEntries(
    TENANTS.map((name, index) => [
      `tenants/${name}/objects/app.yaml`,
      unique(objects[index] ?? [])
        .map(emitYaml)
        .join('---\n'),
    ]),
  );
}

function unique(objects: readonly JsonObject[]): readonly JsonObject[] {
  const identity = (row: JsonObject): string =>
    `${row['kind']}|${stringAt(row, 'metadata', 'namespace')}|${stringAt(row, 'metadata', 'name')}`;
  return [...new Map(objects.map((row) => [identity(row), row])).values()];
}

async function packageOf({ before, after, kinds }: Sample): Promise<string> {
  const root = scratch();
  const clusters = TENANTS.map((name) => [`tenants/${name}/tenant.yaml`, tenant(name, { spec: SPEC })]);
  put(root, {
    'platform/profile.yaml': PROFILE,
    'platform/policy.yaml': policy(),
    ...Object.fromEntries(clusters),
    ...objectFiles(before),
  });
  await tenantplane(['render', '-q', '--fail-on', 'never'], { cwd: root });
  put(root, { 'platform/policy.yaml': policy(kinds), ...objectFiles(after) });
  return root;
}

/** The package as it was before its objects and its policy were edited. */
function packageBefore({ before }: Sample): string {
  const root = scratch();
  put(root, {
    'platform/profile.yaml': PROFILE,
    'platform/policy.yaml': policy(),
    ...Object.fromEntries(TENANTS.map((name) => [`tenants/${name}/tenant.yaml`, tenant(name, { spec: SPEC })])),
    ...objectFiles(before),
  });
  return root;
}

async function json(root: string, ...argv: string[]): Promise<JsonObject> {
  const { out, err } = await tenantplane([...argv, '-o', 'json'], { cwd: root });
  if (out === '') throw new Error(`${argv.join(' ')}: ${err}`);
  return JSON.parse(out) as JsonObject;
}

/** What commands must agree on. */
function essence(decision: Decision): JsonObject {
  const { host } = decision;
  return {
    action: decision.action,
    code: `${decision.code} ${decision.reason}`,
    host: host === undefined ? null : `${host.namespace}/${host.name}`,
    message: decision.message,
  };
}

function told(record: JsonObject | undefined): JsonObject {
  const host =
    stringAt(record, 'host', 'name') === undefined ? null : `${stringAt(record, 'host', 'namespace')}/${stringAt(record, 'host', 'name')}`;
  return {
    action: record?.['action'] ?? null,
    code: `${record?.['code']} ${record?.['reason']}`,
    host,
    message: record?.['message'] ?? null,
  };
}

function predicted(document: JsonObject): JsonObject {
  const host =
    stringAt(document, 'hostResource', 'name') === undefined
      ? null
      : `${stringAt(document, 'hostResource', 'namespace')}/${stringAt(document, 'hostResource', 'name')}`;
  return {
    action: stringAt(document, 'decision', 'action') ?? null,
    code: stringAt(document, 'decision', 'code') ?? null,
    host,
    message: document['reason'] ?? null,
  };
}

function subjectsOf(document: JsonObject): readonly JsonObject[] {
  const found = document['subjects'];
  return Array.isArray(found) ? (found as JsonObject[]).map((entry) => entry['decision'] as JsonObject) : [];
}

/** Where the tree has what was rendered from an object, as `namespace/name`. */
function standsAt(root: string, hostFiles: readonly string[], { kind, namespace, name }: ObjectRef): string | null {
  for (const path of hostFiles) {
    const object = readDocuments(readFileSync(join(root, 'host', path), 'utf8'), path).objects[0]?.object;
    if (object === undefined || kindOf(object) !== kind) continue;
    const annotations = annotationsOf(object);
    if (annotations.get(KEY.virtualName) === name && annotations.get(KEY.virtualNamespace) === namespace)
      return `${namespaceOf(object)}/${nameOf(object)}`;
  }
  return null;
}

/** Asks every command about every subject of a package. @returns the reasons that it was told */
async function agreeOnSubjects(root: string): Promise<readonly string[]> {
  const reasons: string[] = [];
  const open = await openPackage({ root }, new AbortController().signal);
  const { plan } = await planPart(open, undefined, new AbortController().signal);
  for (const { decision } of everything(plan)) {
    const { source, host, tenant: owner } = decision;
    const want = essence(decision);
    if (source !== undefined && source.kind !== 'TenantCluster' && decision.reason !== 'ConfigCopied' && owner.name !== '') {
      const key = `${owner.namespace}/${owner.name}`;
      const word = `${source.apiVersion}/${source.kind}/${source.name}`;
      const where = ['--tenant', key, '--virtual-namespace', source.namespace];
      // of a frozen tenant they say, beside what is decided, where the object still stands
      const stands = plan.tenants.some(({ namespace, frozen }) => namespace === owner.namespace && frozen !== undefined)
        ? standsAt(root, open.hostFiles, source)
        : null;
      const answer = { ...want, host: want['host'] ?? stands };
      for (const command of ['why', 'why-not'])
        expect([command, word, ...subjectsOf(await json(root, command, word, ...where)).map(told)]).toEqual([command, word, answer]);
      const [name, namespace] = [owner.name, owner.namespace];
      const flags = [
        '--tenant',
        name,
        '--tenant-namespace',
        namespace,
        '-n',
        source.namespace,
        '--kind',
        `${source.apiVersion}/${source.kind}`,
        '--name',
        source.name,
      ];
      expect(['explain-sync', word, predicted(await json(root, 'explain-sync', '.', ...flags))]).toEqual(['explain-sync', word, answer]);
    } else if (host?.file.startsWith('team-') === true) {
      expect([host.file, ...subjectsOf(await json(root, 'why', `host/${host.file}`)).map(told)]).toEqual([host.file, want]);
    }
    reasons.push(decision.reason);
  }
  return reasons;
}

/**
 * Packages that are the same in every run, before the random ones: together they hold each thing that the laws must have been asked
 * about, which a handful of random ones does not in every run.
 */
const ALWAYS: [Sample][] = fc.sample(sample, { seed: 4, numRuns: 4 }).map((given) => [given]);

describe('one brain', () => {
  test('explain-sync, why, why-not and the plan agree on every subject', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(sample, async (given) => {
        const root = await packageOf(given);
        for (const reason of await agreeOnSubjects(root)) seen.set(reason, (seen.get(reason) ?? 0) + 1);
      }),
      { examples: ALWAYS, numRuns: ALWAYS.length + 6 },
    );
    // the law was asked about what is rendered, refused, compiled and removed
    for (const reason of ['PolicyMatched', 'KindNotListed', 'IsolationObjectCompiled', 'SourceRemoved'])
      expect([reason, seen.get(reason) ?? 0]).not.toEqual([reason, 0]);
  }, 120_000);

  test('they agree on a tenant that broke its input while its profile became stricter: its boundary is written, its objects wait', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(sample, async (given) => {
        const root = await packageOf(given);
        put(root, {
          'platform/profile.yaml': `${PROFILE}  limits: {max: {memory: 16Gi}}\n`,
          'tenants/dev/objects/bad.yaml': 'a: [',
        });
        await agreeOnSubjects(root);
        const { signal } = new AbortController();
        const { plan } = await planPart(await openPackage({ root }, signal), undefined, signal);
        const dev = plan.tenants.find(({ name }) => name === 'dev');
        for (const { path } of dev?.files ?? []) {
          const [told] = rows(await json(root, 'why', `host/${path}`), 'subjects');
          expect([path, told?.['held']]).toEqual([path, undefined]);
          written += 1;
        }
        for (const decision of (dev?.decisions ?? []).filter(({ source }) => source !== undefined))
          expect(dev?.files.map((file) => file.decision)).not.toContain(decision);
        const controls = rows(rows(await json(root, 'isolation', 'dev'), 'tenants')[0] ?? {}, 'controls');
        const limits = controls.find(({ control }) => control === 'controls.requireResourceRequests');
        // new pods get them; what the render gives waits with the tenant's own objects
        expect(limits).toMatchObject({ holds: 'partly', enforcedBy: expect.arrayContaining(['LimitRange/tenantplane-defaults']) });
      }),
      { examples: ALWAYS.slice(0, 2), numRuns: 3 },
    );
    expect(written).toBeGreaterThan(0);
  }, 240_000);

  test('diff and what-if say of what changes what the plan says of it', async () => {
    const seen = { added: 0, changed: 0, removed: 0, refused: 0, 'what-if': 0 };
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(sample, async (given) => {
        const root = await packageOf(given);
        const { plan } = await planPart(await openPackage({ root }, signal), undefined, signal);
        const decisions = everything(plan).map(({ decision }) => decision);
        const diff = await json(root, 'diff', '--base', packageBefore(given), '--head', root);
        for (const change of rows(diff, 'changes')) {
          const verb = change['verb'] === 'added' || change['verb'] === 'changed' ? change['verb'] : 'removed';
          expect(reviewed(change)).toEqual(decided(decisions, change, 'host', verb === 'removed' ? ['Delete'] : ['Create', 'Update']));
          seen[verb] += 1;
        }
        const removed = rows(diff, 'changes').filter(({ verb }) => verb === 'removed');
        const frozen = plan.stopped || plan.tenants.some((one) => one.frozen !== undefined);
        if (!frozen) expect(removed.length).toBe(decisions.filter(({ action }) => action === 'Delete').length);
        seen.refused += agreeOnRefusals(diff, decisions);
        // the same edit of the policy, made in memory
        const unedited = await packageOf({ ...given, kinds: [...ALL_KINDS] });
        put(unedited, { 'platform/policy.yaml': policy() });
        const edit = scratch();
        put(edit, { 'policy.yaml': policy(given.kinds) });
        const whatIf = await json(unedited, 'what-if', '--patch', `${edit}/policy.yaml`);
        for (const change of rows(whatIf, 'changes').filter(({ verb }) => verb !== 'removed')) {
          expect(reviewed(change)).toEqual(decided(decisions, change, 'host', ['Create', 'Update']));
        }
        seen['what-if'] += rows(whatIf, 'changes').length;
        agreeOnRefusals(whatIf, decisions);
      }),
      { examples: ALWAYS, numRuns: ALWAYS.length + 8 },
    );
    for (const [what, count] of Object.entries(seen)) expect([what, count]).not.toEqual([what, 0]);
  }, 120_000);

  test('the plan of a part is that part of the whole plan', async () => {
    const seen = new Map<string, number>();
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(sample, async (given) => {
        const root = await packageOf(given);
        const open = await openPackage({ root }, signal);
        const whole = await planPart(open, undefined, signal);
        for (const cluster of open.clusters) {
          const part = await planPart(open, [cluster], signal);
          const [own] = part.plan.tenants;
          const same = whole.plan.tenants.find(({ namespace, name }) => `${namespace}/${name}` === cluster.key);
          expect(own?.decisions.map(decisionRecord)).toEqual(same?.decisions.map(decisionRecord));
          expect(own?.files.map(({ path, text }) => [path, text])).toEqual(same?.files.map(({ path, text }) => [path, text]));
          expect({ ...own, decisions: [], files: [] }).toEqual({ ...same, decisions: [], files: [] });
          for (const { reason } of own?.decisions ?? []) seen.set(reason, (seen.get(reason) ?? 0) + 1);
        }
      }),
      { examples: ALWAYS, numRuns: ALWAYS.length + 40 },
    );
    expect(seen.get('IngressHostTaken') ?? 0).toBeGreaterThan(0);
  }, 120_000);
});

function rows(document: JsonObject, name: string): readonly JsonObject[] {
  const found = document[name];
  return Array.isArray(found) ? (found as JsonObject[]) : [];
}

/** What a review says of a host object or a refusal. */
function reviewed({ code, reason, message }: JsonObject): JsonObject {
  return { code: code ?? null, reason: reason ?? null, message: message ?? null };
}

/** What the plan says of the same: by host object, or by the tenant's own. */
function decided(decisions: readonly Decision[], row: JsonObject, side: 'host' | 'source', actions: readonly string[]): JsonObject {
  const key = side === 'host' ? 'host' : 'subject';
  const at = (field: string): string => stringAt(row, key, field) ?? '';
  const found = decisions.filter((decision) => {
    const ref = decision[side];
    const owner = `${decision.tenant.namespace}/${decision.tenant.name}`;
    return (
      ref !== undefined &&
      actions.includes(decision.action) &&
      ref.kind === at('kind') &&
      ref.namespace === at('namespace') &&
      ref.name === at('name') &&
      (side === 'host' || row['tenant'] === owner)
    );
  });
  const [first] = found;
  return first === undefined ? { none: `${at('kind')} ${at('name')}` } : { code: first.code, reason: first.reason, message: first.message };
}

/** @returns how many there were */
function agreeOnRefusals(document: JsonObject, decisions: readonly Decision[]): number {
  const refused = rows(document, 'refusals').filter(({ verb }) => verb === 'added');
  for (const row of refused) expect(reviewed(row)).toEqual(decided(decisions, row, 'source', ['Skip']));
  return refused.length;
}
