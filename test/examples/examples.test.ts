import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { EXAMPLES, PACKAGES, readTree, renderPackage, writeTree } from '../support/example.ts';
import { openings } from '../support/openings.ts';
import { wouldRun } from '../support/would-run.ts';

const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** Secrets that the packages say are made elsewhere, by host name. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'apps/wordpress': ['mysql-pass-x-default-x-blog'],
  'fields/secrets-and-claims': ['license-x-default-x-dev', 'trust-bundle-x-default-x-dev'],
};
/** The host of this package has another DNS than kube-dns. */
const OPENSHIFT_DNS = { namespace: 'openshift-dns', labels: new Map([['dns.operator.openshift.io/daemonset-dns', 'default']]), port: 5353 };

describe.each(PACKAGES)('example %s', (name) => {
  const root = join(EXAMPLES, name);

  test('renders the tree that is committed beside it', async () => {
    const { texts, plan } = await renderPackage(root);
    expect(plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.tenants.filter((tenant) => tenant.frozen !== undefined)).toEqual([]);
    expect(plan.stopped).toBe(false);
    if (UPDATE) writeTree(join(root, 'host'), texts);
    const committed = readTree(join(root, 'host'));
    expect([...committed.keys()]).toEqual([...texts.keys()]);
    for (const [path, text] of texts) expect(text, path).toBe(committed.get(path));
  });

  test('is what the command line renders', async () => {
    const printed: string[] = [];
    const sink = { isTTY: false, write: (text: string): void => void printed.push(text) };
    const io = {
      cwd: root,
      env: { NO_COLOR: '1' },
      stdout: sink,
      stderr: sink,
      readStdin: async () => '',
      signal: new AbortController().signal,
      now: () => 0,
    };
    expect(await run(['render', '--check', '--quiet'], io), printed.join('')).toBe(0);
  });

  test('renders the same bytes from inputs in another order', async () => {
    const [once, reversed, rotated] = [
      await renderPackage(root),
      await renderPackage(root, {}, (inputs) => [...inputs].reverse()),
      await renderPackage(root, {}, (inputs) => [...inputs.slice(7), ...inputs.slice(0, 7)]),
    ];
    expect(reversed.texts).toEqual(once.texts);
    expect(rotated.texts).toEqual(once.texts);
    expect(reversed.plan.tenants.map((tenant) => tenant.decisions)).toEqual(once.plan.tenants.map((tenant) => tenant.decisions));
  });

  test('gives every object exactly one decision', async () => {
    const { plan, inputs } = await renderPackage(root);
    const decisions = [...plan.decisions, ...plan.tenants.flatMap((tenant) => tenant.decisions)];
    const counts = new Map<string, number>();
    for (const { source } of decisions) {
      if (source === undefined) continue;
      const key = `${source.file.path}#${source.file.document}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const wanted = new Map(inputs.map(({ source }) => [`${source.path}#${source.document}`, 1] as const));
    expect(new Map([...counts].sort())).toEqual(new Map([...wanted].sort()));
  });

  test('would run on the host as it would in the tenant', async () => {
    const { objects } = await renderPackage(root);
    const expected = EXPECTED[name] ?? [];
    const hostDns = name === 'fields/dns-server' ? { hostDns: OPENSHIFT_DNS } : {};
    expect(wouldRun(objects, { ...hostDns, expected: (_kind, _namespace, host) => expected.includes(host) })).toEqual([]);
  });

  test('reaches nothing beyond the tenant', async () => {
    expect(openings((await renderPackage(root)).objects)).toEqual([]);
  });

  test('puts each object where its path and its namespace say', async () => {
    const { plan } = await renderPackage(root);
    for (const tenant of plan.tenants) {
      for (const { path, object } of tenant.files) {
        // what is cluster-scoped stands in the shared folder, under a name that holds the tenant's namespace
        if (path.startsWith('platform/')) expect(nameOf(object)).toBe(`tenantplane-${tenant.namespace}`);
        else expect(path.startsWith(`${tenant.namespace}/`), path).toBe(true);
        if (path.startsWith('platform/')) expect(namespaceOf(object)).toBeUndefined();
        expect(nameOf(object)).not.toBe('');
        if (namespaceOf(object) !== undefined) expect(namespaceOf(object)).toContain(tenant.namespace);
      }
    }
  });
});
