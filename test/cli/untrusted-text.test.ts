import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWER_FORMATS, ISSUE_FORMATS } from '../../src/report/answer/format-names.ts';
import { tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put } from './tree/disk.ts';

test('a Secret value is in the rendered file and nowhere else', async () => {
  const secret = (value: string): string => `apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"${value}"}}'
stringData: {password: ${value}}
`;
  const root = twoTenants({
    'tenants/dev/tenant.yaml': tenantYaml('dev', '  secrets: {render: plain}\n'),
    'tenants/dev/objects/s.yaml': secret('hunter2'),
  });
  const told: string[] = [];
  const call = async (...argv: string[]): Promise<void> => {
    const { out, err } = await tenantplane(argv, { cwd: root });
    told.push(out, err);
  };
  await call('render', '--ledger', '-v');
  expect(readFileSync(join(root, 'host/team-dev/secret_token-x-default-x-dev.yaml'), 'utf8')).toContain('hunter2');
  put(root, { 'tenants/dev/objects/s.yaml': secret('hunter3') });
  await call('render', '--check', '--diff', '-v');
  await call('render', '-o', 'json');
  await call('validate', '-v');
  await call('validate', '-o', 'json');
  await call('validate', '-o', 'github');
  for (const format of ['text', 'json', 'yaml'])
    await call('explain-sync', '--tenant', 'dev', '--kind', 'Secret', '--name', 'token', '--trace', '--fields', '-o', format);
  await call('explain-sync', '--tenant', 'dev', '-f', 'tenants/dev/objects/s.yaml', '--fields');
  for (const format of ISSUE_FORMATS) await call('validate', '-o', format);
  const before = twoTenants({
    'tenants/dev/tenant.yaml': tenantYaml('dev', '  secrets: {render: plain}\n'),
    'tenants/dev/objects/s.yaml': secret('hunter2'),
  });
  for (const format of ANSWER_FORMATS) await call('diff', '--base', before, '--head', root, '-o', format);
  const { out: document } = await tenantplane(['diff', '--base', before, '--head', root, '-o', 'json'], { cwd: root });
  const { out: comment } = await tenantplane(['pr-comment', '--from', '-'], { cwd: root, stdin: document });
  expect(comment).toContain('(value hidden)');
  told.push(comment);
  told.push(readFileSync(join(root, '.tenantplane/team-dev.dev.ndjson'), 'utf8'));
  expect(told.length).toBeGreaterThan(18);
  expect(told.join('\n')).toContain('token-x-default-x-dev');
  expect(told.filter((text) => /hunter[23]|aHVudGVy/.test(text))).toEqual([]);
});

test('nothing that a tenant wrote reaches the terminal as anything but text', async () => {
  const evil = '\\e[2J\\e]8;;http://evil\\a\\u202e\\n::error::x';
  const root = twoTenants({
    'tenants/dev/objects/evil.yaml': `apiVersion: v1
kind: Pod
metadata: {name: evil, annotations: {"evil/${'x'}": "${evil}"}, labels: {"a": "${evil}"}}
spec:
  containers: [{name: "${evil}", image: "${evil}"}]
  volumes: [{name: "${evil}", hostPath: {path: "${evil}"}}]
---
apiVersion: "v1"
kind: "${evil}"
metadata: {name: "${evil}"}
`,
  });
  for (const argv of [
    ['render', '-v'],
    ['render', '-o', 'json'],
    ['validate', '-v'],
    ['validate', '-o', 'json'],
    ['validate', '-o', 'github'],
  ]) {
    const { out, err } = await tenantplane(argv, { cwd: root });
    const text = out + err;
    expect(text).toContain('evil');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text.split('\n').filter((line) => line.startsWith('::error::'))).toEqual([]);
  }
});
