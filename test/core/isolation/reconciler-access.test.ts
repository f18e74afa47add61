import { describe, expect, test } from 'vitest';
import { controlPlaneObjects } from '../../../src/core/controlplane/objects.ts';
import { compileReconcilerAccess } from '../../../src/core/isolation/reconciler-access.ts';
import { at, type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import { kindRow } from '../../../src/core/kube/kinds.ts';
import { apiVersionOf, groupOf, kindKey, kindOf, nameOf } from '../../../src/core/kube/object.ts';
import { resolveTenant } from '../../../src/core/plan/resolve-settings.ts';
import { checkConfigOf } from '../../../src/schema/check-config.ts';
import { DATASTORE_TYPES, DATASTORES, RELEASE, settingsOf, tenantCluster } from '../controlplane/tenant-clusters.ts';
import { named, tenantContext } from './tenant.ts';

function rulesFor(spec: JsonObject): JsonObject[] {
  const { value } = checkConfigOf(tenantCluster(spec), 'TenantCluster');
  const compiled = compileReconcilerAccess(tenantContext({ tenant: resolveTenant(value as unknown as JsonObject) }));
  return objectsOf(at(named(compiled, 'Role', 'tenantplane-reconciler'), 'rules'));
}

/** Whether the rules let a request through, as RBAC reads them. */
function allows(rules: readonly JsonObject[], verb: string, group: string, resource: string, name: string): boolean {
  const has = (rule: JsonObject, key: string, value: string): boolean => (rule[key] as string[]).includes(value);
  return rules.some(
    (rule) =>
      has(rule, 'verbs', verb) &&
      has(rule, 'apiGroups', group) &&
      has(rule, 'resources', resource) &&
      (rule['resourceNames'] === undefined || has(rule, 'resourceNames', name)),
  );
}

describe('what the reconciler may do in a control plane’s namespace', () => {
  test.each(DATASTORE_TYPES)('is to make, change and delete each object that it makes (%s)', (type) => {
    const spec = {
      ...DATASTORES[type],
      controlPlane: { ...(DATASTORES[type]['controlPlane'] as JsonObject), expose: { loadBalancer: true } },
    };
    const rules = rulesFor(spec);
    const objects = controlPlaneObjects({ settings: settingsOf(spec), release: RELEASE, authorities: 'digest' });
    expect(objects.length).toBeGreaterThan(3);
    for (const object of objects) {
      const group = groupOf(apiVersionOf(object));
      const resource = kindRow(kindKey(apiVersionOf(object), kindOf(object)))?.plural ?? '';
      for (const verb of ['create', 'patch', 'delete'])
        expect([nameOf(object), verb, allows(rules, verb, group, resource, nameOf(object))]).toEqual([nameOf(object), verb, true]);
      expect(allows(rules, 'patch', group, resource, 'another')).toBe(false);
    }
  });

  test.each([
    ['control-plane-authorities', ['get', 'delete']],
    ['control-plane-token', ['get', 'delete']],
    ['kubeconfig', ['get', 'patch', 'delete']],
    ['database', ['get']],
    ['another', []],
  ])('is of Secret %s to %j', (name, verbs) => {
    const rules = rulesFor(DATASTORES.postgres);
    const all = ['get', 'list', 'watch', 'update', 'patch', 'delete', 'deletecollection'];
    expect(all.filter((verb) => allows(rules, verb, '', 'secrets', name))).toEqual(verbs);
  });

  test('is nothing with a database’s Secret where there is none', () => {
    expect(rulesFor({ controlPlane: { datastore: { secretRef: { name: 'database' } } } })).toEqual(rulesFor({}));
  });

  test('is granted to its account there and nowhere else', () => {
    const objects = compileReconcilerAccess(tenantContext());
    expect(objects.map(({ object }) => at(object, 'metadata', 'namespace'))).toEqual(['cp-x-dev-x-team-dev', 'cp-x-dev-x-team-dev']);
    expect(named(objects, 'RoleBinding', 'tenantplane-reconciler')).toMatchObject({
      roleRef: { kind: 'Role', name: 'tenantplane-reconciler' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'tenantplane-system', name: 'tenantplane-reconciler' }],
    });
  });
});
