import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ACCESS_ROWS } from '../../deploy/install/access-rows.ts';
import { installFiles } from '../../deploy/install/install-files.ts';
import { RECONCILER_FLAGS } from '../../src/cli/reconciler/flags.ts';
import { reconcilerPeer } from '../../src/core/isolation/peers.ts';
import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import { at, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { WATCHED_KINDS } from '../../src/reconciler/process/watched-kinds.ts';

const objects = [...installFiles()].flatMap(([path, text]) => (loadAll(text) as JsonObject[]).map((object) => ({ path, object })));
const base = objects.filter(({ path }) => path.startsWith('deploy/base/')).map(({ object }) => object);
const ofKind = (kind: string): JsonObject[] => base.filter((object) => object['kind'] === kind);

describe('the base', () => {
  test('runs the pods that tenants’ network policies and roles know', () => {
    const [deployment] = ofKind('Deployment');
    const template = objectAt(deployment, 'spec', 'template');
    const peer = reconcilerPeer();
    expect(objectAt(template, 'metadata', 'labels')).toMatchObject(objectAt(peer, 'podSelector', 'matchLabels') ?? { none: 'found' });
    expect(at(peer, 'namespaceSelector', 'matchLabels', 'kubernetes.io/metadata.name')).toBe(stringAt(deployment, 'metadata', 'namespace'));
    expect(stringAt(template, 'spec', 'serviceAccountName')).toBe(RECONCILER.name);
    expect(ofKind('ServiceAccount').map((account) => stringAt(account, 'metadata', 'name'))).toEqual([RECONCILER.name]);
  });

  test('has the ports and the time that the command takes by default, and kubelet kills it after that', () => {
    const fallback = (name: string): string | undefined => RECONCILER_FLAGS.find((flag) => flag.name === name)?.fallback;
    const pod = objectAt(ofKind('Deployment')[0], 'spec', 'template', 'spec');
    const ports = objectsOf(at(pod, 'containers', 0, 'ports')).map(({ containerPort }) => `:${String(containerPort)}`);
    expect(ports).toEqual([fallback('metrics-bind-address'), fallback('health-probe-bind-address')]);
    const drain = Number.parseInt(fallback('drain-timeout') ?? '', 10);
    // passes that are cut get 2 s more, Events and spans 5 s, the Lease 6 s
    expect(at(pod, 'terminationGracePeriodSeconds')).toBeGreaterThan(drain + 2 + 5 + 6);
    expect(drain).toBeGreaterThan(0);
  });

  test('stays below what would make it an object of a render, or of another namespace', () => {
    for (const object of base.filter(({ kind }) => kind !== 'Kustomization')) {
      expect(objectAt(object, 'metadata', 'labels') ?? {}).not.toHaveProperty(['app.kubernetes.io/managed-by']);
      const namespaced = !/^(Namespace|Cluster|ValidatingAdmission)/.test(String(object['kind']));
      expect(stringAt(object, 'metadata', 'namespace')).toBe(namespaced ? RECONCILER.namespace : undefined);
    }
  });

  test('gives the heap three quarters of the memory', () => {
    const container = at(ofKind('Deployment')[0], 'spec', 'template', 'spec', 'containers', 0);
    const limit = /^(\d+)Mi$/.exec(stringAt(container, 'resources', 'limits', 'memory') ?? '')?.[1];
    const heap = objectsOf(at(container, 'env')).find(({ name }) => name === 'NODE_OPTIONS')?.['value'];
    expect(heap).toBe(`--max-old-space-size=${Number(limit) * 0.75}`);
  });
});

describe('the table of rights', () => {
  const words = (pick: (row: (typeof ACCESS_ROWS)[number]) => readonly string[]): Set<string> => new Set(ACCESS_ROWS.flatMap(pick));

  test('of the base holds no wildcard, no Secret, nothing that runs in a pod, no verb that gives rights', () => {
    expect(
      [...words((row) => (row.where === 'controller' ? [] : [...row.resources, ...row.verbs]))].filter((word) =>
        /\*|secrets|pods\/|token|^(escalate|bind|impersonate)$/.test(word),
      ),
    ).toEqual([]);
    const written = ACCESS_ROWS.filter(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)));
    expect(new Set(written.map(({ group }) => group))).toEqual(
      new Set(['tenantplane.io', 'events.k8s.io', 'coordination.k8s.io', '', 'networking.k8s.io', 'policy', 'rbac.authorization.k8s.io']),
    );
    expect(new Set(written.filter(({ where }) => where !== 'controller').map(({ group }) => group))).toEqual(
      new Set(['tenantplane.io', 'events.k8s.io', 'coordination.k8s.io']),
    );
  });

  test('lets the reconciler list and watch each kind that it keeps a copy of, and no kind that it does not', () => {
    const readable = ACCESS_ROWS.filter(({ where, verbs }) => where === 'cluster' && verbs.includes('watch'));
    const rows = readable.flatMap(({ group, resources }) => resources.map((resource) => `${group}/${resource}`));
    expect(rows.sort()).toEqual(WATCHED_KINDS.map(({ resource }) => `${resource.group}/${resource.plural}`).sort());
  });

  test('is what the roles hold, each rule with its reason', () => {
    const texts = [...installFiles()].filter(([path]) => /\/(cluster)?role\.yaml$/.test(path));
    const rules = texts.flatMap(([, text]) => (loadAll(text) as Json[]).flatMap((role) => objectsOf(at(role, 'rules'))));
    expect(rules).toHaveLength(ACCESS_ROWS.length);
    for (const { why, verbs } of ACCESS_ROWS) {
      expect(verbs.length).toBeGreaterThan(0);
      expect(
        texts.some(([, text]) => text.includes(`\n# ${why}\n- apiGroups:`)),
        why,
      ).toBe(true);
    }
  });
});
