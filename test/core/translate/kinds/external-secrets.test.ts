import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import type { Overrides } from '../../context.ts';
import { make, type Result, run } from './kind.ts';

const external = (spec: JsonObject, overrides: Overrides = {}): Result =>
  run('ExternalSecret.external-secrets.io', make('external-secrets.io/v1', 'ExternalSecret', 'db', { spec }), overrides);
const STORE = { kind: 'ClusterSecretStore', name: 'vault' };
const ALLOWED: Overrides = { allow: { secretStores: ['ClusterSecretStore/vault', 'Password/gen'] } };

describe('an ExternalSecret', () => {
  it('makes the Secret that the tenant’s pods look for', () => {
    expect(external({ secretStoreRef: STORE, target: { name: 'creds' } }, ALLOWED).host('spec', 'target', 'name')).toBe(
      'creds-x-default-x-dev',
    );
    const unstated = external({ secretStoreRef: STORE }, ALLOWED);
    expect(unstated.host('metadata', 'name')).toBe('db-x-default-x-dev');
    expect(unstated.host('spec', 'target')).toBeUndefined();
  });

  it.each<[string, JsonObject]>([
    ['by its spec', { secretStoreRef: { kind: 'ClusterSecretStore', name: 'admin' } }],
    ['by a kind that is implied', { secretStoreRef: { name: 'vault' } }],
    [
      'by one entry',
      { secretStoreRef: STORE, data: [{ secretKey: 'a', sourceRef: { storeRef: { name: 'admin', kind: 'ClusterSecretStore' } } }] },
    ],
    ['by a source', { dataFrom: [{ sourceRef: { storeRef: { name: 'admin' } } }] }],
    [
      'by a generator',
      {
        dataFrom: [
          {
            sourceRef: {
              generatorRef: { apiVersion: 'generators.external-secrets.io/v1alpha1', kind: 'ECRAuthorizationToken', name: 'x' },
            },
          },
        ],
      },
    ],
    ['by a generator of one entry', { data: [{ sourceRef: { generatorRef: { kind: 'VaultDynamicSecret', name: 'gen' } } }] }],
    ['by no name', { secretStoreRef: {} }],
  ])('reads from no store that is not allowed: %s', (_, spec) => {
    expect(external(spec, ALLOWED).refused).toEqual(['SecretStoreBlocked']);
  });

  it('reads from those that are, whose names are the host’s', () => {
    const spec = {
      secretStoreRef: STORE,
      dataFrom: [{ sourceRef: { generatorRef: { kind: 'Password', name: 'gen' } } }, { extract: { key: 'a' } }],
    };
    const result = external(spec, ALLOWED);
    expect(result.refused).toEqual([]);
    expect(result.object['spec']).toEqual(spec);
  });

  it.each(['kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token'])('makes no credential of the host: %s', (type) => {
    expect(external({ secretStoreRef: STORE, target: { template: { type } } }, ALLOWED).refused).toEqual(['SecretTypeBlocked']);
  });

  it('makes no other kind', () => {
    expect(external({ secretStoreRef: STORE, target: { manifest: { apiVersion: 'v1', kind: 'ConfigMap' } } }, ALLOWED).refused).toEqual([
      'FieldBlocked',
    ]);
  });

  it.each(['Labels', 'Annotations', 'metadata.labels'])('writes no metadata past our rules: target %s', (target) => {
    const template = { templateFrom: [{ target, literal: 'argocd.argoproj.io/secret-type: cluster' }] };
    expect(external({ secretStoreRef: STORE, target: { template } }, ALLOWED).refused).toEqual(['FieldBlocked']);
  });

  it('gives its Secret no metadata that a tool of the host listens to', () => {
    const metadata = {
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', app: 'db' },
      annotations: {
        'replicator.v1.mittwald.de/replicate-from': 'kube-system/x',
        'kubernetes.io/service-account.name': 'default',
        keep: 'y',
      },
      finalizers: ['x'],
    };
    const result = external(
      { secretStoreRef: STORE, target: { template: { metadata } } },
      { allow: { ...ALLOWED.allow, annotations: ['keep', 'kubernetes.io/*'] } },
    );
    expect(result.host('spec', 'target', 'template', 'metadata')).toEqual({
      labels: { 't.tenantplane.io/argocd.argoproj.io_secret-type': 'cluster', app: 'db' },
      annotations: { keep: 'y' },
    });
  });

  it('reads its templates from the tenant’s own objects', () => {
    const templateFrom = [{ configMap: { name: 'tpl', items: [{ key: 'a' }] } }, { secret: { name: 'tpl', items: [] }, target: 'Data' }];
    const result = external({ secretStoreRef: STORE, target: { template: { templateFrom } } }, ALLOWED);
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'target', 'template', 'templateFrom', 0, 'configMap', 'name')).toBe('tpl-x-default-x-dev');
    expect(result.references).toEqual(['ConfigMap default/tpl', 'Secret default/tpl']);
  });

  it.each(['A b', '../x', 'x_y', '-x', 'x'.repeat(254)])('makes no Secret of an illegal name: %s', (name) => {
    for (const creationPolicy of ['Owner', 'Merge']) {
      const result = external({ secretStoreRef: STORE, target: { name, creationPolicy } }, ALLOWED);
      expect(result.refused).toEqual(['InvalidName']);
      expect(result.params[0]?.['what']).toBe('Secret name spec.target.name');
    }
  });

  it.each(['db.creds', 'x'.repeat(253)])('may make one of any legal name: %s', (name) => {
    expect(external({ secretStoreRef: STORE, target: { name } }, ALLOWED).refused).toEqual([]);
  });

  it.each([5, true, { a: 1 }])('makes no Secret whose name is no text: %j', (name) => {
    expect(external({ secretStoreRef: STORE, target: { name } }, ALLOWED).refused).toEqual(['ObjectMalformed']);
  });

  it('that merges into a Secret needs it to be there', () => {
    const merging = external({ secretStoreRef: STORE, target: { name: 'creds', creationPolicy: 'Merge' } }, ALLOWED);
    expect(merging.references).toEqual(['Secret default/creds']);
    expect(external({ secretStoreRef: STORE, target: { name: 'creds' } }, ALLOWED).references).toEqual([]);
  });
});

const CLUSTER_WIDE = 'sealedsecrets.bitnami.com/cluster-wide';
const NAMESPACE_WIDE = 'sealedsecrets.bitnami.com/namespace-wide';
const sealed = (annotations: JsonObject, template: JsonObject = {}): Result => {
  const object = make('bitnami.com/v1alpha1', 'SealedSecret', 'db', { spec: { encryptedData: { password: 'AgB…' }, template } });
  object['metadata'] = { name: 'db', namespace: 'default', annotations };
  return run('SealedSecret.bitnami.com', object);
};

describe('what decides which Secret comes out is closed', () => {
  const sealedSpec = (spec: JsonObject): Result => {
    const object = make('bitnami.com/v1alpha1', 'SealedSecret', 'db', { spec });
    object['metadata'] = { name: 'db', namespace: 'default', annotations: { 'sealedsecrets.bitnami.com/cluster-wide': 'true' } };
    return run('SealedSecret.bitnami.com', object);
  };

  // type, labels and annotations of the Secret would come out of the ciphertext
  it('a SealedSecret holds no whole Secret', () => {
    expect(sealedSpec({ data: 'AgBxyz' }).refused).toEqual(['FieldBlocked']);
    expect(sealedSpec({ data: 'AgBxyz', encryptedData: { a: 'AgB' } }).refused).toEqual(['FieldBlocked']);
    expect(
      sealedSpec({ encryptedData: { a: 'AgB' }, template: { type: 'Opaque', immutable: true, data: { b: '{{ .a }}' } } }).refused,
    ).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['a field of tomorrow', { encryptedData: {}, secret: {} }],
    ['a template’s', { encryptedData: {}, template: { stringData: {} } }],
    ['a type that is no text', { encryptedData: {}, template: { type: ['kubernetes.io/service-account-token'] } }],
  ])('a SealedSecret: %s', (_, spec) => {
    expect(sealedSpec(spec).refused).not.toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['a field of tomorrow', { templates: [{}] }],
    ['a target’s', { target: { namespace: 'kube-system' } }],
    ['a template’s', { target: { template: { kind: 'ConfigMap' } } }],
    ['a type that is no text', { target: { template: { type: ['kubernetes.io/service-account-token'] } } }],
    ['another source', { dataFrom: [{ sourceRef: { clusterStoreRef: { name: 'admin' } } }] }],
    ['another source of an entry', { data: [{ storeRef: { name: 'admin' } }] }],
  ])('an ExternalSecret: %s', (_, spec) => {
    expect(external({ secretStoreRef: STORE, ...spec }, ALLOWED).refused).not.toEqual([]);
  });

  it('an ExternalSecret with every field that is known', () => {
    const spec = {
      refreshInterval: '1h',
      refreshPolicy: 'Periodic',
      secretStoreRef: STORE,
      target: {
        name: 'creds',
        creationPolicy: 'Owner',
        deletionPolicy: 'Retain',
        immutable: false,
        template: {
          type: 'Opaque',
          engineVersion: 'v2',
          mergePolicy: 'Merge',
          metadata: { labels: { a: 'b' } },
          data: { a: '{{ .x }}' },
          templateFrom: [{ literal: 'x' }],
        },
      },
      data: [{ secretKey: 'x', remoteRef: { key: 'a', property: 'b', nullBytePolicy: 'Ignore' }, sourceRef: { storeRef: STORE } }],
      dataFrom: [{ find: { name: { regexp: 'a' } }, rewrite: [{ regexp: { source: 'a', target: 'b' } }] }, { extract: { key: 'a' } }],
    };
    expect(external(spec, ALLOWED).refused).toEqual([]);
  });
});

describe('a SealedSecret', () => {
  it('of cluster-wide scope can be unsealed under its host name', () => {
    const result = sealed({ [CLUSTER_WIDE]: 'true', other: 'x' });
    expect(result.refused).toEqual([]);
    expect(result.noteParams).toEqual([{ key: 'other' }]);
    expect(result.host('metadata', 'name')).toBe('db-x-default-x-dev');
    expect(result.host('metadata', 'annotations')).toEqual({ [CLUSTER_WIDE]: 'true' });
    expect(result.host('spec', 'template', 'metadata', 'annotations')).toEqual({ [CLUSTER_WIDE]: 'true' });
    expect(result.host('spec', 'encryptedData')).toEqual({ password: 'AgB…' });
  });

  it.each<[string, JsonObject]>([
    ['strict', {}],
    ['strict', { [CLUSTER_WIDE]: 'false' }],
    ['namespace-wide', { [NAMESPACE_WIDE]: 'true' }],
    ['strict', { 'tenantplane.io/sealed-for': 'team-dev/db' }],
  ])('of %s scope is refused with the command that seals for the host', (scope, annotations) => {
    const result = sealed(annotations);
    expect(result.refused).toEqual(['SealedScopeStrict']);
    expect(result.params[0]?.['scope']).toBe(scope);
    expect(result.params[0]?.['command']).toContain(`kubeseal --raw --scope ${scope} --name db-x-default-x-dev --namespace team-dev`);
  });

  it('that was sealed for its host name says so and is rendered', () => {
    const says = { 'tenantplane.io/sealed-for': 'team-dev/db-x-default-x-dev' };
    expect(sealed(says).refused).toEqual([]);
    expect(sealed(says).host('metadata', 'annotations')).toBeUndefined();
    const wide = sealed({ ...says, [NAMESPACE_WIDE]: 'true' });
    expect(wide.refused).toEqual([]);
    expect(wide.host('metadata', 'annotations')).toEqual({ [NAMESPACE_WIDE]: 'true' });
  });

  it('names its Secret as on the host', () => {
    const metadata = {
      name: 'db',
      namespace: 'default',
      creationTimestamp: null,
      labels: { 'helm.sh/chart': 'x' },
      annotations: { a: 'b' },
    };
    expect(sealed({ [CLUSTER_WIDE]: 'true' }, { metadata, type: 'Opaque' }).host('spec', 'template')).toEqual({
      type: 'Opaque',
      metadata: {
        name: 'db-x-default-x-dev',
        namespace: 'team-dev',
        labels: { 't.tenantplane.io/helm.sh_chart': 'x' },
        annotations: { [CLUSTER_WIDE]: 'true' },
      },
    });
  });

  it.each(['A b', '../x', 'x_y', 'x'.repeat(254)])('makes no Secret of an illegal name: %s', (name) => {
    expect(sealed({ [CLUSTER_WIDE]: 'true' }, { metadata: { name } }).refused).toEqual(['InvalidName']);
  });

  it.each(['kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token'])('makes no credential of the host: %s', (type) => {
    expect(sealed({ [CLUSTER_WIDE]: 'true' }, { type }).refused).toEqual(['SecretTypeBlocked']);
  });
});
