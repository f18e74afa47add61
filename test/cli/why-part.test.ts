import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenPackage, openPackage } from '../../src/cli/why/open-package.ts';
import { planPart } from '../../src/cli/why/plan-part.ts';
import { decisionRecord } from '../../src/report/decision-record.ts';
import { EXAMPLES } from '../support/example.ts';
import { PLATFORM, tenantplane, tenantYaml, twoTenants } from './harness.ts';
import { put, scratch } from './tree/disk.ts';

const { signal } = new AbortController();
const FLEET = join(EXAMPLES, 'fleet');

function open(root: string): Promise<OpenPackage> {
  return openPackage({ root }, signal);
}

const SUFFIX = 'allow: {ingressClasses: [nginx], ingressHostSuffixes: ["example.com"]}';
const PATH = '{pathType: Prefix, path: /, backend: {service: {name: web, port: {number: 80}}}}';
const ingress = (host: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec: {rules: [{host: ${host}, http: {paths: [${PATH}]}}]}\n`;

describe('an Ingress host that another tenant names', () => {
  test.each([
    ['as it is', ingress('shop.example.com')],
    ['in escapes', ingress('"sh\\x6fp.example.com"').replace('kind: Ingress', '"kind": "Ingr\\u0065ss"')],
    ['over two lines', ingress('"shop.exam\\\n  ple.com"')],
  ])('%s, is found', async (_, theirs) => {
    const policy = `${PLATFORM}  - {apiVersion: networking.k8s.io/v1, kind: Ingress, direction: toHost}\n`;
    const root = twoTenants({
      'platform.yaml': policy.replace('spec: {level: restricted}', `spec:\n  level: restricted\n  ${SUFFIX}`),
      'tenants/dev/objects/a.yaml': ingress('shop.example.com'),
      'tenants/qa/objects/b.yaml': theirs,
    });
    const found = await open(root);
    const part = await planPart(
      found,
      found.clusters.filter(({ name }) => name === 'dev'),
      signal,
    );
    const whole = await planPart(found, undefined, signal);
    const reasons = ({ plan }: typeof part): unknown =>
      plan.tenants
        .find(({ name }) => name === 'dev')
        ?.decisions.filter(({ source }) => source?.kind === 'Ingress')
        .map(decisionRecord);
    expect(reasons(part)).toEqual(reasons(whole));
    expect(JSON.stringify(reasons(whole))).toContain('IngressHostTaken');
  });
});

describe('hosts of three tenants, whoever had them before', () => {
  const HOSTS = ['a.example.com', 'b.example.com', 'www.a.example.com', 'A.example.com'];
  const NAMES = ['dev', 'qa', 'lab'];
  const policy = `${PLATFORM}  - {apiVersion: networking.k8s.io/v1, kind: Ingress, direction: toHost}\n`;
  const rules = (hosts: readonly string[]): string => hosts.map((host) => `{host: ${host}, http: {paths: [${PATH}]}}`).join(', ');
  const object = (hosts: readonly string[], index: number): string =>
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i${index}}\nspec: {ingressClassName: nginx, rules: [${rules(hosts)}]}\n---\n`;
  const files = (claims: readonly (readonly (readonly string[])[])[]): Record<string, string> =>
    Object.fromEntries(NAMES.map((name, index) => [`tenants/${name}/objects/i.yaml`, (claims[index] ?? []).map(object).join('')]));
  const claims = fc.array(fc.array(fc.subarray(HOSTS, { minLength: 1, maxLength: 2 }), { maxLength: 2 }), { minLength: 3, maxLength: 3 });

  test('each tenant’s part is what the whole plan says', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(claims, claims, fc.boolean(), async (before, now, rendered) => {
        const root = mkdtempSync(join(tmpdir(), 'tenantplane-'));
        try {
          put(root, {
            'platform.yaml': policy.replace('spec: {level: restricted}', `spec:\n  level: restricted\n  ${SUFFIX}`),
            ...Object.fromEntries(NAMES.map((name) => [`tenants/${name}/tenant.yaml`, tenantYaml(name)])),
            ...files(before),
          });
          if (rendered) await tenantplane(['render', '-q', root, '--max-deletions', '1000']);
          put(root, files(now));
          const found = await open(root);
          const whole = await planPart(found, undefined, signal);
          const said = ({ plan }: typeof whole, key: string): unknown =>
            plan.tenants.find(({ namespace, name }) => `${namespace}/${name}` === key)?.decisions.map(decisionRecord);
          for (const cluster of found.clusters) {
            const part = await planPart(found, [cluster], signal);
            expect(said(part, cluster.key)).toEqual(said(whole, cluster.key));
            if (JSON.stringify(said(whole, cluster.key)).includes('IngressHostTaken')) taken += 1;
          }
        } finally {
          rmSync(root, { recursive: true });
        }
      }),
      { numRuns: 20 },
    );
    expect(taken).toBeGreaterThan(0);
  }, 120_000);
});

describe('a part of the fleet', () => {
  test('has each of its fifty tenants as the whole plan has it', async () => {
    const fleet = await open(FLEET);
    const whole = await planPart(fleet, undefined, signal);
    expect(fleet.clusters).toHaveLength(50);
    for (const cluster of fleet.clusters) {
      const part = await planPart(fleet, [cluster], signal);
      const same = whole.plan.tenants.find(({ namespace, name }) => `${namespace}/${name}` === cluster.key);
      const [own] = part.plan.tenants;
      expect(own?.decisions.map(decisionRecord)).toEqual(same?.decisions.map(decisionRecord));
      expect(own?.controls).toEqual(same?.controls);
      expect(own?.files.map(({ path, text }) => [path, text])).toEqual(same?.files.map(({ path, text }) => [path, text]));
      // no more than it needs was read
      expect([...part.texts.keys()].filter((path) => path.includes('/objects/'))).toEqual([`${cluster.folder}/objects/app.yaml`]);
    }
  }, 120_000);

  test('tells what is shared as the whole plan does, or not at all', async () => {
    const root = join(scratch(), 'fleet');
    cpSync(FLEET, root, { recursive: true });
    const edited = 'platform/validatingadmissionpolicy.admissionregistration.k8s.io_tenantplane-open-pods.yaml';
    writeFileSync(join(root, 'host', edited), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n');
    const fleet = await open(root);
    const whole = await planPart(fleet, undefined, signal);
    const part = await planPart(fleet, [], signal);
    const decisions = new Map(whole.plan.shared.map(({ path, decision }) => [path, decisionRecord(decision)]));
    expect(part.plan.shared.length).toBeGreaterThan(70);
    for (const { path, decision } of part.plan.shared) expect([path, decisionRecord(decision)]).toEqual([path, decisions.get(path)]);
    expect(part.plan.shared.filter(({ path }) => path === edited)).toEqual([]);
    expect(part.plan.tenants).toEqual([]);
  }, 120_000);
});
