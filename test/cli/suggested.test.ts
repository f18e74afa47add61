import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configMap, PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

/** A command that an answer suggests runs as it is printed, from where the user stands: here beside the package. */

const POD =
  'metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: "registry.example.com/a:1", securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}, resources: {requests: {cpu: 10m, memory: 8Mi}, limits: {memory: 8Mi}}}]}';
const NONE_LISTED = PLATFORM.slice(0, PLATFORM.indexOf('  resources:')).concat(
  '  resources:\n  - {apiVersion: v1, kind: Pod, direction: toHost}\n',
);

const HOSTS = '  networking: {ingressHostSuffixes: [dev.example.com]}\n';

/** Kinds of which an entry in the SyncPolicy is not enough, and some of which it is. */
const UNLISTED: Readonly<Record<string, string>> = {
  'secret/x': 'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {a: b}\n',
  'cm/x': configMap('x'),
  'endpoints/x': 'apiVersion: v1\nkind: Endpoints\nmetadata: {name: x}\nsubsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]\n',
  'endpointslice/x':
    'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: x, labels: {kubernetes.io/service-name: x}}\naddressType: IPv4\nendpoints: [{addresses: [192.0.2.1]}]\nports: [{name: "", port: 80}]\n',
  'ds/x': `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: x}\nspec: {selector: {matchLabels: {a: b}}, template: {${POD}}}\n`,
  'deploy/x': `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {selector: {matchLabels: {a: b}}, template: {${POD}}}\n`,
  'ingress/x':
    'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: x}\nspec: {ingressClassName: nginx, rules: [{host: x.dev.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: x, port: {number: 80}}}}]}}]}\n',
};

/** The words of a command line in single quotes or none. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

function suggested(text: string, command: string): readonly string[] {
  const [, line] = new RegExp(`tenantplane (${command}.*)`).exec(text) ?? [];
  return wordsOf(line ?? 'nothing is suggested');
}

describe('what is to be done for an object of a kind that no entry covers', () => {
  test.each(Object.keys(UNLISTED))('%s: the change that why-not prints projects it', async (ref) => {
    const root = twoTenants({
      'platform.yaml': NONE_LISTED,
      'tenants/dev/tenant.yaml': tenantYaml('dev', HOSTS),
      'tenants/dev/objects/x.yaml': UNLISTED[ref] ?? '',
    });
    const cwd = dirname(root);
    const { out } = await tenantplane(['why-not', ref, '--tenant', 'dev', basename(root)], { cwd });
    expect(out).toContain('TP2002 KindNotListed');
    const tried = await tenantplane([...suggested(out, 'what-if'), '-v'], { cwd });
    expect(tried.err).toBe('');
    expect(tried.out).toMatch(/ \+\d/);
    expect(tried.out).toContain(' team-dev/x-x-default-x-dev');
    expect(tried.out).not.toMatch(/TP3039|TP2016/);
  });

  test.each(Object.keys(UNLISTED))('%s: the remedy, done as it is printed, projects it', async (ref) => {
    const root = twoTenants({
      'platform.yaml': NONE_LISTED,
      'tenants/dev/tenant.yaml': tenantYaml('dev', HOSTS),
      'tenants/dev/objects/x.yaml': UNLISTED[ref] ?? '',
    });
    const { out } = await tenantplane(['explain-sync', ref, '--tenant', 'dev', '-o', 'json'], { cwd: root });
    const { remedy } = JSON.parse(out).decision as { remedy: string };
    const [, entry = '', policy, field = '', value = '', kind, name] =
      /^Add (\{.*?\}) to spec\.resources of SyncPolicy (\S+?)(?:, and set (\S+): (\S+) on (\S+) (\S+?))?[.;]/.exec(remedy) ?? [];
    expect(policy).toBe('default');
    const nested = field
      .split('.')
      .slice(1)
      .reduceRight((inner, step) => `{${step}: ${inner}}`, value)
      .slice(1, -1);
    const profile =
      kind === 'IsolationProfile' ? NONE_LISTED.replace('{level: restricted}', `{level: restricted, ${nested}}`) : NONE_LISTED;
    expect([undefined, 'team-dev/dev', 'restricted']).toContain(name);
    put(root, {
      'platform.yaml': `${profile}  - ${entry}\n`,
      'tenants/dev/tenant.yaml': tenantYaml('dev', `${HOSTS}${kind === 'TenantCluster' ? `  ${nested}\n` : ''}`),
    });
    const told = await tenantplane(['explain-sync', ref, '--tenant', 'dev', '-o', 'json'], { cwd: root });
    expect(JSON.parse(told.out).decision.code).toBe('TP2001 PolicyMatched');
  });
});

describe('a suggested command says the package again', () => {
  test('audit export: what lists the checks that failed', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-q', '--host-version', '1.34', root]);
    put(root, { 'tenants/dev/objects/a.yaml': configMap('a', 'other') });
    const cwd = scratch();
    const { code, err } = await tenantplane(['audit', 'export', root, '--out', 'evidence', '--host-version', '1.34'], { cwd });
    expect(code).toBe(4);
    const listed = await tenantplane(suggested(err.replace(' lists them.', ''), 'audit verify'), { cwd });
    expect(listed.code).toBe(4);
    expect(listed.out).toContain('failed');
  });

  test('why: what would be needed, with the platform and the namespace', async () => {
    const root = twoTenants();
    const tenants = join(root, 'tenants');
    const { err } = await tenantplane(['why', 'deploy/none', '--tenant', 'dev', '-n', 'shop', tenants, '--platform', root], { cwd: root });
    const asked = await tenantplane(suggested(err.replace(' says what would be needed.', ''), 'why-not'), { cwd: root });
    expect(asked.out).toContain('Deployment shop/none is not defined');
    const nothing = await tenantplane(['why', 'none-of-them', tenants, '--platform', root], { cwd: root });
    const listed = await tenantplane(suggested(nothing.err.replace(' lists the objects of every tenant.', ''), 'tree'), { cwd: root });
    expect([listed.code, listed.err]).toEqual([0, '']);
    expect(listed.out).toContain('profile restricted');
  });

  test('explain-sync of an object of the host: what it is rendered from', async () => {
    const root = twoTenants();
    await tenantplane(['render', '-q', root]);
    const cwd = dirname(root);
    const { err } = await tenantplane(['explain-sync', basename(root), 'cm/a-x-default-x-dev', '--tenant', 'dev'], { cwd });
    const asked = await tenantplane(suggested(err, 'explain-sync'), { cwd });
    expect([asked.code, asked.err]).toEqual([0, '']);
  });

  test('reach: who calls it', async () => {
    const root = twoTenants({
      'tenants/dev/objects/x.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: a, image: a, securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}}, resources: {requests: {cpu: 10m, memory: 8Mi}}}]}\n`,
    });
    const cwd = dirname(root);
    const { err } = await tenantplane(['reach', '--to', 'dev:pod/x', basename(root)], { cwd });
    const asked = await tenantplane(suggested(err.replace(' for all.', ''), 'reach'), { cwd });
    expect(asked.code).toBe(0);
    expect(asked.out).toContain('pod/x');
    const nowhere = await tenantplane(['reach', 'nothing-like-it', 'internet', basename(root)], { cwd });
    expect(nowhere.err).toContain(`tenantplane tree ${basename(root)} lists`);
  });
});
