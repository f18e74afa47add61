import { describe, expect, test } from 'vitest';
import { asArray, at, type Json, type JsonObject, objectAt } from '../../src/core/kube/json.ts';
import { renderFunction as renderPieces } from '../../src/krm/render-function.ts';
import type { Result } from '../../src/krm/results.ts';
import { parseDocument } from '../../src/krm/yaml/parse.ts';

async function renderFunction(...args: Parameters<typeof renderPieces>): Promise<{ text: string; results: readonly Result[] }> {
  const { pieces, results } = await renderPieces(...args);
  return { text: pieces.join(''), results };
}

const PLATFORM = `- apiVersion: tenantplane.io/v1alpha1
  kind: IsolationProfile
  metadata:
    name: restricted # the profile
    annotations:
PATHplatform/profile.yaml
  spec:
    level: restricted
- apiVersion: tenantplane.io/v1alpha1
  kind: SyncPolicy
  metadata:
    name: default
    annotations:
PATHplatform/policy.yaml
  spec:
    resources:
    - {apiVersion: v1, kind: ConfigMap, direction: toHost}
    - {apiVersion: v1, kind: Pod, direction: toHost}
- apiVersion: tenantplane.io/v1alpha1
  kind: TenantCluster
  metadata:
    # its name
    name: dev
    namespace: team-dev
    annotations:
PATHtenants/dev/tenant.yaml
  spec:
    isolationProfileRef: {name: restricted}
    syncPolicyRef: {name: default}
`;
const configMap = (name: string, value: string, file = name): string => `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: ${name}
    annotations:
PATHtenants/dev/objects/${file}.yaml
  data:
    TEXT: "${value}"   # the text
`;
const SNOOPER = `- apiVersion: v1
  kind: Pod
  metadata:
    name: snooper
    annotations:
PATHtenants/dev/objects/snooper.yaml
  spec:
    containers: [{name: c, image: i}]
    volumes: [{name: host, hostPath: {path: /}}]
`;

/** Annotations as kpt writes them, each item with an id of its own. */
const annotated = (items: string, extra = ''): string =>
  items.replace(
    /^PATH(.*)$/gm,
    (_, path: string, id: number) =>
      [
        ['internal.config.kubernetes.io/path', path],
        ['config.kubernetes.io/path', path],
        ['internal.config.kubernetes.io/index', '0'],
        ['config.kubernetes.io/index', '0'],
        ['internal.config.kubernetes.io/id', id],
        ['config.k8s.io/id', id],
        ['internal.config.kubernetes.io/seqindent', 'compact'],
      ]
        .map(([key, value]) => `      ${key}: '${value}'`)
        .join('\n') + extra,
  );
const listOf = (items: string, config = ''): string =>
  `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}functionConfig:\n  apiVersion: fn.tenantplane.io/v1alpha1\n  kind: RenderTenant\n  spec:\n    host: {version: "1.34"}\n${config}`;
const withoutResults = (text: string): string => text.replace(/^results:\n[\s\S]*$/m, '');
const itemsOf = (text: string): JsonObject[] => (asArray(at(parseDocument(text).value ?? null, 'items')) ?? []) as JsonObject[];
const pathOf = (item: JsonObject): Json | undefined => at(item, 'metadata', 'annotations', 'internal.config.kubernetes.io/path');
const hostItems = (text: string): Map<string, JsonObject> =>
  new Map(itemsOf(text).flatMap((item) => (String(pathOf(item)).startsWith('host/') ? [[String(pathOf(item)), item]] : [])));

const SOURCES = annotated(PLATFORM + configMap('greeting', 'hello') + configMap('other', 'x'));
const GREETING = 'host/team-dev/configmap_greeting-x-default-x-dev.yaml';

describe('a RenderTenant at the root of the package', () => {
  const renderYaml = (spec: string, path = 'render.yaml'): string =>
    `- apiVersion: fn.tenantplane.io/v1alpha1\n  kind: RenderTenant\n  metadata:\n    name: render\n    annotations:\nPATH${path}\n  spec: ${spec}\n`;
  const JANE = renderYaml('{host: {version: "1.34", trustedWriters: [jane@example.com]}}');
  const bare = (items: string, config = ''): string =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${annotated(items)}${config}`;
  const mentions = (text: string): number => [...hostItems(text).values()].filter((item) => JSON.stringify(item).includes('jane@')).length;
  const warnings = (results: readonly Result[]): string[] =>
    results.filter(({ message }) => message.includes('TP9001')).map(({ severity, message }) => `${severity}: ${message}`);

  test.each([
    ['no functionConfig', ''],
    [
      'an empty ConfigMap, as kpt fn eval hands it over',
      'functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {}}\n',
    ],
  ])('holds where a function is given %s, as it does for the command', async (_, config) => {
    const { text, results } = await renderFunction('render-tenant', bare(PLATFORM + JANE, config));
    expect(mentions(text)).toBeGreaterThan(2);
    expect(warnings(results)).toEqual([]);
    const isolation = await renderFunction('render-isolation', bare(PLATFORM + JANE, config));
    expect(mentions(isolation.text)).toBe(mentions(text));
  });

  test('a functionConfig that says something else is warned of, one that says the same is not', async () => {
    const other = await renderFunction('render-tenant', listOf(annotated(PLATFORM + JANE)));
    expect(mentions(other.text)).toBe(0);
    expect(warnings(other.results)).toEqual([expect.stringMatching(/^warning: .*each render undoes the other.*configPath: render\.yaml/)]);
    const same = await renderFunction('render-tenant', listOf(annotated(PLATFORM + renderYaml('{host: {version: "1.34"}}'))));
    expect(warnings(same.results)).toEqual([]);
  });

  test('two of them are an error; deeper ones are another package’s or a tenant’s', async () => {
    const two = await renderFunction('render-tenant', bare(PLATFORM + JANE + JANE.replace('PATHrender', 'PATHother')));
    expect(warnings(two.results)).toEqual([expect.stringMatching(/^error: .*2 RenderTenant objects \(render\.yaml, other\.yaml\)/)]);
    const deeper = await renderFunction('render-tenant', bare(PLATFORM + JANE.replace('PATHrender', 'PATHplatform/render')));
    expect(mentions(deeper.text)).toBe(0);
  });

  test('what is wrong with it is told with its file', async () => {
    const { results } = await renderFunction('render-tenant', bare(PLATFORM + renderYaml('{failsOn: never}')));
    expect(warnings(results)).toEqual([expect.stringMatching(/^error: .*render\.yaml: spec has no field "failsOn"/)]);
  });
});

describe('render-tenant', () => {
  test('appends the tree, in the order of its paths, and leaves every source byte as it is', async () => {
    const input = listOf(SOURCES);
    const { text, results } = await renderFunction('render-tenant', input);
    expect(results.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(text.startsWith(input.slice(0, input.indexOf('functionConfig')))).toBe(true);
    expect(withoutResults(text).endsWith(input.slice(input.indexOf('functionConfig')))).toBe(true);
    const paths = [...hostItems(text).keys()];
    expect(paths).toContain(GREETING);
    expect(paths).toEqual([...paths].sort());
    expect(hostItems(text).get(GREETING)).toMatchObject({
      metadata: { name: 'greeting-x-default-x-dev', namespace: 'team-dev' },
      data: { TEXT: 'hello' },
    });
  });

  test('a second run changes nothing, whatever the order of the items', async () => {
    const first = withoutResults((await renderFunction('render-tenant', listOf(SOURCES))).text);
    expect(withoutResults((await renderFunction('render-tenant', first)).text)).toBe(first);
    const [head = '', ...items] = first.slice(0, first.indexOf('functionConfig')).split(/^(?=- )/m);
    const reversed = head + items.reverse().join('') + first.slice(first.indexOf('functionConfig'));
    expect(withoutResults((await renderFunction('render-tenant', reversed)).text)).toBe(reversed);
  });

  test('no id, legacy path or other mark of an orchestrator is put on a new item', async () => {
    const { text } = await renderFunction('render-tenant', listOf(SOURCES));
    for (const item of hostItems(text).values()) {
      const keys = Object.keys(objectAt(item, 'metadata', 'annotations') ?? {}).filter(
        (key) => /config\.k(8s|ubernetes)\.io/.test(key) && !key.startsWith('client.'),
      );
      expect(keys).toEqual(['internal.config.kubernetes.io/index', 'internal.config.kubernetes.io/path']);
    }
  });

  test('a changed object is written in its place and keeps the ids of that place', async () => {
    const first = withoutResults((await renderFunction('render-tenant', listOf(SOURCES))).text);
    const marked = first.replace(
      `internal.config.kubernetes.io/path: ${GREETING}\n`,
      `internal.config.kubernetes.io/path: ${GREETING}\n      internal.config.kubernetes.io/id: '77'\n`,
    );
    const second = withoutResults((await renderFunction('render-tenant', marked.replace('TEXT: "hello"', 'TEXT: "changed"'))).text);
    const item = hostItems(second).get(GREETING);
    expect(item).toMatchObject({ data: { TEXT: 'changed' } });
    expect(at(item, 'metadata', 'annotations', 'internal.config.kubernetes.io/id')).toBe('77');
    expect(second.match(/id: "?'?77/g)).toHaveLength(1);
    expect(itemsOf(second).findIndex((one) => pathOf(one) === GREETING)).toBe(itemsOf(first).findIndex((one) => pathOf(one) === GREETING));
  });

  test('what no source asks for any more is taken out; what is not ours stays', async () => {
    const first = withoutResults((await renderFunction('render-tenant', listOf(SOURCES))).text);
    const foreign = `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: by-hand\n    annotations:\n      internal.config.kubernetes.io/path: host/team-dev/by-hand.yaml\n`;
    const input = first.replace(/- apiVersion: v1\n {2}kind: ConfigMap\n {2}metadata:\n {4}name: other\n[\s\S]*?(?=^- )/m, foreign);
    const { text } = await renderFunction('render-tenant', input);
    const paths = [...hostItems(text).keys()];
    expect(paths).not.toContain('host/team-dev/configmap_other-x-default-x-dev.yaml');
    expect(paths).toContain('host/team-dev/by-hand.yaml');
    expect(text).toContain(foreign);
  });

  test('new items join the outermost package of a kpt render, and paths of subpackages are not mixed up', async () => {
    const root = annotated(
      PLATFORM.replace(/- apiVersion: tenantplane.io\/v1alpha1\n {2}kind: TenantCluster[\s\S]*$/, ''),
      '\n      internal.config.kubernetes.io/package-path: /w/fleet',
    );
    const inner = annotated(
      (PLATFORM.slice(PLATFORM.lastIndexOf('- apiVersion')) + configMap('greeting', 'hello')).replaceAll('PATHtenants/dev/', 'PATH'),
      '\n      internal.config.kubernetes.io/package-path: /w/fleet/tenants/dev',
    );
    const { text, results } = await renderFunction('render-tenant', listOf(root + inner));
    expect(results.filter(({ severity }) => severity === 'error')).toEqual([]);
    const item = hostItems(text).get(GREETING);
    expect(at(item, 'metadata', 'annotations', 'internal.config.kubernetes.io/package-path')).toBe('/w/fleet');
    expect(at(item, 'metadata', 'annotations', 'tenantplane.io/source-path')).toBe('tenants/dev/objects/greeting.yaml');
    const second = withoutResults((await renderFunction('render-tenant', withoutResults(text))).text);
    expect(second).toBe(withoutResults(text));
  });

  test('output.sources: mark keeps sources out of an apply, by one line each, once', async () => {
    const config = '    output: {sources: mark}\n';
    const first = withoutResults((await renderFunction('render-tenant', listOf(SOURCES, config))).text);
    const added = first.split('\n').filter((line) => line.includes('local-config'));
    expect(added).toEqual(Array.from({ length: 5 }, () => '      config.kubernetes.io/local-config: "true"'));
    expect(
      first
        .replace(/^ *config\.kubernetes\.io\/local-config: "true"\n/gm, '')
        .startsWith(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${SOURCES}`),
    ).toBe(true);
    expect(withoutResults((await renderFunction('render-tenant', first)).text)).toBe(first);
    expect(
      [...hostItems(first).values()].some((item) => at(item, 'metadata', 'annotations', 'config.kubernetes.io/local-config') !== undefined),
    ).toBe(false);
  });

  test('without paths (kustomize) the config names the tenant, nothing gets a path, and marked sources leave the list', async () => {
    const bare = (PLATFORM + configMap('greeting', 'hello')).replace(/^ {4}annotations:\nPATH.*\n/gm, '');
    const config = '    tenant: {name: dev, namespace: team-dev}\n    output: {sources: mark}\n';
    const { text, results } = await renderFunction('render-tenant', listOf(bare, config));
    expect(results.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(text).not.toContain('config.kubernetes.io/path');
    const names = itemsOf(text).map((item) => `${item['kind']}/${at(item, 'metadata', 'name')}`);
    expect(names).toContain('ConfigMap/greeting-x-default-x-dev');
    expect(names).not.toContain('ConfigMap/greeting');
    expect(names.filter((name) => name === 'TenantCluster/dev')).toHaveLength(1);
  });
});

test('the function’s own config, which kpt lists among the items, is no tenant object', async () => {
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: fn\ndata:\n  tenant.name: dev\n  tenant.namespace: team-dev\n';
  const item = annotated(
    `- ${config
      .trimEnd()
      .replace('name: fn', 'name: fn\n  annotations:\nPATHfn.yaml')
      .replaceAll(/\n(?!PATH)/g, '\n  ')}\n`,
  );
  const input = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${annotated(PLATFORM)}${item}functionConfig:\n  ${config.trimEnd().replaceAll('\n', '\n  ')}\n`;
  const { text, results } = await renderFunction('render-tenant', input);
  expect(results.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect([...hostItems(text).values()].some((one) => one['kind'] === 'ConfigMap')).toBe(false);
});

describe('what makes a function fail', () => {
  const refusing = annotated(PLATFORM + configMap('greeting', 'hello') + SNOOPER);
  const severities = async (config: string, name: 'render-tenant' | 'render-sync' = 'render-tenant'): Promise<string[]> =>
    (await renderFunction(name, listOf(refusing, config))).results
      .filter(({ tags }) => tags?.['code'] === 'TP3004')
      .map(({ severity }) => severity);

  test('a refused object is a warning by default, an error where failOn says so', async () => {
    expect(await severities('')).toEqual(['warning']);
    expect(await severities('    failOn: never\n')).toEqual(['warning']);
    expect(await severities('    failOn: refused\n')).toEqual(['error']);
    expect(await severities('    failOn: warning\n')).toEqual(['error']);
  });

  test('a refusal names object, field, file, code and remedy', async () => {
    const { results } = await renderFunction('render-tenant', listOf(refusing));
    expect(results.find(({ tags }) => tags?.['code'] === 'TP3004')).toEqual({
      message: expect.stringMatching(
        /^TP3004 HostPathBlocked: hostPath volume host is forbidden by .*\. Use a PersistentVolumeClaim or an emptyDir\.$/,
      ),
      severity: 'warning',
      resourceRef: { apiVersion: 'v1', kind: 'Pod', name: 'snooper', namespace: 'default' },
      field: { path: 'spec.volumes[0].hostPath' },
      file: { path: 'tenants/dev/objects/snooper.yaml', index: 0 },
      tags: {
        code: 'TP3004',
        reason: 'HostPathBlocked',
        disposition: 'Rejected',
        tenant: 'team-dev/dev',
        cause: expect.stringContaining('IsolationProfile/restricted'),
      },
    });
  });

  test.each(['Kptfile', 'sub/kustomization.yaml'])('what a tool would obey in a tenant’s folder stops the run: %s', async (file) => {
    const obeyed = annotated(
      `- apiVersion: kpt.dev/v1\n  kind: Kptfile\n  metadata:\n    name: x\n    annotations:\nPATHtenants/dev/objects/${file}\n`,
    );
    const { text, results } = await renderFunction('render-tenant', listOf(SOURCES + obeyed));
    const [found] = results.filter(({ tags }) => tags?.['code'] === 'TP2034');
    expect(found).toMatchObject({ severity: 'error', file: { path: `tenants/dev/objects/${file}` } });
    expect(withoutResults(text)).toBe(listOf(SOURCES + obeyed));
  });

  test('a frozen tenant is an error and the list comes back as it was; with failOn: never a warning, and the others go on', async () => {
    const frozen = annotated(PLATFORM + configMap('greeting', 'hello') + configMap('greeting', 'again', 'twice'));
    const stopped = await renderFunction('render-tenant', listOf(frozen));
    expect(stopped.results.some(({ severity, tags }) => severity === 'error' && tags?.['code'] === 'TP1007')).toBe(true);
    expect(withoutResults(stopped.text)).toBe(listOf(frozen));
    const passed = await renderFunction('render-tenant', listOf(frozen, '    failOn: never\n'));
    expect(passed.results.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([...hostItems(passed.text).keys()].some((path) => path.startsWith('host/team-dev/'))).toBe(false);
  });

  test('the tree of a frozen tenant stays as it last was', async () => {
    const first = withoutResults((await renderFunction('render-tenant', listOf(SOURCES, '    failOn: never\n'))).text);
    const twice = first.replace('items:\n', `items:\n${annotated(configMap('greeting', 'again', 'twice'))}`);
    const out = await renderFunction('render-tenant', twice);
    expect(
      out.results.some(
        ({ message, severity }) =>
          severity === 'warning' &&
          message.includes('its boundary is written, its own objects stay as they are and may be refused when made anew'),
      ),
    ).toBe(true);
    expect(withoutResults(out.text)).toBe(twice);
  });

  test('a render that would take out most of the tree stops, under failOn: never as well', async () => {
    const many = annotated(PLATFORM + Array.from({ length: 40 }, (_, index) => configMap(`c${index}`, 'x')).join(''));
    const first = withoutResults((await renderFunction('render-tenant', listOf(many))).text);
    const gone = first.replace(
      /- apiVersion: v1\n {2}kind: ConfigMap\n {2}metadata:\n {4}name: c\d+\n {4}annotations:\n {6}internal[\s\S]*?# the text\n/g,
      '',
    );
    expect(gone.length).toBeLessThan(first.length);
    const held = await renderFunction('render-tenant', gone.replace('host: {version', 'failOn: never\n    host: {version'));
    expect(held.results.filter(({ severity }) => severity === 'error').map(({ tags }) => tags?.['code'])).toEqual(['TP5004']);
    expect(withoutResults(held.text)).toBe(gone.replace('host: {version', 'failOn: never\n    host: {version'));
    const meant = await renderFunction('render-tenant', gone.replace('host: {version', 'maxDeletions: 40\n    host: {version'));
    expect(hostItems(meant.text).size).toBe(hostItems(first).size - 40);
  });

  test('validate-tenant changes nothing', async () => {
    const input = listOf(refusing).replace('RenderTenant', 'ValidateTenant');
    const out = await renderFunction('validate-tenant', input);
    expect(withoutResults(out.text)).toBe(input);
    expect(out.results.some(({ severity, tags }) => severity === 'error' && tags?.['code'] === 'TP3004')).toBe(true);
  });

  test('render-sync renders projected objects only', async () => {
    const out = await renderFunction('render-sync', listOf(SOURCES).replace('RenderTenant', 'RenderSync'));
    const kinds = new Set([...hostItems(out.text).values()].map((item) => item['kind']));
    expect([...kinds]).toEqual(['ConfigMap']);
  });

  test('500 results at most, the gravest first, and a line that counts the rest', async () => {
    const pods = Array.from({ length: 600 }, (_, index) => SNOOPER.replaceAll('snooper', `s${index}`)).join('');
    const { text, results } = await renderFunction('render-tenant', listOf(annotated(PLATFORM + pods)));
    expect(results.length).toBeGreaterThan(600);
    const shown = (asArray(at(parseDocument(text).value ?? null, 'results')) ?? []) as JsonObject[];
    expect(shown).toHaveLength(500);
    expect(shown.at(-1)?.['message']).toMatch(/^and \d+ more \(\d+ warning, \d+ info\); tenantplane render --ledger shows all of them$/);
  });
});
