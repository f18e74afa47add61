import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY, labelValue } from '../../../src/core/identity/metadata.ts';
import { tenantplane, twoTenants } from '../harness.ts';
import { put, scratch } from '../tree/disk.ts';

const EVILS = [
  'x; touch hit',
  '$(touch hit)',
  '`touch hit`',
  "'; touch hit; '",
  "x\\';touch hit;#",
  'x\ntouch hit\n',
  '--version',
  'x && touch hit',
];

/** What the printed command, pasted into a shell where `tenantplane` is a program that tells its words, hands over and leaves behind. */
function pasted(command: string): { readonly words: readonly string[]; readonly files: readonly string[] } {
  const folder = scratch();
  put(folder, { 'bin/tenantplane': '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n' });
  chmodSync(join(folder, 'bin/tenantplane'), 0o755);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
  const out = execFileSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
  return { words: out.trimEnd().split('\n'), files: readdirSync(folder) };
}

function manifest(evil: string): string {
  const text = JSON.stringify(evil);
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: team-dev
  labels: {${KEY.managedBy}: tenantplane, ${KEY.tenant}: ${JSON.stringify(labelValue(evil))}}
  annotations:
    ${KEY.virtualName}: ${text}
    ${KEY.virtualNamespace}: ${text}
    ${KEY.tenantCluster}: ${JSON.stringify(`team-dev/${evil}`)}
    ${KEY.origin}: git
`;
}

describe('a command that is printed to be pasted runs nothing that a tenant wrote', () => {
  test.each(EVILS)('explain-sync of a manifest that says %j of itself', async (evil) => {
    const root = twoTenants({});
    const outside = scratch();
    put(outside, { 'given.yaml': manifest(evil) });
    const { err, code } = await tenantplane(['explain-sync', '--tenant', 'dev', '-f', join(outside, 'given.yaml')], { cwd: root });
    expect(code).toBe(2);
    const [, command = ''] = /: (tenantplane explain-sync .*)/.exec(err) ?? [];
    const { words, files } = pasted(command);
    expect(files).toEqual(['bin']);
    expect(words).toHaveLength(6);
    expect(words).toMatchObject({ 0: 'explain-sync', 1: '--tenant', 3: '-n' });
  });
});
