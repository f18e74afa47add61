import { describe, expect, test } from 'vitest';
import { podSecurityCheck } from '../../../src/core/checks/pod-security.ts';
import { resourcesCheck } from '../../../src/core/checks/resources.ts';
import { compileDnsServer, dnsResources } from '../../../src/core/dns/server.ts';
import { levelDefaults } from '../../../src/core/isolation/levels.ts';
import { at, objectAt } from '../../../src/core/kube/json.ts';
import { matchesSelector } from '../../../src/core/kube/labels.ts';
import { kindOf, nameOf, stringMap } from '../../../src/core/kube/object.ts';
import type { ContainerLimits } from '../../../src/core/plan/settings.ts';
import { named, subject, tenantContext } from '../isolation/tenant.ts';

const DNS = { dns: 'server', dnsServiceIP: '10.96.0.53' } as const;
const ctx = tenantContext({ tenant: DNS });
const objects = compileDnsServer(ctx, []);
const deployment = named(objects, 'Deployment', 'tenantplane-dns');

describe('a tenant’s DNS server', () => {
  test('is these objects, and none in mode aliases', () => {
    expect(objects.map(({ object }) => `${kindOf(object)}/${nameOf(object)}`)).toEqual([
      'ConfigMap/tenantplane-dns',
      'Deployment/tenantplane-dns',
      'Service/tenantplane-dns',
      'NetworkPolicy/tenantplane-allow-dns',
      'NetworkPolicy/tenantplane-dns',
    ]);
    expect(compileDnsServer(tenantContext({ tenant: { dnsServiceIP: '10.96.0.53' } }), [])).toEqual([]);
  });

  test.each([28, 34, 37])('satisfies restricted Pod Security of 1.%i: it runs among the tenant’s pods', (minor) => {
    const host = tenantContext({ tenant: DNS, host: { minor } });
    expect(podSecurityCheck.run(subject(deployment), host)).toEqual([]);
  });

  test.each(['baseline', 'restricted', 'sandboxed'] as const)('stays inside the LimitRange of %s', (level) => {
    const host = tenantContext({ tenant: DNS, profile: { level } });
    expect(resourcesCheck.run(subject(named(compileDnsServer(host, []), 'Deployment', 'tenantplane-dns')), host)).toEqual([]);
  });

  test('is asked at its address on port 53 and listens on a port that needs no privilege', () => {
    expect(named(objects, 'Service', 'tenantplane-dns')['spec']).toEqual({
      type: 'ClusterIP',
      clusterIP: '10.96.0.53',
      selector: { 'tenantplane.io/tenant': 'dev', 'tenantplane.io/role': 'dns' },
      ports: [
        { name: 'dns', protocol: 'UDP', port: 53, targetPort: 1053 },
        { name: 'dns-tcp', protocol: 'TCP', port: 53, targetPort: 1053 },
      ],
    });
    const labels = stringMap(objectAt(deployment, 'spec', 'template', 'metadata', 'labels'));
    expect(matchesSelector({ matchLabels: objectAt(named(objects, 'Service', 'tenantplane-dns'), 'spec', 'selector') ?? {} }, labels)).toBe(
      true,
    );
  });

  test('is reached by the tenant’s pods and reaches the host’s DNS, and nothing else', () => {
    const pods = { matchLabels: { 'tenantplane.io/tenant': 'dev', 'tenantplane.io/role': 'dns' } };
    const ports = [
      { protocol: 'UDP', port: 1053 },
      { protocol: 'TCP', port: 1053 },
    ];
    expect(named(objects, 'NetworkPolicy', 'tenantplane-allow-dns')['spec']).toEqual({
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: pods }], ports }],
    });
    expect(named(objects, 'NetworkPolicy', 'tenantplane-dns')['spec']).toEqual({
      podSelector: pods,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: {} }], ports }],
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

  test('has the profile’s runtime class and the tenant’s own nodes', () => {
    const nodePool = { nodeSelector: { pool: 'dev' }, tolerations: [{ key: 'pool', operator: 'Exists' }] };
    const dedicated = tenantContext({ tenant: { ...DNS, mode: 'dedicated', nodePool }, profile: { level: 'sandboxed' } });
    const spec = objectAt(named(compileDnsServer(dedicated, []), 'Deployment', 'tenantplane-dns'), 'spec', 'template', 'spec');
    expect(spec).toMatchObject({ runtimeClassName: 'kata-qemu', ...nodePool });
  });

  test('mounts folders, since a file mounted by itself never changes again', () => {
    expect(at(deployment, 'spec', 'template', 'spec', 'containers', 0, 'volumeMounts')).toEqual([
      { name: 'config', mountPath: '/etc/coredns', readOnly: true },
      { name: 'live', mountPath: '/etc/live-names', readOnly: true },
    ]);
    expect(at(deployment, 'spec', 'template', 'spec', 'volumes', 1)).toEqual({
      name: 'live',
      configMap: { name: 'tenantplane-dns-live', optional: true },
    });
  });
});

describe('what the DNS server asks for', () => {
  const limits = (given: Partial<ContainerLimits>): ContainerLimits => ({ ...levelDefaults('restricted').limits, ...given });

  test.each<[string, Partial<ContainerLimits>, string, string]>([
    ['fits by itself', {}, '50m', '200m'],
    ['is raised to the minimum', { min: { cpu: '300m' } }, '300m', '300m'],
    ['is lowered to the maximum', { max: { cpu: '20m' } }, '20m', '20m'],
    ['keeps the ratio', { maxLimitRequestRatio: { cpu: '2' } }, '100m', '200m'],
  ])('%s', (_, given, request, limit) => {
    const resources = dnsResources(limits(given));
    expect([at(resources, 'requests', 'cpu'), at(resources, 'limits', 'cpu')]).toEqual([request, limit]);
  });
});
