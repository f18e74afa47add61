import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { commandModel, everyCommand } from '../../src/cli/completion/command-model.ts';
import { downDocument } from '../../src/cli/down/down-report.ts';
import { kubeconfigDocument } from '../../src/cli/kubeconfig/kubeconfig-report.ts';
import { createProgram } from '../../src/cli/program.ts';
import { upDocument } from '../../src/cli/up/up-report.ts';
import { isObject, type Json } from '../../src/core/kube/json.ts';
import { REPORT_KINDS, type ReportKind } from '../../src/report/schemas/report-kinds.ts';
import { reportSchema } from '../../src/report/schemas/report-schemas.ts';
import { configMap, HOST_PATH_POD, PLATFORM, tenantplane, twoTenants } from '../cli/harness.ts';
import { put } from '../cli/tree/disk.ts';

type Document = Readonly<Record<string, unknown>>;

/** The same schema, but that every field has to be described: what a report prints and its schema does not know is an error here. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value ?? null)]));
  return isObject(schema['properties']) ? { ...inner, additionalProperties: false } : inner;
}

function complaints(kind: ReportKind, document: unknown): readonly string[] {
  const validator = new Validator(closed(reportSchema(kind)) as object, '2020-12', false);
  return validator.validate(document).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\ndata: {k: one}\n';
const SHOP = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: main
        image: a
        ports: [{containerPort: 8080}]
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec: {podSelector: {matchLabels: {app: web}}, ingress: [{from: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: 8080}]}]}
---
${HOST_PATH_POD}`;
const LISTED = [
  '{apiVersion: apps/v1, kind: Deployment, direction: toHost}',
  '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, direction: toHost}',
];

/** Two tenants with a workload that is rendered and one that is refused; rendered once, and edited since. */
async function shop(): Promise<string> {
  const cwd = twoTenants({
    'platform.yaml': `${PLATFORM}  - ${LISTED.join('\n  - ')}\n`,
    'tenants/dev/objects/app.yaml': SHOP,
    'tenants/qa/objects/app.yaml': SHOP.replace('- name: main', '- name: other'),
  });
  await tenantplane(['render', '-q', '--fail-on', 'never'], { cwd });
  put(cwd, { 'tenants/dev/objects/a.yaml': configMap('a', 'new'), 'host/team-dev/notes.yaml': configMap('notes') });
  return cwd;
}

async function json(cwd: string, ...argv: readonly string[]): Promise<Document> {
  return JSON.parse((await tenantplane([...argv, '-o', 'json'], { cwd })).out);
}

const TENANT = { apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', metadata: { name: 'dev', namespace: 'team-dev' } };
const NO_MORE = { verbs: new Set<string>(), shortNames: [], singular: '', subresources: new Set<string>() };

/** How each kind of report is made, in as many shapes as it has. */
const MADE: Readonly<Record<ReportKind, () => Promise<readonly Document[]>>> = {
  async ValidationReport() {
    return [await json(twoTenants({ 'tenants/dev/objects/worker.yaml': HOST_PATH_POD }), 'validate')];
  },
  async AuditReport() {
    return [await json(twoTenants(), 'audit', 'verify', '--require-ledger')];
  },
  async DoctorReport() {
    return [await json(twoTenants(), 'doctor')];
  },
  async DiffReport() {
    const before = twoTenants({ 'tenants/qa/objects/a.yaml': CONFIG.replace('one', 'two') });
    const after = twoTenants({
      'platform.yaml': PLATFORM.replace('level: restricted', 'level: baseline'),
      'tenants/dev/objects/a.yaml': CONFIG,
      'tenants/dev/objects/worker.yaml': HOST_PATH_POD,
      'tenants/qa/objects/a.yaml': CONFIG,
    });
    return [await json(after, 'diff', '--base', before, '--head', after)];
  },
  async WhatIfReport() {
    return [await json(await shop(), 'what-if', '--set', 'IsolationProfile/restricted:spec.level=baseline')];
  },
  async RenderReport() {
    const broken = twoTenants({ 'tenants/dev/objects/broken.yaml': 'a: [' });
    return [await json(await shop(), 'render'), await json(broken, 'render', '--check')];
  },
  async DecisionRecord() {
    const { out } = await tenantplane(['tree', '-o', 'ndjson'], { cwd: await shop() });
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  },
  async WhyReport() {
    const cwd = await shop();
    const refs = [
      'deploy/web',
      'pod/worker',
      'host/team-dev/notes.yaml',
      'networkpolicy/tenantplane-default-deny',
      'host/team-dev/configmap_a-x-default-x-dev.yaml',
    ];
    return Promise.all([...refs.map((ref) => json(cwd, 'why', ref, ...(ref.startsWith('host') ? [] : ['--tenant', 'dev']))), inGit(cwd)]);
  },
  async FieldReport() {
    const cwd = await shop();
    const fields = ['metadata.name', 'spec.replicas', 'spec.template.spec.containers[main].image', 'metadata.labels'];
    return Promise.all(fields.map((field) => json(cwd, 'why', 'deploy/web', '--tenant', 'dev', '--field', field)));
  },
  async WhyNotReport() {
    const cwd = await shop();
    const refs = ['pod/worker', 'deploy/web', 'deploy/wbe', 'secret/web', 'job/web'];
    return Promise.all(refs.map((ref) => json(cwd, 'why-not', ref, '--tenant', 'dev')));
  },
  async IsolationReport() {
    const cwd = await shop();
    return [await json(cwd, 'isolation'), await json(cwd, 'isolation', 'dev')];
  },
  async TreeReport() {
    const broken = twoTenants({ 'tenants/dev/objects/broken.yaml': 'a: [' });
    return [await json(await shop(), 'tree', 'dev'), await json(broken, 'tree')];
  },
  async GraphReport() {
    const cwd = await shop();
    return [await json(cwd, 'graph'), await json(cwd, 'graph', 'dev')];
  },
  async ReachReport() {
    const cwd = await shop();
    const ends = [
      ['internet', 'dev:deploy/web'],
      ['dev:deploy/web', 'qa:deploy/web'],
      ['dev:deploy/web', 'dns'],
      ['dev:deploy/web', 'dev:deploy/web'],
    ];
    return Promise.all(ends.map((pair) => json(cwd, 'reach', ...pair)));
  },
  async ReachMatrix() {
    const cwd = await shop();
    return [await json(cwd, 'reach'), await json(cwd, 'reach', '--tenants'), await json(cwd, 'reach', 'dev:deploy/web')];
  },
  async UpReport() {
    const ready = { type: 'Ready', status: 'True', reason: 'Succeeded', message: 'It answers.' };
    const tenants = [TENANT, { ...TENANT, status: { phase: 'Ready', endpoint: 'https://x:6443', conditions: [ready] } }];
    return [
      upDocument({ host: 'https://127.0.0.1:1', applied: [{ name: 'x', objects: [TENANT] }], leader: undefined, tenants, late: [TENANT] }),
    ];
  },
  async DownReport() {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-dev' } };
    const resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false, ...NO_MORE };
    const kept = [{ resource, object: namespace, why: 'holds data' }];
    const about = { host: 'https://127.0.0.1:1', tenants: [TENANT], late: [], objects: [TENANT, namespace], kept };
    return [downDocument({ ...about, dryRun: true }), downDocument({ ...about, dryRun: false })];
  },
  async KubeconfigReport() {
    const certificate = readFileSync(fileURLToPath(new URL('../fixtures/loopback/certificate.pem', import.meta.url)), 'utf8');
    const kubeconfig = { server: 'https://x:6443', authority: certificate, certificate, key: '', cluster: 'x' };
    return [undefined, 'it is not ready'].map((problem) => kubeconfigDocument(TENANT, kubeconfig, { file: '/x', problem }));
  },
  async ReasonList() {
    return [await json('/', 'explain-code'), await json('/', 'explain-code', 'TP3004', 'host-path')];
  },
  async Error() {
    return [await json(twoTenants(), 'why', 'cm/nothing', '--tenant', 'dev'), await json('/', 'explain-code', 'zzzzzz')];
  },
};

/** A source that is committed and one that is not. */
async function inGit(cwd: string): Promise<Document> {
  for (const words of [
    ['init', '-q'],
    ['add', 'platform.yaml'],
    ['commit', '-qm', 'x'],
  ])
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...words], { cwd });
  return json(cwd, 'why', 'deploy/web', '--tenant', 'dev', '--git');
}

describe.each(REPORT_KINDS)('%s', (kind) => {
  test('is what its schema says, in every field', async () => {
    const documents = await MADE[kind]();
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) {
      expect(document['kind']).toBe(kind);
      expect(complaints(kind, document)).toEqual([]);
      // a field that is missing and one that is not described are both seen
      const [first = ''] = Object.keys(document).filter((key) => key !== 'apiVersion' && key !== 'kind');
      const { [first]: _, ...rest } = document;
      expect(complaints(kind, rest)).not.toEqual([]);
      expect(complaints(kind, { ...document, unheard: 1 })).not.toEqual([]);
    }
  });

  test('has its schema printed, for programs and for people', async () => {
    const { out, code } = await tenantplane(['schema', kind, '-o', 'json']);
    expect([code, JSON.parse(out).title]).toEqual([0, kind]);
    expect((await tenantplane(['schema', kind.toLowerCase()])).out).toContain('report.tenantplane.io/v1alpha1');
    expect((await tenantplane(['schema'])).out).toContain(kind);
  });
});

test('the document of a diff that changes something holds each sort of thing', async () => {
  const [document] = await MADE.DiffReport();
  for (const part of ['causes', 'changes', 'refusals', 'isolation']) expect(document?.[part], part).not.toEqual([]);
});

/** They ask a host: test/e2e/reconciler/up.test.ts holds what they print to its schema. */
const OF_A_HOST: readonly string[] = ['up', 'down', 'kubeconfig'];
/** What `-o json` prints that is no report: objects of Kubernetes, a schema, and the shape of the public tool. */
const NO_REPORT: readonly string[] = ['explain-sync', 'facts', 'schema', 'version'];

test('every command that prints JSON prints a kind that has a schema', async () => {
  const io = {
    cwd: '/',
    env: {},
    stdout: SINK,
    stderr: SINK,
    readStdin: async () => '',
    signal: new AbortController().signal,
    now: Date.now,
  };
  const commands = everyCommand(commandModel(createProgram({ io, exitCode: 0, json: false })));
  const printing = commands.filter(({ options }) => options.some(({ long, choices }) => long === '--output' && choices.includes('json')));
  const cwd = await shop();
  const unheard: string[] = [];
  for (const { path } of printing) {
    // objects of Kubernetes that are made out of words
    if (path[0] === 'render' && path.length > 1) continue;
    const name = path.join(' ');
    if (NO_REPORT.includes(name) || OF_A_HOST.includes(name)) continue;
    const document = await json(cwd, ...path, ...(WORDS[name] ?? []));
    if (!REPORT_KINDS.some((kind) => kind !== 'Error' && kind === document['kind']))
      unheard.push(`${name}: ${JSON.stringify(document).slice(0, 200)}`);
  }
  expect(printing.length).toBeGreaterThan(12);
  expect(unheard).toEqual([]);
});

const SINK = { isTTY: false, write: (): void => undefined };
/** What a command cannot do without. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  diff: ['.', '.'],
  why: ['deploy/web', '--tenant', 'dev'],
  'why-not': ['pod/worker', '--tenant', 'dev'],
  'what-if': ['--set', 'IsolationProfile/restricted:spec.level=baseline'],
};
