import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLATFORM, tenantplane, tenantYaml, twoTenants } from '../harness.ts';
import { repository } from '../review/repository.ts';
import { put } from '../tree/disk.ts';
import { ask, COMMANDS } from './questions.ts';

const OLD = 'older-canary-41c6d';
const NEW = 'hunter2-canary-9f3b7';
const ELSEWHERE = 'patched-canary-77e0a';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The value, how Kubernetes writes it, and every digest of either and of the whole `data`. */
function traces(value: string): readonly string[] {
  const data = [
    value,
    base64(value),
    JSON.stringify({ key: base64(value) }),
    JSON.stringify({ password: value }),
    `key: ${base64(value)}\n`,
  ];
  const digests = ['sha256', 'sha1', 'md5'].flatMap((name) =>
    data.flatMap((text) => (['hex', 'base64', 'base64url'] as const).map((form) => createHash(name).update(text).digest(form))),
  );
  // base64 of a text that begins elsewhere, as where all of a file is coded
  const shifted = ['', 'x', 'xx'].map((before) => base64(before + value).slice(4, -8));
  return [value, ...shifted, ...digests.map((digest) => digest.replace(/=+$/, ''))];
}
const TRACES = [OLD, NEW, ELSEWHERE].flatMap(traces);

const secrets = (value: string): string => `apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"${value}"}}'
    note: ${value}
stringData: {password: ${value}}
data: {key: ${base64(value)}}
---
apiVersion: v1
kind: Secret
metadata: {name: sa}
type: kubernetes.io/service-account-token
stringData: {token: ${value}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
  - name: web
    image: a
    envFrom: [{secretRef: {name: token}}]
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
`;

const OWN = ['--tenant', 'dev'];
const HOST = 'host/team-dev/secret_token-x-default-x-dev.yaml';
const FIELDS = [
  '/data',
  'data.key',
  'stringData.password',
  '/stringData',
  '/metadata',
  '/metadata/annotations',
  '/',
  'metadata.annotations.note',
];
const QUESTIONS: readonly (readonly [command: string, ...words: string[]])[] = [
  ['validate'],
  ['explain-sync', ...OWN, '--kind', 'Secret', '--name', 'token', '--trace', '--fields'],
  ['explain-sync', ...OWN, '-f', 'tenants/dev/objects/s.yaml', '--trace', '--fields'],
  ['why', 'secret/token', ...OWN],
  ['why', HOST],
  ['why', 'tenants/dev/objects/s.yaml', '--git'],
  ...FIELDS.map((field) => ['why', 'secret/token', ...OWN, '--field', field] as const),
  ['why-not', 'secret/token', ...OWN],
  ['why-not', 'secret/sa', ...OWN],
  ['isolation', 'dev'],
  ['tree', 'dev'],
  ['graph', 'dev'],
  ['reach', 'internet', 'dev:pod/web'],
  ['reach'],
  ['diff', 'HEAD~1..HEAD'],
  ['diff', 'HEAD'],
  ['what-if', '--set', 'IsolationProfile/restricted:spec.level=baseline'],
  ['what-if', '--set', 'SyncPolicy/default:spec.resources=[]'],
  ['what-if', '--patch', 'patch.yaml'],
  ['pr-comment', 'HEAD~1..HEAD'],
  ['report html'],
  ['report html', '.', 'HEAD~1..HEAD'],
  ['audit verify', '--require-ledger'],
  ['audit export'],
  ['doctor'],
  ['render', '--fail-on', 'never'],
];

/** A repository in which the value of a Secret was changed, with a tree that was edited by hand since. */
async function changedSecret(render: string): Promise<string> {
  const { root, commit } = repository();
  const spec = render === 'plain' ? '  secrets: {render: plain}\n' : '';
  commit({ 'platform.yaml': PLATFORM, 'tenants/dev/tenant.yaml': tenantYaml('dev', spec), 'tenants/dev/objects/s.yaml': secrets(OLD) });
  commit({ 'tenants/dev/objects/s.yaml': secrets(NEW) });
  await tenantplane(['render', '-q', '--ledger', '--fail-on', 'never'], { cwd: root });
  if (render === 'plain') {
    const text = readFileSync(join(root, HOST), 'utf8');
    expect(text).toContain(NEW);
    put(root, { [HOST]: text.replace(NEW, OLD) });
  }
  put(root, { 'patch.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {password: ${ELSEWHERE}}\n` });
  return root;
}

test.each(['plain', 'refuse'])(
  'values of Secrets are in no byte of what any command prints (secrets.render: %s)',
  async (render) => {
    const root = await changedSecret(render);
    const answered = new Set<string>();
    for (const [command, ...words] of QUESTIONS) {
      const told = await ask(root, { command, words });
      if (told.every((each) => each.answered)) answered.add(command);
      const leaks = told.flatMap(({ line, format, text }) =>
        TRACES.filter((trace) => text.includes(trace)).map((trace) => `${line} [${format}]: ${trace}`),
      );
      expect.soft(leaks).toEqual([]);
    }
    expect([...answered].sort()).toEqual([...COMMANDS].sort());
  },
  180_000,
);

test('which key it is may be said, and that it changed', async () => {
  const root = await changedSecret('plain');
  const text = async (...words: string[]): Promise<string> => (await tenantplane(words, { cwd: root })).out;
  expect(await text('diff', 'HEAD~1..HEAD', '-v')).toContain('stringData');
  expect(await text('pr-comment', 'HEAD~1..HEAD')).toContain('(value hidden)');
  expect(await text('why', 'secret/token', ...OWN, '--field', '/stringData')).toContain('(hidden)');
});

test('what is made into a Secret shows no value of it either', async () => {
  const data = `data: {password: ${NEW}}, metadata: {annotations: {a: ${NEW}}}`;
  const objects = `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: es}
spec: {refreshInterval: 1h, secretStoreRef: {kind: ClusterSecretStore, name: vault}, target: {template: {${data}}}}
---
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: sealed}
spec: {encryptedData: {password: ${NEW}}, template: {${data}}}
`;
  const more = [
    ['external-secrets.io/v1', 'ExternalSecret'],
    ['bitnami.com/v1alpha1', 'SealedSecret'],
  ].map(([apiVersion, kind]) => `  - {apiVersion: ${apiVersion}, kind: ${kind}, direction: toHost}\n`);
  const root = twoTenants({ 'platform.yaml': `${PLATFORM}${more.join('')}`, 'tenants/dev/objects/s.yaml': objects });
  const asked = [
    ['externalsecret/es', 'spec.target.template.data'],
    ['externalsecret/es', 'spec.target.template.data.password'],
    ['externalsecret/es', 'spec.target'],
    ['externalsecret/es', 'spec'],
    ['sealedsecret/sealed', 'spec.encryptedData'],
    ['sealedsecret/sealed', 'spec.template.metadata.annotations.a'],
  ] as const;
  for (const [name, field] of asked) {
    for (const output of ['text', 'json', 'wide']) {
      const { out, err } = await tenantplane(['why', name, '.', '--tenant', 'dev', '--field', field, '-o', output], { cwd: root });
      expect(out + err).not.toContain(NEW);
      expect(out, `${name} ${field} ${err}`).toContain('(hidden)');
    }
  }
  for (const words of [
    ['tree', 'dev'],
    ['why', 'externalsecret/es', '.', '--tenant', 'dev'],
    ['why-not', 'sealedsecret/sealed', '.', '--tenant', 'dev'],
    ['render', '--check'],
  ])
    expect((await tenantplane([...words, '-o', 'json'], { cwd: root })).out).not.toContain(NEW);
  const open = ['why', 'externalsecret/es', '.', '--tenant', 'dev', '--field', 'spec.refreshInterval'];
  expect((await tenantplane(open, { cwd: root })).out).toContain('"1h"');
});
