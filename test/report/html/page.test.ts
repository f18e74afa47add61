import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InputObject } from '../../../src/core/plan/plan-types.ts';
import { packedPages, unpacked } from './packed.ts';
import { configMap, deployment, fleet, pageOf } from './reports.ts';

const SMALL = fleet(['dev'], () => [configMap('settings'), deployment('web'), { ...deployment('worker'), kind: 'StatefulSet' }]);

describe('the page', () => {
  test('has the same bytes for the same input in any order', () => {
    const many = fleet(['dev', 'prod'], (tenant) => [configMap('settings'), deployment(`web-${tenant}`), configMap('other')]);
    expect(pageOf([...many].reverse() as InputObject[])).toBe(pageOf(many));
  });

  test('names a policy that allows its one style and its one script, by their hashes, and nothing else', () => {
    const page = pageOf(SMALL);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [style = '', ...styles] = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '');
    const [script = '', ...scripts] = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '');
    expect([styles, scripts]).toEqual([[], []]);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hash(style)}`,
      `script-src ${hash(script)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('loads nothing and names no other place', () => {
    const page = pageOf(SMALL);
    expect(page).not.toMatch(/\b(src|action|srcset|data|poster)="/);
    expect([...page.matchAll(/href="([^"]*)"/g)].filter(([, link]) => !link?.startsWith('#'))).toEqual([]);
    expect(page).not.toMatch(/url\(|@import|https?:\/\/(?!json)/);
    expect(page).not.toMatch(/ (style|on[a-z]+)="/);
  });

  test('every link leads somewhere, and no id is there twice', () => {
    const page = pageOf(SMALL);
    const ids = [...page.matchAll(/ id="?([^"\s>]+)/g)].map((match) => match[1] ?? '');
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('each changed line of a projection has its reason', () => {
    const page = pageOf(fleet(['dev'], () => [configMap('settings'), deployment('web')]));
    const reasons = [...page.matchAll(/<td class="by"[^>]*>(.*?)<\/td>/g)].map((match) => match[1]);
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons.filter((reason) => reason === '')).toEqual([]);
    for (const rule of ['identity', 'reference', 'service-account', 'selector', 'environment']) expect(page).toContain(`>${rule}</a>`);
  });
});

describe('size', () => {
  test('5,000 objects of tenants stay below 2 MB, and every page of them is there', { timeout: 60_000 }, () => {
    const tenants = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const inputs = fleet(tenants, (tenant) => [
      configMap('settings'),
      ...Array.from({ length: 50 }, (_, index) =>
        deployment(`service-${index}`, `registry.example.com/${tenant}/service-${index}:1.${index}.0`),
      ),
      ...Array.from({ length: 49 }, (_, index) =>
        configMap(`config-${index}`, { mode: 'fast', url: `http://service-${index}.default.svc` }),
      ),
    ]);
    const page = pageOf(inputs);
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    const rows = [...page.matchAll(/<details class="o [^"]*" id=(o\d+)/g)].map((match) => match[1] ?? '');
    expect(rows.length).toBeGreaterThan(5000);
    const pages = packedPages(page);
    expect(rows.filter((id) => pages.get(id)?.startsWith('<div class="page">') !== true)).toEqual([]);
  });
});

/** Text that means something somewhere: to a browser, a terminal, a person's eye. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '\u001b[31mred\u001b[0m',
  'user\u202egnp.exe',
  'zero\u200bwidth',
  'line\u2028separator',
  '</style><style>*{display:none}</style>',
  'javascript:alert(1)',
];

describe('hostile text', () => {
  const fragments = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 5 });

  test('shows as it is in values, labels, annotations, kinds and names, and means nothing', () => {
    const tags = (page: string): string => page.replace(/"[^"]*"/g, '""').replace(/[^<>]+(?=<|$)/g, '');
    fc.assert(
      fc.property(fragments, fragments, (values, names) => {
        const text = values.join('');
        const hostile = fleet(['dev'], () => [
          configMap('settings', { key: text, [`k${names.length}`]: names.join('') }, { annotations: { note: text }, labels: { l: text } }),
          deployment('web', text === '' ? 'x' : text, [{ name: 'E', value: text }]),
          { apiVersion: 'v1', kind: names.join('') || 'Odd', metadata: { name: text || 'odd', namespace: 'default' } },
        ]);
        const page = unpacked(pageOf(hostile, text));
        const plain = page.replace(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '');
        expect(plain).not.toMatch(/<(img|iframe|object|embed|svg|style|script|link|base|form)\b/i);
        expect(plain).not.toMatch(/ on\w+="|<[a-z]+[^>"]*(?:"[^"]*"[^>"]*)* on\w+=/);
        expect(page).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
        expect(tags(plain).match(/<(?![a-z/!])/)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});

describe('Secrets', () => {
  const VALUE = 'canary-7f3a9b-Zq';
  const encoded = Buffer.from(VALUE).toString('base64');
  const digests = ['sha256', 'sha1', 'md5'].flatMap((name) =>
    (['hex', 'base64'] as const).map((form) => createHash(name).update(VALUE).digest(form)),
  );
  const secret = (name: string, rest: Record<string, unknown>): InputObject['object'] =>
    JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, type: 'Opaque', ...rest }));

  test('show their keys and no value, whatever became of them', () => {
    const last = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', data: { password: encoded }, stringData: { password: VALUE } });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last, 'example.com/copy': VALUE };
    const page = unpacked(
      pageOf(
        fleet(['dev'], () => [
          secret('plain', { stringData: { 'the-key': VALUE } }),
          secret('coded', { data: { 'other-key': encoded } }),
          secret('odd', { data: encoded }),
          secret('misspelt', { Data: { password: encoded }, datas: VALUE, list: [VALUE] }),
          secret('annotated', { metadata: { name: 'annotated', namespace: 'default', annotations }, data: { third: encoded } }),
          secret('token', { type: 'kubernetes.io/service-account-token', stringData: { token: VALUE } }),
          configMap('noted', { mode: 'x' }, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': last } }),
          {
            apiVersion: 'external-secrets.io/v1',
            kind: 'ExternalSecret',
            metadata: { name: 'made', namespace: 'default' },
            spec: { target: { template: { data: { password: VALUE } } } },
          },
          {
            apiVersion: 'bitnami.com/v1alpha1',
            kind: 'SealedSecret',
            metadata: { name: 'sealed', namespace: 'default' },
            spec: { encryptedData: { password: encoded }, template: { data: { password: VALUE } } },
          },
        ]),
      ),
    );
    for (const key of ['the-key', 'other-key', 'misspelt', 'token', 'sealed']) expect(page).toContain(key);
    for (const text of [VALUE, encoded, encoded.replace(/=+$/, ''), ...digests]) expect(page).not.toContain(text);
  });
});
