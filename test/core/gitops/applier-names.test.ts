import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argoApplication } from '../../../src/core/gitops/argo-application.ts';
import { argoApplicationSet } from '../../../src/core/gitops/argo-application-set.ts';
import { argoProject } from '../../../src/core/gitops/argo-project.ts';
import { fluxKustomizations } from '../../../src/core/gitops/flux-kustomization.ts';
import type { TreeFolder } from '../../../src/core/gitops/tree-folders.ts';
import { objectAt, stringAt } from '../../../src/core/kube/json.ts';

const FLUX = {
  source: { kind: 'GitRepository', name: 'fleet' },
  path: 'host',
  name: 'tenantplane',
  namespace: 'flux-system',
  interval: '10m',
  prune: true,
};
const ARGO = {
  repo: 'https://git.example.com/fleet.git',
  revision: 'HEAD',
  path: 'host',
  name: 'tenantplane',
  namespace: 'argocd',
  destination: { name: 'host' },
};

const folder = (path: string): TreeFolder => ({
  path,
  role: path === 'platform' || path === 'config' ? path : 'tenant',
  count: 1,
  namespaces: [],
  clusterKinds: [],
});
const nameOf = (object: Parameters<typeof stringAt>[0]): string => stringAt(object, 'metadata', 'name') ?? '';

/** Of few steps, so that one often is another with a part's name behind it, and as long as a namespace may be. */
const namespace = fc
  .array(fc.constantFrom('a', 'team-dev', 'isolation', 'shard-00', 'shard-01', 'x'.repeat(30)), { minLength: 1, maxLength: 4 })
  .map((steps) => steps.join('-').slice(0, 63).replace(/-+$/, ''));
const tenant = fc.record({ namespace, shards: fc.integer({ min: 1, max: 3 }) });
const fleet = fc.uniqueArray(tenant, { selector: ({ namespace: of }) => of, minLength: 1, maxLength: 6 });
const prefix = fc.constantFrom('tenantplane', 'a', 'a-rather-long-prefix-for-a-fleet');

const leaves = ({ namespace: of, shards }: { namespace: string; shards: number }): string[] =>
  shards === 1 ? [of] : [`${of}/isolation`, ...Array.from({ length: shards }, (_, index) => `${of}/shard-0${index}`)];

test('a tenant called as another one’s part is has Kustomizations of its own', () => {
  const names = fluxKustomizations(['team-dev', 'team-dev-isolation'].map(folder), FLUX).map(nameOf);
  expect(names).toEqual([
    'tenantplane-team-dev.isolation',
    'tenantplane-team-dev',
    'tenantplane-team-dev-isolation.isolation',
    'tenantplane-team-dev-isolation',
  ]);
});

test('no two objects of a fleet have one name, and each can be a label', () => {
  fc.assert(
    fc.property(fleet, prefix, (tenants, name) => {
      const tops = [...tenants.map(({ namespace: of }) => of), 'platform', 'config'].map(folder);
      const kinds = [
        fluxKustomizations([...tenants.flatMap(leaves), 'platform', 'config'].map(folder), { ...FLUX, name }),
        tops.map((top) => argoApplication(top, { ...ARGO, name })),
      ].map((objects) => objects.map(nameOf));
      const projects = tops.map((top) => nameOf(argoProject(top, { ...ARGO, name })));
      for (const names of [...kinds, projects]) {
        expect(new Set(names).size).toBe(names.length);
        for (const one of names) expect(one).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      }
      for (const one of kinds.flat()) expect(one.length).toBeLessThanOrEqual(63);
    }),
  );
});

test('a namespace may be called as a cut name of another is', () => {
  const long = `${'x'.repeat(59)}-dev`;
  const cut = nameOf(argoApplication(folder(long), ARGO));
  expect(cut.length).toBe(63);
  // a dot stands in it, and none in the name of a tenant that is not cut
  expect(cut.slice('tenantplane-'.length)).toMatch(/^x{35}\.[0-9a-f]{15}$/);
});

test('an ApplicationSet names the AppProject that is printed, however long the namespace', () => {
  const long = folder('x'.repeat(63));
  const template = objectAt(objectAt(argoApplicationSet(ARGO), 'spec') ?? {}, 'template') ?? {};
  const project = (stringAt(template, 'spec', 'project') ?? '').replace('{{ .path.basename }}', long.path);
  expect(project).toBe(nameOf(argoProject(long, ARGO)));
  expect(stringAt(argoApplication(long, ARGO), 'spec', 'project')).toBe(project);
});
