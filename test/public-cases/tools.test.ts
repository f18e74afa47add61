import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asArray, at, type JsonObject, stringAt } from '../../src/core/kube/json.ts';
import { renderFunction } from '../../src/krm/render-function.ts';
import { MOST_RESULTS } from '../../src/krm/results.ts';
import { parseDocument } from '../../src/krm/yaml/parse.ts';
import { tenantplane, twoTenants } from '../cli/harness.ts';
import { put, read } from '../cli/tree/disk.ts';
import { devPackage, planFiles, previousOf, treeOf } from '../support/observe.ts';
import { configMap, deployment, service } from './pods.ts';

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n';

/** One item of a ResourceList as kpt passes it, with the path of its file. */
function item(path: string, text: string): string {
  const object = text.replace(
    /^metadata: \{(.*)\}$/m,
    'metadata: {$1, annotations: {internal.config.kubernetes.io/path: PATH, internal.config.kubernetes.io/index: "0"}}',
  );
  return `- ${object.replaceAll('PATH', path).trimEnd().replaceAll('\n', '\n  ')}\n`;
}

const PLATFORM = Object.entries({
  'platform/profile.yaml':
    'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: restricted}\nspec:\n  level: restricted\n',
  'platform/policy.yaml':
    'apiVersion: tenantplane.io/v1alpha1\nkind: SyncPolicy\nmetadata: {name: default}\nspec:\n  resources: [{apiVersion: v1, kind: ConfigMap, direction: toHost}]\n',
  'tenants/dev/tenant.yaml':
    'apiVersion: tenantplane.io/v1alpha1\nkind: TenantCluster\nmetadata: {name: dev, namespace: team-dev}\nspec: {isolationProfileRef: {name: restricted}, syncPolicyRef: {name: default}}\n',
})
  .map(([path, text]) => item(path, text))
  .join('');
const list = (items: string): string => `${HEAD}items:\n${items}`;
const object = (name: string): string =>
  item(`tenants/dev/objects/${name}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: b}\n`);

async function run(text: string, name: 'render-tenant' | 'validate-tenant' = 'render-tenant'): Promise<{ text: string; errors: string[] }> {
  const { pieces, results } = await renderFunction(name, text);
  return { text: pieces.join(''), errors: results.filter(({ severity }) => severity === 'error').map(({ message }) => message) };
}
const withoutResults = (text: string): string => text.replace(/^results:\n[\s\S]*$/m, '');
const itemsOf = (text: string): JsonObject[] => (asArray(at(parseDocument(text).value ?? null, 'items')) ?? []) as JsonObject[];
const pathOf = (value: JsonObject): string => stringAt(value, 'metadata', 'annotations', 'internal.config.kubernetes.io/path') ?? '';

describe('as a KRM function', () => {
  it('G2 kpt#628, kpt#231, kpt#1815; G8 kpt#2301: comments, also those of a Kptfile, are gone after a function ran', async () => {
    const kptfile = `- apiVersion: kpt.dev/v1 # the version
  kind: Kptfile
  # its name
  metadata:
    name: fleet
    annotations:
      config.kubernetes.io/local-config: "true"
      internal.config.kubernetes.io/path: Kptfile
  pipeline: {mutators: [{image: a}]} # compact
`;
    const commented = object('a').replace('  data: {a: b}', '  # what it is for\n  data: {a: b} # here');
    const input = list(kptfile + PLATFORM + commented);
    const out = await run(input);
    expect(out.errors).toEqual([]);
    expect(out.text.startsWith(input)).toBe(true);
  });

  it('G6 kpt#1744: a generator adds its objects again at each run', async () => {
    const first = withoutResults((await run(list(PLATFORM + object('a')))).text);
    const second = withoutResults((await run(first)).text);
    expect(second).toBe(first);
    expect(withoutResults((await run(second)).text)).toBe(first);
    const paths = itemsOf(first).map(pathOf);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('G7 kpt#2388: a kustomization.yaml or another file of a tool makes the whole package fail', async () => {
    const kustomization = item(
      'kustomization.yaml',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: k}\nresources: [a.yaml]\n',
    );
    const out = await run(list(kustomization + PLATFORM + object('a')));
    expect(out.errors).toEqual([]);
    expect(out.text).toContain('kind: Kustomization');
    expect(itemsOf(out.text).some((value) => value['kind'] === 'Kustomization' && pathOf(value).startsWith('host/'))).toBe(false);
  });

  it('found in kpt: an input without items is answered with an empty list, and the whole package is deleted', async () => {
    for (const text of ['', HEAD, `${HEAD}items: null\n`, 'garbage: [', '\u0000\u0001']) {
      const out = await run(text);
      expect(out.text).toBe('');
      expect(out.errors).toHaveLength(1);
    }
  });

  it('found in kpt: a path in a list leads out of the package, or onto another file on a disk that ignores case', async () => {
    for (const path of ['../evil.yaml', '/etc/evil.yaml', 'a/../../evil.yaml', '..\\evil.yaml', 'C:\\evil.yaml', 'a//../../b.yaml']) {
      const input = list(PLATFORM + item(JSON.stringify(path), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: evil}\n'));
      const out = await run(input);
      expect(out.errors.join(' '), path).toMatch(/PathNotAllowed/);
      expect(withoutResults(out.text)).toBe(input);
    }
    const cases = await run(list(PLATFORM + object('a') + object('b')));
    const paths = itemsOf(cases.text)
      .map(pathOf)
      .filter((path) => path.startsWith('host/'));
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  });

  it('found in kpt: a cloned item keeps the id of its source, and takes its comments or vanishes', async () => {
    const marked = object('a').replace(
      'internal.config.kubernetes.io/index: "0"',
      'internal.config.kubernetes.io/index: "0", internal.config.kubernetes.io/id: "7", internal.kpt.dev/resource-id: x',
    );
    const out = await run(list(PLATFORM + marked));
    expect(out.text.match(/internal\.config\.kubernetes\.io\/id/g)).toHaveLength(1);
    expect(out.text.match(/internal\.kpt\.dev\/resource-id/g)).toHaveLength(1);
  });

  it('G19 kustomize#3480, E62: a duplicate is a panic, or is noticed after the build', async () => {
    const twice = item('tenants/dev/objects/again.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: c}\n');
    const input = list(PLATFORM + object('a') + twice);
    const out = await run(input);
    expect(out.errors.join('\n')).toMatch(/tenants\/dev\/objects\/a\.yaml.*tenants\/dev\/objects\/again\.yaml/);
    expect(withoutResults(out.text)).toBe(input);
    const broken = await run(list(`${PLATFORM}- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: x}\n  data: {a: b, a: c}\n`));
    expect(broken.errors.join()).toMatch(/stands twice/);
  });

  it('E66 T-R3: an error about a Secret quotes it', async () => {
    const out = await run(
      list(
        `${PLATFORM}${item('tenants/dev/objects/s.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: [hunter2-canary]}\n')}`,
      ),
    );
    expect(out.text.match(/hunter2-canary/g)).toHaveLength(1);
  });

  it('found in kpt: it prints every result, so a thousand of them bury the one that matters', async () => {
    const pods = Array.from({ length: MOST_RESULTS + 200 }, (_, n) =>
      item(`tenants/dev/objects/r${n}.yaml`, `apiVersion: v1\nkind: secret\nmetadata: {name: r${n}}\n`),
    ).join('');
    const { pieces } = await renderFunction('render-tenant', list(PLATFORM + pods));
    const shown = asArray(at(parseDocument(pieces.join('')).value ?? null, 'results')) ?? [];
    expect(shown).toHaveLength(MOST_RESULTS);
    expect(stringAt(shown.at(-1), 'message')).toMatch(/^and \d+ more/);
  });
});

describe('as a command', () => {
  it('G44 kustomize-controller#1498: there is no way to ask for the difference without making it', async () => {
    const root = twoTenants();
    expect((await tenantplane(['render', root])).code).toBe(0);
    const before = read(root);
    put(root, { 'tenants/dev/objects/a.yaml': configMap('a').replace('a: b', 'a: changed') });
    const check = await tenantplane(['render', root, '--check', '--diff']);
    expect(check.code).not.toBe(0);
    expect(check.out + check.err).toContain('configmap_a-x-default-x-dev.yaml');
    expect(check.out + check.err).toContain('changed');
    const after = read(root);
    expect({ ...after, 'tenants/dev/objects/a.yaml': '' }).toEqual({ ...before, 'tenants/dev/objects/a.yaml': '' });
    expect((await tenantplane(['render', root])).code).toBe(0);
    expect((await tenantplane(['render', root, '--check'])).code).toBe(0);
  });

  it('E68: the folder that the command is called from, the time zone or the language changes the bytes', async () => {
    const here = twoTenants();
    const there = twoTenants();
    await tenantplane(['render', here], { cwd: '/', env: { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8' } });
    await tenantplane(['render', '.'], { cwd: there, env: { TZ: 'UTC', LC_ALL: 'C' } });
    expect(read(join(here, 'host'))).toEqual(read(join(there, 'host')));
  });

  it('T-F1 CVE-2022-24877, CVE-2022-36035: a link in a tenant’s folder makes the render read, or write, outside the package', async () => {
    const root = twoTenants();
    const outside = twoTenants();
    put(outside, { 'secret.yaml': configMap('outside') });
    symlinkSync(join(outside, 'secret.yaml'), join(root, 'tenants/dev/objects/link.yaml'));
    const { code, out, err } = await tenantplane(['render', root]);
    expect(code).toBe(1);
    expect(out + err).toMatch(/link\.yaml.*symbolic link that leaves the package/s);
    expect(readFileSync(join(outside, 'secret.yaml'), 'utf8')).toBe(configMap('outside'));
    expect(Object.keys(read(join(root, 'host')) ?? {}).some((path) => path.includes('outside'))).toBe(false);
  });

  it('G13 kustomize#4288, argo-cd#5553: exec functions that a Git repository names cannot be trusted: none of what is rendered names one', async () => {
    const root = twoTenants();
    await tenantplane(['render', root]);
    for (const text of Object.values(read(join(root, 'host')) ?? {})) expect(text).not.toMatch(/config\.kubernetes\.io\/function|exec:/);
  });

  it('G48 argocd-diff-preview#42: a large change is cut in the middle of a line', async () => {
    const root = twoTenants();
    await tenantplane(['render', root]);
    put(root, Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`tenants/dev/objects/n${n}.yaml`, configMap(`n${n}`)])));
    const { out, err, code } = await tenantplane(['render', root, '--check']);
    expect([code, err]).toEqual([4, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('stale: 0 stale, 120 missing, 0 extra');
    const listed = lines.filter((line) => line.endsWith('.yaml')).length;
    expect(out).toContain(`and ${120 - listed} more missing files`);
  });
});

describe('what GitOps tools do with the tree', () => {
  const files = devPackage({
    'a.yaml': configMap('a'),
    'd.yaml': deployment(),
    's.yaml': service('selector: {app: web}\nports: [{port: 80}]', 'web'),
  });

  it('G42 argo-cd#9678, argo-cd#9696, kustomize-controller#486: fields that the API server or an autoscaler owns are in Git, so two writers fight', () => {
    const autoscaled = devPackage({
      'd.yaml': deployment().replace('spec:\n  selector', 'spec:\n  replicas: 3\n  selector'),
      'h.yaml':
        'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 5}\n',
      's.yaml': service('clusterIP: 10.43.0.9\nselector: {app: web}\nports: [{port: 80, nodePort: 30080}]', 'web'),
    });
    const tree = treeOf(planFiles(autoscaled));
    expect(tree.get('team-dev/deployment.apps_web-x-default-x-dev.yaml')).not.toContain('replicas:');
    for (const text of tree.values())
      expect(text).not.toMatch(/^ *(status|managedFields|resourceVersion|uid|clusterIPs?|nodePort|creationTimestamp):/m);
  });

  it('G37 argo-cd#23815: what one tool tracks by is committed, and another takes it for its own', () => {
    for (const text of treeOf(planFiles(files)).values())
      expect(text).not.toMatch(/tracking-id|app\.kubernetes\.io\/instance|kustomize\.toolkit\.fluxcd\.io\/(name|namespace)/);
  });

  it('G20 kustomize#641: an object without a name reaches the tree, which some appliers make again at each sync', () => {
    const job =
      'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: j-}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n';
    for (const text of treeOf(planFiles(devPackage({ 'j.yaml': job }))).values()) expect(text).not.toContain('generateName');
  });

  it('G47 argocd-diff-preview#324: objects of one name in two namespaces lie in one file and are compared crosswise', () => {
    const tree = treeOf(planFiles(devPackage({ 'a.yaml': configMap('same', '', 'one'), 'b.yaml': configMap('same', '', 'two') })));
    expect([...tree.keys()].filter((path) => path.includes('configmap_same'))).toHaveLength(2);
  });

  it('G50 helm-diff#348, helm-diff#572: order in the source moves text in the tree', () => {
    const a = devPackage({ 'x.yaml': `${configMap('a')}---\n${configMap('b')}` });
    const b = devPackage({ 'x.yaml': `${configMap('b')}---\n${configMap('a')}` });
    expect([...treeOf(planFiles(b))].sort()).toEqual([...treeOf(planFiles(a))].sort());
  });

  it('G27 kustomize#886, kustomize#3830: text of many lines is rewritten in another style, and the whole file differs', () => {
    const script =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  run.sh: |\n    #!/bin/sh\n    set -e\n    echo "a: b" # c\n';
    expect(treeOf(planFiles(devPackage({ 'x.yaml': script }))).get('team-dev/configmap_a-x-default-x-dev.yaml')).toContain(
      'data:\n  run.sh: |\n    #!/bin/sh\n    set -e\n    echo "a: b" # c\n',
    );
  });

  it('S19 §3: a second render on the first, by the same rules, is not empty', () => {
    const first = planFiles(files);
    const second = planFiles(files, {}, previousOf(first));
    expect([...treeOf(second)]).toEqual([...treeOf(first)]);
    expect(second.removed).toEqual([]);
  });
});
