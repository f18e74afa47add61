import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../src/core/kube/json.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { devPackage, planFiles, tenant, treeOf } from '../support/observe.ts';
import { type Case, cases, decisionsOf, hostObject, planCase } from './case.ts';
import { configMap, pod } from './pods.ts';

const data = (text: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${text.replace(/^(?=.)/gm, '  ')}\n`;
const bomb = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, level) => `a${level}: &a${level} [${level === 0 ? 'x, '.repeat(9) : `*a${level - 1}, `.repeat(9)}]\n`,
  ).join('');

describe('input that is meant to hurt', () => {
  const rows: readonly (readonly [title: string, text: string, says: RegExp])[] = [
    ['T-Y1 E60 CVE-2019-11253: a few hundred bytes of aliases become gigabytes', bomb(9), /aliases expanded/],
    ['T-Y1: an anchor that holds itself never ends', 'a: &a [*a]\n', /endless/],
    ['T-Y6 E60: brackets nested five thousand deep overflow the stack', '['.repeat(5000), /nested more than 100 deep/],
    [
      'T-Y6: maps nested three thousand deep overflow the stack',
      Array.from({ length: 3000 }, (_, n) => `${' '.repeat(n)}a:\n`).join(''),
      /nested more than 100 deep/,
    ],
    ['E60: a file of 20 MiB is read before anyone asks how large it is', `a: ${'x'.repeat(20 * 1024 * 1024)}\n`, /limit is 16777216/],
    ['T-Y2 G19 kustomize#3480: of a key that stands twice one is dropped without a word', data('a: "1"\na: "2"'), /key a stands twice/],
    [
      'T-Y2: two readers see two objects, since one key of a Secret stands twice',
      'apiVersion: v1\nkind: Pod\nkind: Secret\nmetadata: {name: a}\n',
      /key kind stands twice/,
    ],
    ['T-Y2: a tag makes a reader build something else than data', data('a: !!js/function "function () {}"'), /tag .*js\/function/],
    ['T-Y2: NUL ends a text for some readers', data('a: "x"\n\u0000'), /NUL is no text/],
    ['T-Y2: a tab indents for one reader and not for another', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n', /tab/],
    ['T-Y2: U+2028 is a line break for one reader and text for another', data('a: x\u2028b: y'), /U\+2028/],
    ['G20: a template that nobody rendered is taken for a map', 'metadata:\n  name: {{ .Release.Name }}\n', /no template engine/],
  ];
  it.each(rows)('%s', (_title, text, says) => {
    const files = {
      ...devPackage({ 'a.yaml': configMap('fine'), 'evil.yaml': text }),
      'tenants/ok/tenant.yaml': tenant('ok'),
      'tenants/ok/objects/a.yaml': configMap('fine'),
    };
    const result = planFiles(files);
    const found = result.findings.find(({ source }) => source.path === 'tenants/dev/objects/evil.yaml');
    expect(found?.message).toMatch(says);
    expect(`${found?.message}${found?.remedy}`).not.toMatch(/\.ts:|at .*\(/);
    expect(result.tenants.find(({ name }) => name === 'dev')?.frozen).toBeDefined();
    expect(result.tenants.find(({ name }) => name === 'ok')?.files.length).toBeGreaterThan(0);
  });
});

/** What three readers of the rendered file see, which has to be what we read of the source. */
function seen(text: string | undefined): readonly unknown[] {
  const source = text ?? '';
  return [load(source), parse(source, { version: '1.1', schema: 'yaml-1.1', merge: false }), parse(source)];
}

describe('text that readers of YAML 1.1 and 1.2 see differently', () => {
  const VALUES: readonly (readonly [refs: string, value: string])[] = [
    ['T-Y3 G25 fluxcd/flux2#4606', 'yes'],
    ['T-Y3 G25 fluxcd/flux2#4606', 'n'],
    ['G22 kustomize#4146', '987654321'],
    ['G22 kustomize#4386', '01234'],
    ['G24 kustomize#5338', '20230921.12345678'],
    ['T-Y3', '1e3'],
    ['T-Y3', '0o17'],
    ['T-Y3', '12:30:45'],
    ['T-Y3', '2020-01-01'],
    ['T-Y3', '1_000'],
    ['T-Y3', '~'],
    ['T-Y3', '<<'],
    ['T-Y3', '='],
    ['T-Y3', ''],
    ['T-Y3', '-0'],
    ['T-Y3', '.inf'],
    ['G29 mikefarah/yq#566', 'line one \nline two\n'],
    ['G27 kustomize#886', 'a\n\n  b\n\tc\n'],
    ['found in kustomize', 'a\u0085b\u2028c'],
    ['T-F2', '# no comment'],
  ];
  it.each(VALUES)('%s: %j comes out as something else', (_refs, value) => {
    // a raw NEL or U+2028 is refused in a file; written as an escape it is a value like others
    const quoted = JSON.stringify(value).replace(
      /[\u0085\u2028]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const row = { id: '', refs: '', wrong: '', input: data(`k: ${quoted}`) };
    const object = hostObject(planCase(row));
    const text = emitYaml(object ?? {});
    for (const read of seen(text)) expect((read as { data: { k: unknown } }).data.k).toBe(value);
  });

  it.each(['yes', 'on', 'n', '1.0', '0755', '1e3', '2020-01-01', 'null'])('T-Y3: the key %s becomes a boolean or a number', (key) => {
    const text = emitYaml(hostObject(planCase({ id: '', refs: '', wrong: '', input: data(`"${key}": v`) })) ?? {});
    for (const read of seen(text)) expect((read as { data: object }).data).toEqual({ [key]: 'v' });
  });

  it('T-Y5 CVE-2025-64718: keys that JavaScript has on every object are lost, or change all objects', () => {
    const row = { id: '', refs: '', wrong: '', input: data('__proto__: a\nconstructor: b\ntoString: c\nhasOwnProperty: d') };
    const object = hostObject(planCase(row));
    const text = emitYaml(object ?? {});
    expect(text).toMatch(/^data:\n {2}__proto__: a\n {2}constructor: b\n {2}toString: c\n {2}hasOwnProperty: d\n$/m);
    expect(Object.hasOwn({}, 'a')).toBe(false);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const NUMBERS: readonly Case[] = [
    {
      id: 'T-Y4',
      refs: 'float64 in JavaScript',
      wrong: 'an integer past 2^53 is rounded',
      input: pod('securityContext: {fsGroup: 2000}\nterminationGracePeriodSeconds: 9007199254740993'),
      fields: { 'spec terminationGracePeriodSeconds': 9007199254740993n as unknown as Json },
    },
    {
      id: 'T-Y4',
      refs: 'int64 in Kubernetes',
      wrong: 'an integer past 64 bits is rounded to another user',
      input: pod('securityContext: {runAsUser: 12345678901234567890}'),
      refused: 'ObjectMalformed',
      pointer: 'spec.securityContext.runAsUser',
    },
    {
      id: 'G22',
      refs: 'kustomize#4146',
      wrong: 'a namespace of digits is a number, and the next tool writes it without quotes',
      input: configMap('a', '', '987654321'),
      refused: 'ObjectMalformed',
      pointer: 'metadata.namespace',
      says: /quote it/,
    },
    {
      id: 'G22',
      refs: 'kustomize#4386',
      wrong: 'a quoted namespace of digits loses its quotes',
      input: configMap('a', '', '"987654321"'),
      fields: { 'metadata annotations tenantplane.io/virtual-namespace': '987654321' },
    },
    {
      id: 'T-Y5',
      refs: 'CVE-2025-64718',
      wrong: 'a label __proto__ is set on the prototype and seen on every object',
      input: configMap('a', 'labels: {__proto__: x}'),
      refused: 'InvalidName',
    },
    {
      id: 'G25',
      refs: 'fluxcd/flux2#4606',
      wrong: 'yes in a ConfigMap is a boolean, and the API refuses it where nobody looks',
      input: data('enabled: yes'),
      refused: 'ObjectMalformed',
      pointer: 'data.enabled',
      says: /quote it/,
    },
  ];
  cases(NUMBERS);

  it('G22 kustomize#4386: our own output writes a namespace of digits bare', () => {
    const text = emitYaml({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: '01234', namespace: '987654321' } });
    for (const read of seen(text)) expect(read).toMatchObject({ metadata: { name: '01234', namespace: '987654321' } });
  });
});

describe('documents and lists', () => {
  const source = `# licence of the file
# second line

apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
# nothing but a comment
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b}
  data: &shared {k: v}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data: *shared
`;

  it('G16 T-K6 kustomize#3825: objects of a List with anchors are lost, or the List is taken for one object', () => {
    const result = planFiles(devPackage({ 'x.yaml': source }));
    expect(
      decisionsOf(result).flatMap(({ source: from, action }) => (from?.kind === 'ConfigMap' ? [`${from.name} ${action}`] : [])),
    ).toEqual(['a Create', 'b Create', 'c Create']);
    expect(treeOf(result).get('team-dev/configmap_c-x-default-x-dev.yaml')).toContain('data:\n  k: v\n');
    expect([...treeOf(result).values()].join('')).not.toMatch(/[&*]shared/);
  });

  it('T-K6: what stands in a List escapes the checks for what stands alone', () => {
    const evil = `apiVersion: v1\nkind: List\nitems:\n- ${pod('hostPID: true').trimEnd().replaceAll('\n', '\n  ')}\n- apiVersion: tenantplane.io/v1alpha1\n  kind: IsolationProfile\n  metadata: {name: mine}\n  spec: {level: baseline}\n`;
    const reasons = decisionsOf(planFiles(devPackage({ 'x.yaml': evil }))).map(({ reason }) => reason);
    expect(reasons).toContain('HostNamespaceBlocked');
    expect(reasons).toContain('ConfigFromTenant');
  });

  it('T-K6: a list of a kind, a List in a List or one of another group carries an object past the checks', () => {
    const list = (apiVersion: string, kind: string, item: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nitems:\n- ${item.trimEnd().replaceAll('\n', '\n  ')}\n`;
    const evil = pod('hostPID: true');
    for (const text of [list('v1', 'PodList', evil), list('evil/v1', 'List', evil), list('v1', 'List', list('v1', 'List', evil))]) {
      const result = planFiles(devPackage({ 'x.yaml': text }));
      expect([...treeOf(result).keys()].filter((path) => path.includes('/pod_'))).toEqual([]);
      const said = [...decisionsOf(result), ...result.findings].map(({ reason }) => reason);
      expect(said.filter((reason) => reason === 'HostNamespaceBlocked' || reason === 'NotAnObject')).toHaveLength(1);
    }
  });

  it('G1 kpt#3941, G4 kpt#2368: a document of comments only is dropped, or its lines move', () => {
    const { slices, objects } = readDocuments(source, 'x.yaml');
    expect(objects).toHaveLength(3);
    expect(slices.map(({ start, end }) => source.slice(start, end)).join('')).toBe(source);
    expect(objects.map(({ source: { line } }) => line)).toEqual([4, 13, 17]);
  });

  it('G17 akuity/kargo#6740: an empty key beside an alias loses the rest of the map', () => {
    const text = data('k: v\n? \n: empty\nafter: &x y\nlast: *x');
    const { objects, findings } = readDocuments(text, 'x.yaml');
    const kept = objects[0]?.object['data'];
    expect(findings.length > 0 || JSON.stringify(kept)).toBeTruthy();
    if (kept !== undefined) expect(kept).toMatchObject({ k: 'v', after: 'y', last: 'y' });
  });
});
