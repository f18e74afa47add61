import { describe, expect, test } from 'vitest';
import { objectAt } from '../../../src/core/kube/json.ts';
import { kindOf, nameOf } from '../../../src/core/kube/object.ts';
import type { Plan, TenantPlan } from '../../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { devPackage, type Files, planFiles, previousOf, profile, tenant, treeOf } from '../../support/observe.ts';

/** A tenant whose own input is at fault keeps its objects, and gets the boundary that the platform gives it now. */

const POLICY = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec: {podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {}}]}]}
`;
const OPEN_POLICY = POLICY.replace('name: db', 'name: web')
  .replaceAll('app: db', 'app: web')
  .replace('ingress: [{from: [{podSelector: {}}]}]', 'ingress: [{}]');
const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {ingressClassName: nginx, rules: [{host: w.dev.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
`;
const objects = { 'db.yaml': POLICY, 'web.yaml': OPEN_POLICY, 'service.yaml': SERVICE, 'ingress.yaml': INGRESS };
const gateways = (names: string): string =>
  profile(
    'restricted',
    'restricted',
    `  allow: {ingressClasses: [nginx], ingressHostSuffixes: [dev.example.com], gatewayNamespaces: [${names}]}\n`,
  );
const files = devPackage(objects, { profile: gateways('gw-a'), spec: '  networking: {egressPolicy: unrestricted}\n' });
const before = planFiles(files);
const BAD = { 'tenants/dev/objects/bad.yaml': 'a: [' };
/** its policies are gone from its input, and so from what is planned */
const LOST = { 'tenants/dev/objects/db.yaml': 'a: [', 'tenants/dev/objects/web.yaml': '' };
const cluster = (spec: string): Files => ({ 'tenants/dev/tenant.yaml': tenant('dev', { spec }) });

function frozen(more: Files, given: Plan = before): { plan: Plan; dev: TenantPlan; said: string[]; tree: Map<string, string> } {
  const plan = planFiles({ ...files, ...more }, { maxDeletions: 1000 }, previousOf(given));
  const [dev] = plan.tenants;
  if (dev?.frozen === undefined) throw new Error('is not frozen');
  const tree = treeOf(given);
  for (const path of plan.removed) tree.delete(path);
  for (const [path, text] of treeOf(plan)) tree.set(path, text);
  return { plan, dev, said: plan.findings.map(({ reason, message }) => `${reason}: ${message}`), tree };
}

const own = (tree: ReadonlyMap<string, string>): string[] =>
  [...tree].filter(([, text]) => text.includes('tenantplane.io/virtual-name:')).map(([path]) => path);
const boundary = (tree: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...tree].filter(([path, text]) => path.startsWith('team-dev/') && !text.includes('tenantplane.io/virtual-name:')));
const names = ({ files: all }: TenantPlan): string[] => all.map(({ object }) => `${kindOf(object)}/${nameOf(object)}`);
const ofName = (tree: ReadonlyMap<string, string>, part: string): string[] => [...tree.keys()].filter((path) => path.includes(part));

describe('a frozen tenant', () => {
  test('gets what it has where nothing changed, byte for byte, also where its own policies cannot be read', () => {
    for (const more of [BAD, LOST]) {
      const { plan, dev, said, tree } = frozen(more);
      expect(tree).toEqual(treeOf(before));
      expect(names(dev)).toContain('Namespace/team-dev');
      expect(plan.removed).toEqual([]);
      expect(said.filter((text) => /^(BoundaryWaits|ProfileMovedOn)/.test(text))).toEqual([]);
    }
  });

  test.each<[string, Files, RegExp]>([
    [
      'a smaller quota',
      cluster('  networking: {egressPolicy: unrestricted}\n  resources: {cpu: "2"}\n'),
      /ResourceQuota\/tenantplane-quota/,
    ],
    [
      'stricter limits',
      { 'platform/profile.yaml': `${gateways('gw-a')}  limits: {max: {memory: 1Gi}}\n` },
      /LimitRange\/tenantplane-defaults/,
    ],
    [
      'a runtime for sandboxes',
      { 'platform/profile.yaml': gateways('gw-a').replace('level: restricted', 'level: sandboxed'), ...cluster('') },
      /Namespace\/team-dev/,
    ],
    [
      'egress that is closed',
      cluster('  networking: {egressPolicy: allow-same-tenant}\n'),
      /NetworkPolicy\/tenantplane-allow-egress-internet/,
    ],
    ['another gateway', { 'platform/profile.yaml': gateways('gw-b') }, /NetworkPolicy\/tenantplane-allow-ingress-from-gateway/],
    ['no gateway', { 'platform/profile.yaml': gateways('') }, /NetworkPolicy\/tenantplane-allow-ingress-from-gateway/],
  ])('gets %s as a sound one does, and that is said', (_, more, named) => {
    for (const fault of [BAD, LOST]) {
      const { said, tree, dev } = frozen({ ...more, ...fault });
      const sound = treeOf(planFiles({ ...files, ...more }, { maxDeletions: 1000 }, previousOf(before)));
      expect(boundary(tree)).toEqual(boundary(sound));
      expect(boundary(tree)).not.toEqual(boundary(treeOf(before)));
      expect(own(tree)).toEqual(own(treeOf(before)));
      expect(said).toContainEqual(
        expect.stringMatching(new RegExp(`^ProfileMovedOn: The boundary of tenant team-dev/dev \\(.*${named.source}`)),
      );
      expect(dev.files.every(({ decision }) => dev.decisions.includes(decision))).toBe(true);
    }
  });

  test('opens nothing that its policies close on the host, whatever its input says now', () => {
    const { tree } = frozen({ ...LOST, ...cluster('  networking: {egressPolicy: allow-same-tenant}\n') });
    const selectors = ofName(tree, 'tenantplane-allow-same-tenant-ingress').map((path) => {
      const [read] = readDocuments(tree.get(path) ?? '', path).objects;
      return JSON.stringify(objectAt(read?.object, 'spec', 'podSelector'));
    });
    expect(selectors.length).toBeGreaterThan(1);
    // no selector for all pods: those that db and web select stay theirs
    expect(selectors).not.toContain('{}');
  });

  test('loses nothing that bounds it: no limits where they are asked for no more', () => {
    const baseline = {
      'platform/profile.yaml': `${gateways('gw-a').replace('level: restricted', 'level: baseline')}  controls: {requireResourceRequests: false}\n`,
    };
    const { said, tree, plan } = frozen({ ...BAD, ...baseline });
    expect(plan.removed.filter((path) => !path.startsWith('platform/') && !path.includes('_tenantplane-allow-'))).toEqual([]);
    expect(ofName(tree, 'limitrange')).toHaveLength(1);
    expect(said).toContainEqual(
      expect.stringMatching(/^BoundaryWaits: .*LimitRange\/tenantplane-defaults, FlowSchema\/tenantplane-team-dev would change and stay/),
    );
    expect(emitYaml(plan.tenants[0]?.files.find(({ path }) => path.endsWith('namespace_team-dev.yaml'))?.object ?? {})).toContain(
      'enforce: baseline',
    );
  });

  test('keeps its resolver, which is in the pods as they run', () => {
    const { said, tree } = frozen({
      ...BAD,
      ...cluster('  networking: {egressPolicy: unrestricted, dns: server, dnsServiceIP: 10.96.5.5}\n'),
    });
    expect(ofName(tree, 'tenantplane-dns')).toEqual([]);
    expect(tree.get('team-dev/networkpolicy.networking.k8s.io_tenantplane-allow-dns.yaml')).toBe(
      treeOf(before).get('team-dev/networkpolicy.networking.k8s.io_tenantplane-allow-dns.yaml'),
    );
    expect(said).toContainEqual(expect.stringMatching(/^BoundaryWaits: .*Deployment\/tenantplane-dns/));
  });

  test.each<[string, Plan]>([
    ['that was never rendered', planFiles(devPackage({}, {}), { allowEmpty: true, tenant: { name: 'x', namespace: 'y' }, scope: 'sync' })],
  ])('%s gets nothing yet', (_, given) => {
    expect(frozen(BAD, given).dev.files).toEqual([]);
  });

  test('whose tree holds a file that cannot be read gets nothing: which pods its policies close is not known', () => {
    const previous = previousOf(before).map((entry) => (entry.source.path.includes('_db-x-') ? { ...entry, broken: true } : entry));
    const plan = planFiles({ ...files, ...BAD, ...cluster('') }, { maxDeletions: 1000 }, previous);
    expect(plan.tenants[0]?.files).toEqual([]);
    expect(plan.findings.map(({ reason }) => reason)).toContain('BoundaryWaits');
  });

  test('that has another name now gets nothing: its pods carry the old one', () => {
    const plan = planFiles(
      { ...files, ...BAD, 'tenants/dev/tenant.yaml': tenant('dev2', { namespace: 'team-dev' }) },
      { maxDeletions: 1000 },
      previousOf(before),
    );
    expect(plan.tenants.map(({ frozen: why, files: written }) => [why !== undefined, written])).toEqual([[true, []]]);
    expect(plan.removed).toEqual([]);
  });

  test.each(['isolation', 'sync'] as const)('gets it from the function that renders what stands around the objects: %s', (scope) => {
    const more = { ...LOST, ...cluster('  networking: {egressPolicy: allow-same-tenant}\n') };
    const whole = frozen(more);
    const part = planFiles({ ...files, ...more }, { maxDeletions: 1000, scope }, previousOf(before));
    const wanted = scope === 'sync' ? [] : whole.dev.files.map(({ path }) => path);
    expect(part.tenants.flatMap((each) => each.files.map(({ path }) => path))).toEqual(wanted);
    expect(part.removed).toEqual(scope === 'sync' ? [] : whole.plan.removed);
  });

  test('gets it too where a claim of its own would start empty under another name', () => {
    const set = (replicas: number): string => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: ${replicas}
  serviceName: web
  selector: {matchLabels: {app: db}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
`;
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-db-0}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
    const stated = { 'tenants/dev/objects/set.yaml': set(1), 'tenants/dev/objects/claim.yaml': claim };
    const baseline = { 'platform/profile.yaml': profile('restricted', 'baseline') };
    const stood = planFiles({ ...files, ...stated, ...baseline });
    const { dev, tree } = frozen({ ...stated, ...baseline, 'tenants/dev/objects/set.yaml': '', ...cluster('') }, stood);
    expect(dev.frozen).toContain('would be');
    expect(names(dev)).toContain('ResourceQuota/tenantplane-quota');
    expect(ofName(tree, 'allow-egress-internet')).toEqual([]);
    expect(own(tree)).toEqual(own(treeOf(stood)));
  });

  test('is told by its quota where what stands is more than it holds', () => {
    const { dev } = frozen({
      ...BAD,
      ...cluster('  resources: {cpu: "2"}\n'),
      'platform/profile.yaml': `${gateways('gw-a')}  quota: {count/services: "0"}\n`,
    });
    const counts = dev.decisions.find(({ host }) => host?.name === 'tenantplane-counts');
    expect(counts?.notes.map(({ message }) => message).join()).toContain('count/services');
  });

  describe('keeps open by its own NetworkPolicies nothing that it may not open now', () => {
    const stated = (name: string, rest: string): string =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: ${name}}\nspec: {podSelector: {}, ${rest}}\n`;
    const opens = {
      'tenants/dev/objects/all.yaml': stated('all', 'policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]'),
      'tenants/dev/objects/some.yaml': stated(
        'some',
        'policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 8.0.0.0/8, except: [8.1.0.0/16]}}, {podSelector: {}}], ports: [{port: 443}]}]',
      ),
      'tenants/dev/objects/one.yaml': stated('one', 'policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 8.8.8.0/24}}]}]'),
      'tenants/dev/objects/callers.yaml': stated('callers', 'ingress: [{ports: [{port: 80}]}]'),
    };
    const open = {
      ...opens,
      'platform/profile.yaml': `${gateways('gw-a')}  controls: {defaultDenyNetworkPolicy: false}\n`.replace(
        'level: restricted',
        'level: baseline',
      ),
      ...cluster('  networking: {egressPolicy: unrestricted}\n'),
    };
    const profileOf = (more: string): Files => ({ 'platform/profile.yaml': open['platform/profile.yaml'] + more });
    // which rules were for everyone, and so for gateways, a narrowed policy does not say: such an opening may be missing
    const policies = (tree: ReadonlyMap<string, string>): Map<string, string> =>
      new Map([...tree].filter(([path]) => path.startsWith('team-dev/networkpolicy') && !path.includes('from-gateway')));
    const stood = planFiles({ ...files, ...open });
    const bad = { ...BAD, ...Object.fromEntries(Object.keys(opens).map((path) => [path, ''])) };

    test.each<[string, Files, string[]]>([
      ['egress is closed', cluster('  networking: {egressPolicy: deny-by-default}\n'), ['all', 'one', 'some']],
      ['the host has more ranges', profileOf('  network: {hostCIDRs: [8.8.0.0/16]}\n'), ['all', 'one', 'some']],
      ['a range of the host cannot matter to one', profileOf('  network: {hostCIDRs: [9.0.0.0/8]}\n'), ['all']],
      [
        'ingress is closed',
        { 'platform/profile.yaml': open['platform/profile.yaml'].replace('Policy: false', 'Policy: true') },
        ['callers', 'web'],
      ],
      ['nothing is', {}, []],
    ])('where %s', (_, more, named) => {
      const sound = treeOf(planFiles({ ...files, ...open, ...more }, { maxDeletions: 1000 }, previousOf(stood)));
      for (const fault of [BAD, bad]) {
        const { tree, said, dev } = frozen({ ...open, ...more, ...fault }, stood);
        expect(policies(tree)).toEqual(policies(sound));
        for (const path of ofName(tree, 'from-gateway')) expect(tree.get(path)).toBe(sound.get(path));
        const written = dev.files.filter(({ path }) => own(tree).includes(path));
        expect(written.map(({ object }) => nameOf(object).replace('-x-default-x-dev', '')).sort()).toEqual(
          named.map((name) => expect.stringMatching(`^${name}`)),
        );
        for (const { decision } of written) {
          expect(dev.decisions.filter(({ host }) => host?.kind === 'NetworkPolicy' && host.name === decision.host?.name)).toEqual([
            decision,
          ]);
          expect(decision.source === undefined).toBe(fault === bad && decision.host?.name.startsWith('web') !== true);
        }
        if (named.length > 0) expect(said).toContainEqual(expect.stringMatching(/^ProfileMovedOn: The boundary of tenant team-dev\/dev/));
      }
    });

    test('and never opens more: where the platform gives more, they stay', () => {
      const closed = { ...open, ...cluster('  networking: {egressPolicy: deny-by-default}\n') };
      const { tree } = frozen({ ...open, ...BAD }, planFiles({ ...files, ...closed }));
      const before = treeOf(planFiles({ ...files, ...closed }));
      for (const path of own(tree)) expect(tree.get(path)).toBe(before.get(path));
    });

    test.each(['sync', 'isolation'] as const)('and only the function that answers for them narrows them: %s', (scope) => {
      const more = { ...open, ...cluster('  networking: {egressPolicy: deny-by-default}\n'), ...BAD };
      const [dev] = planFiles({ ...files, ...more }, { scope, maxDeletions: 1000 }, previousOf(stood)).tenants;
      const narrowed = dev?.files.filter(({ path }) => own(treeOf(stood)).includes(path)) ?? [];
      expect(narrowed).toHaveLength(scope === 'sync' ? 3 : 0);
      expect(dev?.files.length).toBeGreaterThanOrEqual(3);
    });
  });

  test('is moved to other folders without a word of what does not change', () => {
    const spread = { output: { config: 'include', shards: 3 }, maxDeletions: 1000 } as const;
    for (const more of [
      BAD,
      {
        ...BAD,
        'platform/profile.yaml':
          'apiVersion: tenantplane.io/v1alpha1\nkind: IsolationProfile\nmetadata: {name: restricted}\nspec: {level: nonsense}\n',
      },
    ]) {
      const { tenants, findings } = planFiles({ ...files, ...more }, spread, previousOf(before));
      expect(tenants[0]?.frozen).toBeDefined();
      expect(tenants[0]?.decisions.filter(({ action }) => action === 'Delete')).toEqual([]);
      expect(findings.filter(({ reason }) => reason === 'ProfileMovedOn' || reason === 'BoundaryWaits')).toEqual([]);
    }
    const quota = planFiles(
      { ...files, ...BAD, ...cluster('  networking: {egressPolicy: unrestricted}\n  resources: {cpu: "2"}\n') },
      spread,
      previousOf(before),
    );
    expect(quota.findings.filter(({ reason }) => reason === 'ProfileMovedOn').map(({ message }) => message)).toEqual([
      expect.stringContaining('(ResourceQuota/tenantplane-quota)'),
    ]);
  });
});
