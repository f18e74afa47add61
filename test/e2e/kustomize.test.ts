import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytes, copyPackage, objects, objectsOf, ok, renderedByCommand, run, scratch, withoutPaths } from './workspace.ts';

const FLAGS = ['--enable-alpha-plugins', '--enable-exec'];

const functionConfig = (path: string, fields: string): string => `apiVersion: fn.tenantplane.io/v1alpha1
kind: RenderTenant
metadata:
  name: render
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: ${path}
        args: [render-tenant]
spec:
${fields.replace(/^/gm, '  ')}
`;
const HOST = 'host:\n  version: "1.34"\n  serviceCIDRs: [10.96.0.0/16]\n';

describe.each([
  { example: 'examples/first-tenant', tenant: { name: 'dev', folder: 'dev' } },
  { example: 'examples/shop', tenant: { name: 'shop', folder: 'shop' } },
])('real kustomize on $example', ({ example, tenant }) => {
  let expected: Map<string, unknown>;
  let sources: string;
  beforeAll(() => {
    expected = objectsOf(renderedByCommand(example));
  });

  test('as a generator whose config names the package', () => {
    sources = copyPackage(example);
    const folder = scratch();
    writeFileSync(join(folder, 'kustomization.yaml'), 'generators:\n  - render.yaml\n');
    writeFileSync(join(folder, 'render.yaml'), functionConfig('tenantplane-fn', `package: ${sources}\n${HOST}`));
    const built = ok('kustomize', ['build', ...FLAGS, folder]).stdout;
    expect(objects(built)).toEqual(expected);
    expect(ok('kustomize', ['build', ...FLAGS, folder]).stdout).toBe(built);
  });

  // kustomize hands resources on without their paths, so no object can say which file it came from
  test('as a transformer of a tenant’s resources, whose paths it does not know', () => {
    sources = copyPackage(example);
    const files = [...bytes(sources).keys()].filter((path) => /^(platform|tenants)\/.*\.yaml$/.test(path));
    writeFileSync(
      join(sources, 'kustomization.yaml'),
      `resources:\n${files.map((path) => `  - ${path}\n`).join('')}transformers:\n  - transform.yaml\n`,
    );
    const fields = `tenant:\n  name: ${tenant.name}\n  namespace: TENANT_NAMESPACE\noutput:\n  sources: mark\n${HOST}`;
    const namespace = /namespace: (\S+)/.exec(bytes(sources).get(`tenants/${tenant.folder}/tenant.yaml`) ?? '')?.[1] ?? '';
    writeFileSync(join(sources, 'transform.yaml'), functionConfig('tenantplane-fn', fields.replace('TENANT_NAMESPACE', namespace)));
    const built = ok('kustomize', ['build', ...FLAGS, sources]).stdout;
    expect(withoutPaths(objects(built))).toEqual(withoutPaths(expected));
    expect(ok('kustomize', ['build', ...FLAGS, sources]).stdout).toBe(built);
  });
});

test('without --enable-exec kustomize skips the function and says nothing: the marker that render leaves is not there', () => {
  const folder = copyPackage('examples/first-tenant');
  const file = 'tenants/dev/objects/web.yaml';
  writeFileSync(join(folder, 'kustomization.yaml'), `resources:\n  - ${file}\ntransformers:\n  - transform.yaml\n`);
  writeFileSync(join(folder, 'transform.yaml'), functionConfig('tenantplane-fn', HOST));
  const ran = run('kustomize', ['build', '--enable-alpha-plugins', folder]);
  expect(ran.status).toBe(0);
  expect(ran.stdout).not.toContain('tenantplane.io/decision');
});

// what kustomize shows of a function is its output and its stderr; its results are never seen
test('what a generator refuses is told on stderr, and with failOn: refused the build fails', () => {
  const sources = copyPackage('examples/first-tenant');
  writeFileSync(
    join(sources, 'tenants/dev/objects/bare.yaml'),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: bare, namespace: default}
spec:
  selector: {matchLabels: {app: bare}}
  template: {metadata: {labels: {app: bare}}, spec: {hostPID: true, containers: [{name: c, image: "nginx:1.29"}]}}
`,
  );
  const folder = scratch();
  writeFileSync(join(folder, 'kustomization.yaml'), 'generators:\n  - render.yaml\n');
  writeFileSync(join(folder, 'render.yaml'), functionConfig('tenantplane-fn', `package: ${sources}\n${HOST}`));
  expect(ok('kustomize', ['build', ...FLAGS, folder]).stderr).toMatch(
    /^warning: tenants\/dev\/objects\/bare\.yaml: Deployment default\/bare .*TP\d{4}/m,
  );
  writeFileSync(join(folder, 'render.yaml'), functionConfig('tenantplane-fn', `package: ${sources}\nfailOn: refused\n${HOST}`));
  const failed = run('kustomize', ['build', ...FLAGS, folder]);
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toMatch(/error: tenants\/dev\/objects\/bare\.yaml: Deployment default\/bare /);
});
