import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANSWER_FORMATS } from '../../src/report/answer/format-names.ts';
import { tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put } from './tree/disk.ts';

/** Every question about these words, in every format. */
async function everything(root: string, questions: readonly (readonly string[])[]): Promise<readonly string[]> {
  const told: string[] = [];
  for (const words of questions) {
    for (const format of ANSWER_FORMATS) {
      const { out, err } = await tenantplane([...words, '-o', format, '-v'], { cwd: root });
      told.push(out + err);
    }
  }
  return told;
}

const CANARY = 'hunter2-canary';
const BASE64 = Buffer.from(CANARY).toString('base64');
const DIGESTS = ['sha256', 'sha1', 'md5'].flatMap((name) => {
  const bytes = createHash(name).update(CANARY).digest();
  return [bytes.toString('hex'), bytes.toString('base64')];
});

const SECRETS = `apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"${CANARY}"}}'
    note: ${CANARY}
stringData: {password: ${CANARY}}
data: {key: ${BASE64}}
---
apiVersion: v1
kind: Secret
metadata: {name: sa}
type: kubernetes.io/service-account-token
stringData: {token: ${CANARY}}
`;

describe('values of Secrets', () => {
  test.each(['plain', 'refuse'])(
    'are in no answer (secrets.render: %s)',
    async (render) => {
      const spec = render === 'plain' ? '  secrets: {render: plain}\n' : '';
      const root = twoTenants({ 'tenants/dev/tenant.yaml': tenantYaml('dev', spec), 'tenants/dev/objects/s.yaml': SECRETS });
      await tenantplane(['render', '-q', '--fail-on', 'never'], { cwd: root });
      const host = 'host/team-dev/secret_token-x-default-x-dev.yaml';
      if (render === 'plain') {
        const text = readFileSync(join(root, host), 'utf8');
        expect(text).toContain(CANARY);
        put(root, { [host]: text.replace(CANARY, `${CANARY}-older`) });
      }
      const own = ['--tenant', 'dev'];
      const fields = [
        '/data',
        'data.key',
        'stringData.password',
        '/stringData',
        '/metadata',
        '/metadata/annotations',
        '/',
        'metadata.annotations.note',
      ];
      const told = await everything(root, [
        ['why', 'secret/token', ...own],
        ['why', 'tenants/dev/objects/s.yaml'],
        ['why', host],
        ['why-not', 'secret/token', ...own],
        ['why-not', 'secret/sa', ...own],
        ['tree', 'dev'],
        ['graph', 'dev'],
        ['isolation', 'dev'],
        ...fields.map((field) => ['why', 'secret/token', ...own, '--field', field]),
      ]);
      expect(told.filter((text) => text.includes('token')).length).toBeGreaterThan(60);
      for (const leak of [CANARY, BASE64, BASE64.slice(0, 12), ...DIGESTS]) expect(told.filter((text) => text.includes(leak))).toEqual([]);
      // which key it is may be said
      expect(told.join('\n')).toContain('password');
    },
    90_000,
  );
});

describe('what a tenant or a commit says', () => {
  const EVIL = '\\e[2J\\e]8;;http://evil\\a\\u202e\\u200b\\n::error::x</script>';
  const POD = `apiVersion: v1
kind: Pod
metadata: {name: evil, annotations: {"evil/x": "${EVIL}"}, labels: {"a": "${EVIL}"}}
spec:
  containers: [{name: "${EVIL}", image: "${EVIL}"}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: words, annotations: {"evil/x": "${EVIL}"}}
data: {"k": "${EVIL}"}
---
apiVersion: "v1"
kind: "${EVIL}"
metadata: {name: "${EVIL}"}
`;

  test('reaches a terminal or a workflow log as text alone', async () => {
    const root = twoTenants({ 'tenants/dev/objects/evil.yaml': POD });
    await tenantplane(['render', '-q', '--fail-on', 'never'], { cwd: root });
    const git = (...words: string[]): void => {
      const who = ['-c', 'user.name=Eve\u001b[2J\u202e', '-c', 'user.email=eve@example.com', '-c', 'commit.gpgsign=false'];
      expect(spawnSync('git', [...who, ...words], { cwd: root, encoding: 'utf8' })).toMatchObject({ status: 0 });
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'evil\u001b[31m ::error::\u202e');
    const told = await everything(root, [
      ['why', 'tenants/dev/objects/evil.yaml', '--git'],
      ['why', 'cm/words', '--tenant', 'dev', '--field', 'data.k'],
      ['why', 'cm/words', '--tenant', 'dev', '--field', '/metadata/annotations'],
      ['why', 'cm/\u001b[2J', '--tenant', 'dev'],
      ['why-not', 'tenants/dev/objects/evil.yaml'],
      ['why-not', 'pod/\u202eevil', '--tenant', 'dev'],
      ['tree', 'dev'],
      ['graph', 'dev'],
    ]);
    expect(told.filter((text) => text.includes('evil')).length).toBeGreaterThan(40);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(told.filter((text) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e]/.test(text))).toEqual([]);
    expect(told.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('::error::'))).toEqual([]);
  }, 90_000);
});
