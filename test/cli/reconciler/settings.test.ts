import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RECONCILER_FLAGS, variableOf } from '../../../src/cli/reconciler/flags.ts';
import { readCommand } from '../../../src/cli/reconciler/read-command.ts';
import { readInputs } from '../../../src/cli/reconciler/read-inputs.ts';
import { readSettings } from '../../../src/cli/reconciler/settings.ts';

describe('settings', () => {
  test('are those of the table where nothing is said', () => {
    expect(readSettings({}, {})).toEqual({
      workers: 4,
      passTimeout: 120_000,
      resync: 600_000,
      drainTimeout: 25_000,
      leaderElect: true,
      metricsAddress: { port: 8080 },
      probeAddress: { port: 8081 },
      byTenant: false,
      logFormat: 'json',
      logLevel: 'info',
    });
  });

  test('come from a flag, else from its variable; an empty variable is none', () => {
    const env = { TENANTPLANE_WORKERS: '8', TENANTPLANE_RESYNC: '1m30s', TENANTPLANE_SHARD_SELECTOR: '' };
    expect(readSettings({ workers: '2' }, env)).toMatchObject({ workers: 2, resync: 90_000 });
    expect(readSettings({}, env)).not.toHaveProperty('shard');
  });

  test.each([
    ['workers', '0'],
    ['workers', '1.5'],
    ['pass-timeout', '90'],
    ['resync', '0s'],
    ['drain-timeout', '1000h'],
    ['leader-elect', 'yes'],
    ['metrics-bind-address', '8080'],
    ['log-format', 'xml'],
    ['log-level', 'INFO'],
  ])('--%s %s is refused, as a flag and as a variable', (name, value) => {
    expect(() => readSettings({ [name]: value }, {})).toThrow(`--${name} is "${value}": it must be`);
    const variable = `TENANTPLANE_${name.replaceAll('-', '_').toUpperCase()}`;
    expect(() => readSettings({}, { [variable]: value })).toThrow(`${variable} is "${value}": it must be`);
  });

  test('take users and groups as lists, parted by commas, in their order', () => {
    expect(readSettings({ 'trusted-writers': 'system:serviceaccount:b:c, a,' }, { TENANTPLANE_TRUSTED_GROUPS: 'ops' })).toMatchObject({
      trustedWriters: ['system:serviceaccount:b:c', 'a'],
      trustedGroups: ['ops'],
    });
    expect(readCommand({ 'trusted-writers': 'a' }, { env: {}, cwd: '/' }).inputs.trusted).toEqual({ trustedWriters: ['a'] });
  });

  test('have a shard in one form, and none where all is selected', () => {
    expect(readSettings({ 'shard-selector': ' team == a ' }, {})).toMatchObject({ shard: 'team=a' });
    expect(readSettings({ 'shard-selector': ' ' }, {})).not.toHaveProperty('shard');
  });

  test('say which flag or variable holds a selector that makes no sense, and where', () => {
    expect(() => readSettings({ 'shard-selector': 'team=a=b' }, {})).toThrow(
      '--shard-selector is "team=a=b": at character 7, "=" stands where a comma or the end is due.',
    );
    expect(() => readSettings({}, { TENANTPLANE_SHARD_SELECTOR: 'team in a' })).toThrow(
      'TENANTPLANE_SHARD_SELECTOR is "team in a": at character 9, "a" stands where ( is due.',
    );
  });

  test('have each its own variable', () => {
    const variables = RECONCILER_FLAGS.map(variableOf);
    expect(new Set(variables).size).toBe(RECONCILER_FLAGS.length);
    expect(variables).toContain('TENANTPLANE_HEALTH_PROBE_BIND_ADDRESS');
  });
});

describe('files', () => {
  function file(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'tenantplane-inputs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'file.yaml'), text);
    return join(folder, 'file.yaml');
  }

  test('may say what can be run', () => {
    const releases = [{ version: '1.34.2', image: 'registry.example.com/k3s:v1.34.2-k3s1' }];
    expect(readInputs({ releases: file('- {version: 1.34.2, image: "registry.example.com/k3s:v1.34.2-k3s1"}\n') }).releases).toEqual(
      releases,
    );
    expect(readInputs({})).not.toHaveProperty('releases');
  });

  test.each([
    ['', 'must be a list'],
    ['[]', 'The list of releases is empty.'],
    ['- {version: "1.34", image: x}', '[0].version is "1.34", which says no patch.'],
    ['- {version: 1.34.2}', '[0].image is missing.'],
  ])('of releases that say nothing are refused: %j', (text, why) => {
    expect(() => readInputs({ releases: file(text) })).toThrow(why);
  });

  test('may hold what is known of the host', () => {
    const facts =
      'apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: {version: "1.34", clusterDomain: host.local}\n';
    expect(readInputs({ facts: file(facts) }).facts).toMatchObject({ minor: 34, clusterDomain: 'host.local' });
    expect(readInputs({}).facts).toMatchObject({ clusterDomain: 'cluster.local' });
    expect(() => readInputs({ facts: file('kind: ConfigMap\n') })).toThrow('is no HostFacts');
    expect(() => readInputs({ facts: '/nowhere/facts.yaml' })).toThrow('cannot be read: no such file or directory (ENOENT)');
  });
});
