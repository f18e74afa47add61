import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { decisionsOf } from '../../../src/report/tally.ts';
import { devPackage, type Files, planFiles, policy, previousOf, profile, tenant, treeOf } from '../../support/observe.ts';

const KEEP = 'kustomize.toolkit.fluxcd.io/prune: disabled';
const claim =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
const workload = (kind: string, name: string, more = ''): string =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n  ${more}\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n      securityContext: {runAsNonRoot: true}\n      containers: [{name: c, image: a:1, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]\n`;

const noteReasons = (result: Plan): string[] => decisionsOf(result).flatMap(({ notes }) => notes.map(({ reason }) => reason));

describe('what stays on the host when it leaves the tree', () => {
  const tree = treeOf(planFiles(devPackage({ 'data.yaml': claim }, { spec: '  networking: {egressPolicy: allow-same-tenant}\n' })));
  const kept = [...tree].filter(([, text]) => text.includes(KEEP)).map(([path]) => path.replace('team-dev/', ''));

  // without it Argo CD finds what is kept out of sync for ever, and syncs for ever
  it('is no difference to Argo CD once it has left', () => {
    const texts = [...tree.values()].filter((text) => text.includes(KEEP));
    for (const text of texts) expect(text).toContain('argocd.argoproj.io/compare-options: IgnoreExtraneous');
  });

  it('keeps claims, namespaces and all that closes them; an allowance that stayed would be a hole', () => {
    expect(kept).toEqual(
      expect.arrayContaining([
        'persistentvolumeclaim_data-x-default-x-dev.yaml',
        'namespace_team-dev.yaml',
        'limitrange_tenantplane-defaults.yaml',
      ]),
    );
    expect(kept).toContain('networkpolicy.networking.k8s.io_tenantplane-default-deny.yaml');
    expect(kept.filter((path) => path.includes('allow-'))).toEqual([]);
  });

  it('opts claims in by volumes.prune', () => {
    const text = treeOf(planFiles(devPackage({ 'data.yaml': claim }, { spec: '  volumes: {prune: true}\n' }))).get(
      'team-dev/persistentvolumeclaim_data-x-default-x-dev.yaml',
    );
    expect(text).toBeDefined();
    expect(text).not.toContain(KEEP);
  });

  it('lists what a removed file leaves behind', () => {
    const old = previousOf(planFiles(devPackage({ 'data.yaml': claim })));
    expect(noteReasons(planFiles(devPackage({}), {}, old))).toContain('DataLeftBehind');
  });

  it('says of each sort why it stays and how it is deleted, of a tenant that is gone too', () => {
    const old = previousOf(planFiles(devPackage({ 'data.yaml': claim })));
    const { 'tenants/dev/tenant.yaml': _gone, ...rest } = devPackage({});
    const gone = planFiles({ ...rest, 'tenants/qa/tenant.yaml': tenant('qa') }, { maxDeletions: 100 }, old);
    const notes = decisionsOf(gone).flatMap((decision) => decision.notes.filter(({ reason }) => reason === 'DataLeftBehind'));
    const said = Object.fromEntries(notes.map(({ params, message, remedy }) => [params['host']?.split(' ')[0], `${message} ${remedy}`]));
    expect(said['PersistentVolumeClaim']).toMatch(
      /: a claim holds data\. Once no pod uses it .*: kubectl delete -n team-dev persistentvolumeclaim\/data-x-default-x-dev$/,
    );
    expect(said['NetworkPolicy']).toMatch(
      /: so that nothing left .* without it\. Once the pods in team-dev are gone: kubectl delete -n team-dev networkpolicy\/tenantplane-default-deny$/,
    );
    expect(said['ResourceQuota']).not.toMatch(/data|prune/);
    expect(said['Namespace']).toMatch(/claims included: kubectl delete namespace\/team-dev$/);
    expect(JSON.stringify(notes)).not.toContain('volumes.prune');
  });
});

describe('objects that both sides write', () => {
  it.each(['fromHost', 'bidirectional'])('are created once by every applier (%s)', (direction) => {
    const shared = policy(['v1/ConfigMap']).replace('direction: toHost', `direction: ${direction}`);
    const result = planFiles(devPackage({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' }, { policy: shared }));
    const text = treeOf(result).get('team-dev/configmap_a-x-default-x-dev.yaml');
    expect(text).toContain('kustomize.toolkit.fluxcd.io/ssa: IfNotPresent');
    expect(text).toContain('client.lifecycle.config.k8s.io/mutation: ignore');
    expect(noteReasons(result)).toContain('GitIgnoredAfterBootstrap');
  });
});

describe('replicas under an autoscaler', () => {
  const autoscaler = (target: string): string =>
    `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: scale}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${target}}, maxReplicas: 5}\n`;
  const replicasOf = (files: Files): boolean =>
    (treeOf(planFiles(devPackage(files))).get('team-dev/deployment.apps_web-x-default-x-dev.yaml') ?? '').includes('replicas: 3');

  it('are left out, since each apply would reset them', () => {
    expect(replicasOf({ 'web.yaml': workload('Deployment', 'web', 'replicas: 3') })).toBe(true);
    expect(replicasOf({ 'web.yaml': workload('Deployment', 'web', 'replicas: 3'), 'h.yaml': autoscaler('web') })).toBe(false);
  });

  it('stay where the autoscaler itself is refused', () => {
    const external = autoscaler('web').replace(
      'maxReplicas: 5',
      'maxReplicas: 5, metrics: [{type: External, external: {metric: {name: q}, target: {type: Value, value: "1"}}}]',
    );
    expect(replicasOf({ 'web.yaml': workload('Deployment', 'web', 'replicas: 3'), 'h.yaml': external })).toBe(true);
  });

  it('warn at the change, and not again', () => {
    const before = previousOf(planFiles(devPackage({ 'web.yaml': workload('Deployment', 'web', 'replicas: 3') })));
    const files = devPackage({ 'web.yaml': workload('Deployment', 'web', 'replicas: 3'), 'h.yaml': autoscaler('web') });
    const first = planFiles(files, {}, before);
    expect(noteReasons(first)).toContain('ReplicasHandedOver');
    expect(noteReasons(planFiles(files, {}, previousOf(first)))).not.toContain('ReplicasHandedOver');
  });

  it('refuse an autoscaler without its target', () => {
    const result = planFiles(devPackage({ 'h.yaml': autoscaler('gone') }));
    expect(
      decisionsOf(result)
        .filter(({ source }) => source?.name === 'scale')
        .map(({ reason }) => reason),
    ).toEqual(['TargetNotProjected']);
  });
});

describe('the tree', () => {
  const files = devPackage({ 'a.yaml': workload('Deployment', 'web'), 'data.yaml': claim });

  it('names each file by kind, group and name, in lower case', () => {
    for (const path of treeOf(planFiles(files)).keys())
      expect(path).toMatch(/^(config|platform|team-dev)\/[a-z0-9]+(\.[a-z0-9.]+)?_[a-z0-9.-]+\.yaml$/);
  });

  it('leaves config/ out where the config says so, and still decides on each object', () => {
    const result = planFiles(files, { output: { config: 'exclude', shards: 1 } });
    expect([...treeOf(result).keys()].filter((path) => path.startsWith('config/'))).toEqual([]);
    expect(decisionsOf(result).filter(({ source }) => source?.kind === 'TenantCluster')).toHaveLength(1);
  });

  it('restarts nothing when a file moves or a profile is renamed', () => {
    const template = (result: Plan): string =>
      (treeOf(result).get('team-dev/deployment.apps_web-x-default-x-dev.yaml') ?? '').split('template:')[1] ?? '';
    const moved = {
      ...devPackage({ 'deep/b.yaml': workload('Deployment', 'web') }, { profile: profile('other') }),
      'tenants/dev/tenant.yaml': tenant('dev', { profile: 'other' }),
    };
    expect(template(planFiles(moved))).toBe(template(planFiles(files)));
    expect(template(planFiles(files))).not.toBe('');
  });

  it('takes exactly the claim names that the host’s StatefulSet looks for', () => {
    const set = workload(
      'StatefulSet',
      'db',
      'serviceName: db\n  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]',
    );
    const result = planFiles(devPackage({ 's.yaml': set, 'c.yaml': claim.replace('name: data', 'name: data-db-7') }));
    expect([...treeOf(result).keys()]).toContain('team-dev/persistentvolumeclaim_data-db-x-default-x-dev-7.yaml');
  });

  it('belongs to the one tenant that the config names where there are no folders', () => {
    const flat: Files = {
      'tenant.yaml': tenant('dev'),
      'profile.yaml': profile(),
      'policy.yaml': policy(),
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    };
    expect(treeOf(planFiles(flat)).has('team-dev/configmap_a-x-default-x-dev.yaml')).toBe(false);
    const config = { tenant: { name: 'dev', namespace: 'team-dev' } };
    expect(treeOf(planFiles(flat, config)).has('team-dev/configmap_a-x-default-x-dev.yaml')).toBe(true);
  });

  it('finds the main namespace where exactly one has pods', () => {
    const shop = workload('Deployment', 'web').replace('{name: web}', '{name: web, namespace: shop}');
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
    expect(treeOf(planFiles(devPackage({ 'a.yaml': shop, 'b.yaml': service }))).has('team-dev/service_web.yaml')).toBe(true);
  });
});

describe('two sources of one Secret', () => {
  const external = (name: string, target: string): string =>
    `apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: ${name}}\nspec: {secretStoreRef: {kind: ClusterSecretStore, name: vault}, target: {name: ${target}}, data: [{secretKey: a, remoteRef: {key: b}}]}\n`;
  const stores = profile('restricted', 'restricted', '  allow: {secretStores: [ClusterSecretStore/vault]}\n');
  const reasons = (files: Files): string[] =>
    planFiles(devPackage(files, { profile: stores })).tenants.flatMap(({ decisions }) =>
      decisions.filter(({ source }) => source !== undefined).map(({ reason }) => reason),
    );

  it('are both refused, since the host’s controllers would fight over it', () => {
    expect(reasons({ 'a.yaml': external('a', 'db'), 'b.yaml': external('b', 'db') })).toEqual(['NameCollision', 'NameCollision']);
    expect(reasons({ 'a.yaml': external('a', 'db'), 'b.yaml': external('b', 'cache') })).toEqual(['PolicyMatched', 'PolicyMatched']);
  });
});

describe('data that would be left behind', () => {
  const set = workload(
    'StatefulSet',
    'web',
    'serviceName: web\n  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]',
  );
  const mine = claim.replace('name: data', 'name: data-web-0');
  const findingsOf = (result: Plan): string[] => result.findings.filter(({ severity }) => severity === 'error').map(({ reason }) => reason);

  it('holds a claim that would get another name since its set is gone', () => {
    const old = previousOf(planFiles(devPackage({ 'c.yaml': mine, 's.yaml': set })));
    const result = planFiles(devPackage({ 'c.yaml': mine }), {}, old);
    expect(findingsOf(result)).toEqual(['ClaimRenamed']);
    expect(result.removed).toEqual([]);
    const confirmed = planFiles(
      devPackage({ 'c.yaml': mine }, { spec: '  migration: {confirmRenameFrom: data-web-x-default-x-dev-0}\n' }),
      {},
      old,
    );
    expect(findingsOf(confirmed)).toEqual([]);
  });

  it('holds a tenant that moves to another namespace', () => {
    const old = previousOf(planFiles(devPackage({ 'c.yaml': mine, 's.yaml': set })));
    const moved = (spec?: string) => ({
      ...devPackage({ 'c.yaml': mine, 's.yaml': set }),
      'tenants/dev/tenant.yaml': tenant('dev', { namespace: 'team-moved', ...(spec !== undefined && { spec }) }),
    });
    const result = planFiles(moved(), { maxDeletions: 100 }, old);
    expect(findingsOf(result)).toEqual(['TenantMoved']);
    expect(result.removed).toEqual([]);
    expect(findingsOf(planFiles(moved('  migration: {confirmRenameFrom: team-dev}\n'), { maxDeletions: 100 }, old))).toEqual([]);
  });

  it('says of a short name that leaves that the mode changed, not that the Service is gone', () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
    const old = previousOf(planFiles(devPackage({ 's.yaml': service })));
    const server = planFiles(
      devPackage({ 's.yaml': service }, { spec: '  networking: {dns: server, dnsServiceIP: 10.96.5.5}\n' }),
      {},
      old,
    );
    expect(
      decisionsOf(server)
        .filter(({ action, host }) => action === 'Delete' && host?.name === 'web')
        .map(({ reason }) => reason),
    ).toEqual(['ScopeRemoved']);
  });
});

describe('one bad object', () => {
  const privileged = (kind: string, name: string, more = ''): string =>
    workload(kind, name, more).replace('securityContext: {runAsNonRoot: true}', 'hostNetwork: true');

  it('does not take the short names away from the namespace that runs', () => {
    const shop = workload('Deployment', 'web').replace('{name: web}', '{name: web, namespace: shop}');
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
    const tree = treeOf(planFiles(devPackage({ 'a.yaml': shop, 'b.yaml': service, 'bad.yaml': privileged('Deployment', 'bad') })));
    expect([...tree.keys()]).toEqual(
      expect.arrayContaining(['team-dev/service_web.yaml', 'team-dev/deployment.apps_web-x-shop-x-dev.yaml']),
    );
  });

  it('does not give a running claim the name of a set that is not there', () => {
    const set = privileged(
      'StatefulSet',
      'web',
      'serviceName: web\n  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]',
    );
    const tree = treeOf(planFiles(devPackage({ 'c.yaml': claim.replace('name: data', 'name: data-web-0'), 'bad.yaml': set })));
    expect([...tree.keys()]).toContain('team-dev/persistentvolumeclaim_data-web-0-x-default-x-dev.yaml');
  });
});

describe('a custom kind', () => {
  const custom = policy(['cert-manager.io/v1/Certificate']).replace(
    'direction: toHost',
    'direction: toHost, scope: Namespaced, references: [{path: spec.secretName, kind: Secret}]',
  );
  const certificate = (version: string): string =>
    `apiVersion: cert-manager.io/${version}\nkind: Certificate\nmetadata: {name: c}\nspec: {secretName: tls, secret: {name: host-tls}}\n`;
  const reasonOf = (version: string): string[] =>
    planFiles(devPackage({ 'c.yaml': certificate(version) }, { policy: custom })).tenants.flatMap(({ decisions }) =>
      decisions.filter(({ source }) => source?.kind === 'Certificate').map(({ reason }) => reason),
    );

  it('is projected in the version whose references the policy declares, and in no other', () => {
    expect(reasonOf('v1')).toEqual(['PolicyMatched']);
    expect(reasonOf('v1alpha2')).toEqual(['KindUnknown']);
  });
});

describe('an empty namespace', () => {
  it('is the default one, as kubectl takes it', () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ""}\n';
    expect(treeOf(planFiles(devPackage({ 'a.yaml': text }))).has('team-dev/configmap_a-x-default-x-dev.yaml')).toBe(true);
  });
});

describe('a cloud identity of a ServiceAccount', () => {
  it('is not carried over, and that is said', () => {
    const account =
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: app, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::1:role/x"}}\n';
    const web = workload('Deployment', 'web').replace(
      'securityContext: {runAsNonRoot: true}',
      'serviceAccountName: app\n      securityContext: {runAsNonRoot: true}',
    );
    expect(noteReasons(planFiles(devPackage({ 'a.yaml': account, 'w.yaml': web })))).toContain('NoCloudIdentity');
    expect(noteReasons(planFiles(devPackage({ 'w.yaml': web })))).not.toContain('NoCloudIdentity');
  });
});

describe('annotations', () => {
  const object = (key: string): string =>
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a, annotations: {${key}: x}}\nspec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}\n`;
  const kept = (key: string, allowed: string): boolean => {
    const allow = profile(
      'restricted',
      'restricted',
      `  allow: {ingressClasses: [nginx], ingressHostSuffixes: [example.com], annotations: ["${allowed}"]}\n`,
    );
    return (
      treeOf(planFiles(devPackage({ 'a.yaml': object(key) }, { profile: allow }))).get(
        'team-dev/ingress.networking.k8s.io_a-x-default-x-dev.yaml',
      ) ?? ''
    ).includes(key);
  };

  it('pass by key or prefix, but a prefix never means a snippet of the controller’s configuration', () => {
    expect(kept('nginx.ingress.kubernetes.io/proxy-body-size', 'nginx.ingress.kubernetes.io/*')).toBe(true);
    expect(kept('nginx.ingress.kubernetes.io/server-snippet', 'nginx.ingress.kubernetes.io/*')).toBe(false);
    expect(kept('nginx.ingress.kubernetes.io/server-snippet', 'nginx.ingress.kubernetes.io/server-snippet')).toBe(true);
    expect(kept('argocd.argoproj.io/hook', 'argocd.argoproj.io/*')).toBe(false);
  });
});

describe('Secret values that YAML takes for something else', () => {
  it.each(['!Tr0ub4dor&3', '*hunter2', '&hunter2', '!!hunter2', '@hunter2', '`hunter2', '%hunter2'])(
    'are in no message: password: %s',
    (password) => {
      const text = `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: ${password}\n`;
      const result = planFiles(devPackage({ 's.yaml': text }, { spec: '  secrets: {render: plain}\n' }));
      expect(JSON.stringify([result.findings, result.tenants.map(({ decisions, frozen }) => [decisions, frozen])])).not.toMatch(
        /hunter2|Tr0ub/,
      );
    },
  );
});

describe('Secret values', () => {
  it('are in no decision, whatever happens to the Secret', () => {
    const secret = (type: string): string =>
      `apiVersion: v1\nkind: Secret\ntype: ${type}\nmetadata: {name: s, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"data":{"token":"aHVudGVyMg=="}}'}}\ndata: {token: aHVudGVyMg==, ca.crt: aHVudGVyMg==}\nstringData: {p: hunter2}\n`;
    for (const type of ['Opaque', 'kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token']) {
      for (const spec of ['', '  secrets: {render: plain}\n']) {
        const result = planFiles(devPackage({ 's.yaml': secret(type) }, { spec }));
        const text = JSON.stringify([result.decisions, result.findings, result.tenants.map(({ decisions }) => decisions)]);
        expect(text).not.toMatch(/hunter2|aHVudGVyMg/);
      }
    }
  });
});
