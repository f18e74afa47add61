import { describe, expect, test } from 'vitest';
import { compileIsolation } from '../../../src/core/isolation/compile.ts';
import { controlPlaneNamespace } from '../../../src/core/isolation/control-plane-namespace.ts';
import { at, type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import type { ControlPlaneNeeds } from '../../../src/core/plan/settings.ts';
import { labelOf, named, projected, service, tenantContext } from './tenant.ts';

describe('isolation of a tenant', () => {
  test('compiles to these objects at restricted', () => {
    const objects = compileIsolation(tenantContext(), []);
    expect(
      objects.map(
        ({ object, control, cause }) => `${kindOf(object)} ${namespaceOf(object) ?? '-'}/${nameOf(object)}: ${control}, ${cause}`,
      ),
    ).toEqual([
      'Namespace -/team-dev: podSecurity, IsolationProfile/restricted#podSecurity',
      'Namespace -/cp-x-dev-x-team-dev: podSecurity, IsolationProfile/restricted#podSecurity',
      'ServiceAccount team-dev/tenantplane-workload: serviceAccount, TenantCluster/dev#mode',
      'NetworkPolicy team-dev/tenantplane-default-deny: defaultDenyNetworkPolicy, IsolationProfile/restricted#defaultDenyNetworkPolicy',
      'NetworkPolicy team-dev/tenantplane-allow-dns: dns, IsolationProfile/restricted#defaultDenyNetworkPolicy',
      'NetworkPolicy team-dev/tenantplane-allow-tenant-api: tenantApi, IsolationProfile/restricted#defaultDenyNetworkPolicy',
      'NetworkPolicy cp-x-dev-x-team-dev/tenantplane-cp-default-deny: controlPlane, TenantCluster/dev#controlPlane',
      'NetworkPolicy cp-x-dev-x-team-dev/tenantplane-cp: controlPlane, TenantCluster/dev#controlPlane',
      'ResourceQuota cp-x-dev-x-team-dev/tenantplane-cp-counts: controlPlane, TenantCluster/dev#controlPlane',
      'Role cp-x-dev-x-team-dev/tenantplane-reconciler: reconcilerAccess, TenantCluster/dev#controlPlane',
      'RoleBinding cp-x-dev-x-team-dev/tenantplane-reconciler: reconcilerAccess, TenantCluster/dev#controlPlane',
      'ResourceQuota team-dev/tenantplane-quota: resources, TenantCluster/dev#resources',
      'ResourceQuota team-dev/tenantplane-counts: quota, IsolationProfile/restricted#quota',
      'ResourceQuota team-dev/tenantplane-no-cross-ns-affinity: scheduling, IsolationProfile/restricted#level',
      'ResourceQuota team-dev/tenantplane-no-high-priority: priorityClasses, IsolationProfile/restricted#level',
      'LimitRange team-dev/tenantplane-defaults: requireResourceRequests, IsolationProfile/restricted#requireResourceRequests',
      'FlowSchema -/tenantplane-team-dev: apiFairness, IsolationProfile/restricted#apiFairness',
    ]);
  });

  test('names tenant and owner on every object', () => {
    for (const { object } of compileIsolation(tenantContext(), [])) {
      expect(labelOf(object, 'app.kubernetes.io/managed-by')).toBe('tenantplane');
      expect(labelOf(object, 'tenantplane.io/tenant')).toBe('dev');
      expect(at(object, 'metadata', 'annotations', 'tenantplane.io/tenant-cluster')).toBe('team-dev/dev');
    }
  });

  test.each([
    ['baseline', undefined, 'baseline', 'latest'],
    ['restricted', 34, 'restricted', 'v1.34'],
    ['sandboxed', 28, 'restricted', 'v1.28'],
  ] as const)('holds both namespaces of %s to Pod Security at the version of the host', (level, minor, enforce, version) => {
    const ctx = tenantContext({ profile: { level, name: 'p' }, host: minor === undefined ? {} : { minor } });
    const objects = compileIsolation(ctx, []);
    for (const [name, role] of [
      ['team-dev', 'workload'],
      ['cp-x-dev-x-team-dev', 'control-plane'],
    ] as const) {
      expect(at(named(objects, 'Namespace', name), 'metadata', 'labels')).toEqual({
        'app.kubernetes.io/managed-by': 'tenantplane',
        'tenantplane.io/tenant': 'dev',
        'tenantplane.io/tenant-namespace': 'team-dev',
        'tenantplane.io/role': role,
        'tenantplane.io/isolation-profile': 'p',
        'tenantplane.io/isolation-level': level,
        'pod-security.kubernetes.io/enforce': enforce,
        'pod-security.kubernetes.io/enforce-version': version,
        'pod-security.kubernetes.io/audit': 'restricted',
        'pod-security.kubernetes.io/audit-version': 'latest',
        'pod-security.kubernetes.io/warn': enforce,
        'pod-security.kubernetes.io/warn-version': 'latest',
      });
    }
    const notes = objects.flatMap(({ object, notes }) => (kindOf(object) === 'Namespace' ? notes : []));
    expect(notes.map(({ reason }) => reason)).toEqual(minor === undefined ? ['HostFieldUnknown', 'HostFieldUnknown'] : []);
  });

  test('gives pods an account without a token', () => {
    expect(named(compileIsolation(tenantContext(), []), 'ServiceAccount', 'tenantplane-workload')['automountServiceAccountToken']).toBe(
      false,
    );
  });

  test('is the same in any order of the tenant’s objects, and a further Service changes none of it', () => {
    const ctx = tenantContext({ tenant: { egressPolicy: 'allow-same-tenant' } });
    const tenantPolicy = (name: string, namespace: string): KubeObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name, namespace },
      spec: { podSelector: { matchLabels: { app: name, tier: namespace } }, policyTypes: ['Ingress', 'Egress'] },
    });
    const theirs = [tenantPolicy('a', 'shop'), tenantPolicy('b', 'shop'), tenantPolicy('a', 'lab'), service('web', 'shop')].map((object) =>
      projected(ctx, object),
    );
    const objects = compileIsolation(ctx, theirs);
    expect(objects.length).toBeGreaterThan(20);
    expect(compileIsolation(ctx, [...theirs].reverse())).toEqual(objects);
    expect(compileIsolation(ctx, [...theirs, projected(ctx, service('db', 'shop'))])).toEqual(objects);
  });

  test('leaves the LimitRange out where nothing has to be stated, and keeps it where a share must be counted', () => {
    const kinds = (ctx: ReturnType<typeof tenantContext>) => compileIsolation(ctx, []).map(({ object }) => kindOf(object));
    expect(kinds(tenantContext({ profile: { requireResourceRequests: false } }))).not.toContain('LimitRange');
    expect(kinds(tenantContext({ profile: { requireResourceRequests: false }, tenant: { resources: { cpu: '2' } } }))).toContain(
      'LimitRange',
    );
  });
});

describe('the control plane’s namespace', () => {
  test.each([
    ['dev', 'team-dev', 'cp-x-dev-x-team-dev'],
    ['a-x-b', 'c', /^cp-a-b-c-[a-z2-7]{12}$|^cp-a-x-b-c-[a-z2-7]{12}$/],
    ['a', 'b-x-c', /^cp-a-b-.*[a-z2-7]{12}$/],
    ['t'.repeat(60), 'n'.repeat(60), /^cp-t{47}-[a-z2-7]{12}$/],
    ['dev.eu', 'team', /^cp-dev-eu-team-[a-z2-7]{12}$/],
  ])('of %s in %s is named %s', (name, namespace, expected) => {
    const result = controlPlaneNamespace(name, namespace);
    expect(result).toMatch(expected);
    expect(result.length).toBeLessThanOrEqual(63);
  });

  test('admits the tenant and the reconciler, and calls nothing but DNS: a tenant tells its API server whom to call', () => {
    const cp = named(compileIsolation(tenantContext(), []), 'NetworkPolicy', 'tenantplane-cp');
    const tenantNamespace = {
      'tenantplane.io/role': 'workload',
      'tenantplane.io/tenant': 'dev',
      'tenantplane.io/tenant-namespace': 'team-dev',
    };
    expect(cp['spec']).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'tenantplane-control-plane' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            { namespaceSelector: { matchLabels: tenantNamespace } },
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'tenantplane-system' } },
              podSelector: { matchLabels: { 'app.kubernetes.io/name': 'tenantplane-reconciler' } },
            },
          ],
          ports: [{ protocol: 'TCP', port: 6443 }],
        },
      ],
      egress: [
        {
          to: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
              podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
            },
          ],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
      ],
    });
  });

  test.each<[string, ControlPlaneNeeds['egress'], JsonObject[]]>([
    [
      'where that is said',
      { cidrs: ['10.20.0.5/32', 'fd00::5/128'], port: 5433 },
      [
        {
          to: [{ ipBlock: { cidr: '10.20.0.5/32' } }, { ipBlock: { cidr: 'fd00::5/128' } }],
          ports: [{ protocol: 'TCP', port: 5433 }],
        },
      ],
    ],
    [
      'where that is said as IPv6, or with host bits',
      { cidrs: ['::ffff:10.20.0.5/128', '10.30.0.9/24'], port: 5432 },
      [{ to: [{ ipBlock: { cidr: '10.20.0.5/32' } }, { ipBlock: { cidr: '10.30.0.0/24' } }], ports: [{ protocol: 'TCP', port: 5432 }] }],
    ],
    ['nowhere else, where no address is', { cidrs: [], port: 5432 }, []],
    ['nowhere, where nothing is', undefined, []],
  ])('lets servers on a database reach it %s, and not each other', (_, egress, rules) => {
    const controlPlane = { replicas: 2, loadBalancer: false, datastore: 'postgres', ...(egress !== undefined && { egress }) } as const;
    const spec = named(compileIsolation(tenantContext({ tenant: { controlPlane } }), []), 'NetworkPolicy', 'tenantplane-cp')['spec'];
    const [dns, ...others] = objectsOf(at(spec, 'egress'));
    expect(at(dns, 'ports', 0, 'port')).toBe(53);
    expect(others).toEqual(rules);
    expect(objectsOf(at(spec, 'ingress'))).toHaveLength(1);
  });

  test('lets members of a control plane of three reach each other, and the outside where it is exposed', () => {
    const ctx = tenantContext({ tenant: { controlPlane: { replicas: 3, loadBalancer: true, datastore: 'etcd' } } });
    const objects = compileIsolation(ctx, []);
    const spec = named(objects, 'NetworkPolicy', 'tenantplane-cp')['spec'];
    const ports = [6443, 2379, 2380].map((port) => ({ protocol: 'TCP', port }));
    const self = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'tenantplane-control-plane' } } };
    expect(at(spec, 'ingress', 1, 'from')).toEqual([{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }]);
    expect(at(spec, 'ingress', 2)).toEqual({ from: [self], ports });
    expect(at(spec, 'egress', 1)).toEqual({ to: [self], ports });
    expect(at(named(objects, 'ResourceQuota', 'tenantplane-cp-counts'), 'spec', 'hard')).toEqual({
      pods: '4',
      'count/statefulsets.apps': '1',
      persistentvolumeclaims: '4',
      'services.loadbalancers': '1',
      'services.nodeports': '1',
    });
  });
});
