import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQualifiedName } from '../../../src/core/checks/metadata-checks.ts';
import { hostLabelKey, hostLabelValue, isReservedLabel } from '../../../src/core/translate/labels.ts';
import { testContext } from '../context.ts';

describe('a label that a component of the host obeys', () => {
  it.each([
    ['aadpodidbinding', 'bare.t.tenantplane.io/aadpodidbinding'],
    ['io.kubernetes.pod.namespace', 'bare.t.tenantplane.io/io.kubernetes.pod.namespace'],
    ['io.kubernetes.cri/x', 't.tenantplane.io/io.kubernetes.cri_x'],
    ['io.cilium.k8s.policy.serviceaccount', 'bare.t.tenantplane.io/io.cilium.k8s.policy.serviceaccount'],
    [
      'io.cilium.k8s.namespace.labels.kubernetes.io/metadata.name',
      't.tenantplane.io/io.cilium.k8s.namespace.labels.kubernetes.io_metadata.name',
    ],
    ['kapp.k14s.io/app', 't.tenantplane.io/kapp.k14s.io_app'],
    ['objectset.rio.cattle.io/hash', 't.tenantplane.io/objectset.rio.cattle.io_hash'],
    ['configsync.gke.io/declared-version', 't.tenantplane.io/configsync.gke.io_declared-version'],
    ['configmanagement.gke.io/managed', 't.tenantplane.io/configmanagement.gke.io_managed'],
    ['fleet.cattle.io/bundle-name', 't.tenantplane.io/fleet.cattle.io_bundle-name'],
    ['argocd.argoproj.io/instance', 't.tenantplane.io/argocd.argoproj.io_instance'],
  ])('%s is kept under another key', (key, expected) => {
    expect(hostLabelKey(key)).toBe(expected);
  });

  it.each(['app', 'io.kubernetes', 'my.io.kubernetes.x', 'sidecar.istio.io/inject', 'networking.knative.dev/visibility', 'cattle.io/x'])(
    '%s is the tenant’s own',
    (key) => {
      expect(hostLabelKey(key)).toBe(key);
    },
  );
});

describe('the host’s key of a label', () => {
  const part = fc.stringMatching(/^[a-z0-9]([-_.a-z0-9]{0,61}[a-z0-9])?$/);
  const domain = fc.stringMatching(/^([a-z0-9-]{1,20}\.){0,3}$/).map((text) => text.replace(/(^|\.)-+|-+(?=\.)/g, '$1x'));
  const reserved = fc.constantFrom('helm.sh', 'argoproj.io', 'tenantplane.io', 't.tenantplane.io', 'bare.t.tenantplane.io', 'kapp.k14s.io');
  const slashed = fc.tuple(domain, reserved, part).map(([sub, base, name]) => `${sub}${base}/${name}`);
  const prefixed = fc.tuple(fc.constantFrom('io.kubernetes.', 'io.cilium.k8s.'), part).map(([prefix, name]) => `${prefix}${name}`);
  const bare = fc.oneof(
    fc.constant('aadpodidbinding'),
    prefixed.filter((key) => key.length <= 63),
  );
  const key = fc.oneof(slashed, bare, part).filter(isQualifiedName);

  it('is legal, and no reserved one but ours', () => {
    fc.assert(
      fc.property(key, (made) => {
        const host = hostLabelKey(made);
        expect(isQualifiedName(host)).toBe(true);
        if (isReservedLabel(made)) expect(host).toMatch(/^(bare\.)?t\.tenantplane\.io\//);
        else expect(host).toBe(made);
      }),
    );
  });

  it('is no other label’s: not of one that looks like it, nor of one that was made from another’s host key', () => {
    const echoes = (made: string): string[] => {
      const host = hostLabelKey(made);
      const flat = host.slice(host.indexOf('/') + 1);
      return [made, host, flat, flat.replace('_', '/'), made.replace('/', '_')].filter(isQualifiedName);
    };
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 6 }), (keys) => {
        const all = [...new Set(keys.flatMap(echoes).flatMap(echoes))];
        expect(new Set(all.map(hostLabelKey)).size).toBe(all.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a label whose value controllers make from a name', () => {
  const value = (key: string, given: string): string => hostLabelValue(testContext(), 'shop', key, given);

  it.each([
    ['job-name', 'migrate', 'migrate-x-shop-x-dev'],
    ['batch.kubernetes.io/job-name', 'migrate', 'migrate-x-shop-x-dev'],
    ['statefulset.kubernetes.io/pod-name', 'db-0', 'db-x-shop-x-dev-0'],
    ['app', 'migrate', 'migrate'],
  ])('%s=%s has the host name in it', (key, given, expected) => {
    expect(value(key, given)).toBe(expected);
  });

  it.each(['job-name', 'batch.kubernetes.io/job-name', 'statefulset.kubernetes.io/pod-name'])(
    '%s stays empty where it names nothing: what would be made of it is no label value, and the API server refuses it',
    (key) => expect(value(key, '')).toBe(''),
  );
});
