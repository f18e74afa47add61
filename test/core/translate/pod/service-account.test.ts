import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { container, pod, podSpec, render, workload } from '../../pods.ts';

const account = (name: string, fields: JsonObject = {}) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, ...fields });

describe('the account of a pod', () => {
  it('is the fixed one, without a token, whatever the tenant names', () => {
    for (const fields of [
      {},
      { serviceAccountName: 'argocd-application-controller' },
      { serviceAccount: 'default' },
      { serviceAccountName: 'default', automountServiceAccountToken: true },
    ]) {
      const { spec } = render(pod(podSpec(fields)), testContext());
      expect(spec['serviceAccountName']).toBe('tenantplane-workload');
      expect(spec['automountServiceAccountToken']).toBe(false);
      expect(spec).not.toHaveProperty('serviceAccount');
    }
  });

  it('is two changes of one rule in the decision', () => {
    const { edit } = render(pod(podSpec({ serviceAccountName: 'default', automountServiceAccountToken: true })), testContext());
    const changes = edit.changes.filter(({ rule }) => rule === 'rw.service-account');
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      ['default', 'tenantplane-workload'],
      [true, false],
    ]);
  });
});

describe('pull secrets of the tenant’s account', () => {
  const objects = [
    account('default', { imagePullSecrets: [{ name: 'hub' }] }),
    account('web', { imagePullSecrets: [{ name: 'quay' }, { name: 'hub' }] }),
  ];
  const ctx = testContext({ objects });

  it('are added under host names, as admission in the tenant would have done', () => {
    const { spec, edit } = render(pod(podSpec()), ctx);
    expect(spec['imagePullSecrets']).toEqual([{ name: 'hub-x-default-x-dev' }]);
    expect(edit.references).toMatchObject([{ targetKind: 'Secret', name: 'hub', optional: false }]);
  });

  it('are merged with the pod’s own, each once', () => {
    const { spec } = render(pod(podSpec({ serviceAccountName: 'web', imagePullSecrets: [{ name: 'hub' }] })), ctx);
    expect(spec['imagePullSecrets']).toEqual([{ name: 'hub-x-default-x-dev' }, { name: 'quay-x-default-x-dev' }]);
  });

  it('of an account of another namespace are not', () => {
    const other = testContext({ objects, tenant: { mainNamespace: 'shop' } });
    expect(render(pod(podSpec(), { namespace: 'shop' }), other).spec['imagePullSecrets']).toBeUndefined();
  });
});

describe('a workload that expects API credentials', () => {
  const binding = (kind: string) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'default' }],
  });
  const why = (spec: JsonObject, ...objects: JsonObject[]): string | undefined =>
    render(workload('Deployment', podSpec(spec)), testContext({ objects })).note('NoApiCredentials')?.params['why'];

  it('is reported where it asks for the token', () => {
    expect(why({ automountServiceAccountToken: true })).toBe('automountServiceAccountToken: true');
  });
  it('is reported where a role is bound to its account', () => {
    expect(why({ serviceAccountName: 'web' }, binding('RoleBinding'))).toBe('RoleBinding reader binds ServiceAccount web');
    expect(why({ serviceAccountName: 'web' }, binding('ClusterRoleBinding'))).toBe('ClusterRoleBinding reader binds ServiceAccount web');
  });
  it('is reported where it reads the address or the token itself', () => {
    const args = ['curl https://$KUBERNETES_SERVICE_HOST'];
    expect(why({ containers: [container({ args })] })).toBe('it reads KUBERNETES_SERVICE_HOST');
    const env = [{ name: 'T', value: '/var/run/secrets/kubernetes.io/serviceaccount/token' }];
    expect(why({ containers: [container({ env })] })).toContain('it reads /var/run');
  });
  it('is not reported for naming an account, which many charts do for every workload', () => {
    expect(why({ serviceAccountName: 'web' })).toBeUndefined();
    expect(why({ serviceAccountName: 'web' }, account('web'))).toBeUndefined();
  });
  it('is not reported where the token is refused though a role is bound', () => {
    expect(why({ serviceAccountName: 'web', automountServiceAccountToken: false }, binding('RoleBinding'))).toBeUndefined();
    expect(
      why({ serviceAccountName: 'web' }, binding('RoleBinding'), account('web', { automountServiceAccountToken: false })),
    ).toBeUndefined();
  });
});
