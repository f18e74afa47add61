import { describe, expect, it } from 'vitest';
import { BOUND_CONTROLS } from '../../../src/core/review/bounds.ts';
import { JUDGED_FIELDS } from '../../../src/core/review/judged-fields.ts';
import { LATTICES } from '../../../src/core/review/lattice.ts';
import { CONFIG_SCHEMAS } from '../../../src/schema/config-kinds.ts';
import { devPackage, type Files, policy, profile } from '../../support/observe.ts';
import { reviewFiles } from './reviews.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Fields that hold no further fields, as `resources[].kind`. */
function leaves(schema: Schema, path: string): string[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, field]) => leaves(field, path === '' ? name : `${path}.${name}`));
  }
  return schema.items?.properties === undefined ? [path] : leaves(schema.items, `${path}[]`);
}

const KINDS = Object.keys(JUDGED_FIELDS) as (keyof typeof JUDGED_FIELDS)[];

describe('fields of the configuration', () => {
  it.each(KINDS)('of %s each have a judgement, and no other field has', (kind) => {
    const fields = leaves(CONFIG_SCHEMAS[kind].spec as Schema, '');
    expect(fields.length).toBeGreaterThan(8);
    expect(Object.keys(JUDGED_FIELDS[kind]).sort()).toEqual([...fields].sort());
  });

  it('are judged by controls that have a lattice, and each lattice judges a field', () => {
    const rows = KINDS.flatMap((kind) => Object.values(JUDGED_FIELDS[kind]));
    const named = new Set(rows.flatMap((row) => ('by' in row ? row.by : [])));
    const known = new Set([...Object.keys(LATTICES), ...BOUND_CONTROLS]);
    expect([...named].filter((control) => !known.has(control))).toEqual([]);
    expect([...known].filter((control) => !named.has(control) && !control.startsWith('always.'))).toEqual([]);
    for (const row of rows) if ('neutral' in row) expect(row.neutral).not.toBe('');
  });
});

interface Package {
  readonly level?: string;
  /** fields of the profile, of the TenantCluster and entries of the policy */
  readonly prof?: string;
  readonly ten?: string;
  readonly entries?: string;
}
const files = ({ level = 'restricted', prof = '', ten = '', entries = '' }: Package = {}): Files =>
  devPackage({}, { spec: ten, profile: profile('restricted', level, prof), policy: `${policy(['v1/ConfigMap'])}${entries}` });
const ways = (before: Files, after: Files): string[] =>
  reviewFiles(before, after).isolation.map(({ control, direction }) => `${control} ${direction}`);

const TOLERATION = (fields: string) => ({ prof: `  allow:\n    tolerations: [{${fields}}]` });
const POOL = (selector: string, toleration: string) => ({
  ten: `  mode: dedicated\n  nodePool: {nodeSelector: {${selector}}, tolerations: [{${toleration}}]}\n`,
});
const WIDGET = (more: string) => ({
  entries: `  - {apiVersion: acme.io/v1, kind: Widget, direction: toHost, scope: Namespaced${more}}\n`,
});
const NAMED = ', references: [{path: spec.secretRef.name, kind: Secret}], selectors: [{path: spec.selector}]';

describe('a change of isolation', () => {
  it.each([
    [
      'a toleration of any value',
      TOLERATION('key: a, operator: Equal, value: b, effect: NoSchedule'),
      TOLERATION('key: a, operator: Exists'),
      ['allow.tolerations'],
    ],
    [
      'DNS peers',
      {},
      { prof: `  network:\n    dnsPeers: [{namespace: kube-system}, {namespace: monitoring, port: 9090}]` },
      ['network.dnsPeers'],
    ],
    [
      'a suffix of the tenant',
      { ten: '  networking: {ingressHostSuffixes: [dev.example.com]}\n' },
      { ten: '  networking: {ingressHostSuffixes: [example.com]}\n' },
      ['networking.ingressHostSuffixes'],
    ],
    [
      'a node pool',
      POOL('pool: dev', 'key: pool, operator: Equal, value: dev, effect: NoSchedule'),
      POOL('kubernetes.io/os: linux', 'operator: Exists'),
      ['nodePool.nodeSelector', 'nodePool.tolerations'],
    ],
    ['the ratio of limits', {}, { prof: `  limits: {maxLimitRequestRatio: {cpu: '1000'}}` }, ['limits.maxLimitRequestRatio']],
    ['the smallest request', {}, { prof: `  limits: {min: {memory: '1Mi'}}` }, ['limits.min']],
    [
      'a quota that was computed',
      {},
      { prof: `  quota: {pods: '1000000', requests.storage: 900Ti, services.loadbalancers: '500'}` },
      ['quota'],
    ],
    ['a share that was computed', { ten: "  resources: {cpu: '2'}\n" }, { ten: "  resources: {cpu: '2', memory: 900Ti}\n" }, ['resources']],
    ['a limit that the quota is computed from', {}, { prof: `  limits: {default: {cpu: '2'}}` }, ['resources']],
    ['references and selectors of a kind', WIDGET(NAMED), WIDGET(''), ['resources.references', 'resources.selectors']],
    ['a kind that nothing checks', {}, WIDGET(NAMED), ['resources.customKinds']],
    ['a selector of such a kind', WIDGET(', labelSelector: {matchLabels: {a: b}}'), WIDGET(''), ['resources.labelSelector']],
    ['the API at a load balancer', {}, { ten: '  controlPlane: {expose: {loadBalancer: true}}\n' }, ['controlPlane.expose.loadBalancer']],
    ['the life of a kubeconfig', {}, { ten: '  controlPlane: {kubeconfig: {hours: 8760}}\n' }, ['controlPlane.kubeconfig.hours']],
  ] as const)('is seen in %s, and in its way back', (_, before, after, controls) => {
    const [was, is] = [files(before), files(after)];
    const of = (way: string): string[] => controls.map((control) => `${control} ${way}`);
    expect(ways(was, is).filter((row) => row.endsWith(' weaker'))).toEqual(of('weaker'));
    if (controls[0] !== 'nodePool.nodeSelector')
      expect(ways(is, was).filter((row) => !row.startsWith('controlPlane.expose.ann'))).toEqual(of('stronger'));
  });

  it('is seen in who is trusted', () => {
    const trusting = (trustedGroups?: readonly string[]) => ({ host: trustedGroups === undefined ? {} : { trustedGroups } });
    const result = reviewFiles(files(), files(), { before: trusting(), after: trusting(['system:authenticated']) });
    expect(result.isolation).toMatchObject([
      {
        control: 'host.trustedGroups',
        before: 'kubeadm:cluster-admins system:masters',
        after: 'system:authenticated',
        direction: 'weaker',
      },
    ]);
    expect(reviewFiles(files(), files(), { before: trusting(), after: trusting(['system:masters']) }).isolation).toMatchObject([
      { direction: 'stronger' },
    ]);
  });

  it('says what stood on the host and what stands there now', () => {
    const after = files({ prof: `  quota: {pods: '300', requests.storage: 100Gi}` });
    expect(reviewFiles(files(), after).isolation).toMatchObject([
      { control: 'quota', before: 'pods=200,requests.storage=500Gi', after: 'pods=300,requests.storage=100Gi', direction: 'weaker' },
    ]);
  });

  it('is none where a tighter name takes the place of a wider one', () => {
    const peers = (text: string) => files({ prof: `  network:\n    dnsPeers: [${text}]` });
    expect(ways(peers('{namespace: dns}'), peers('{namespace: dns, podLabels: {app: dns}}'))).toEqual(['network.dnsPeers stronger']);
  });

  it('is judged of profiles alone, in their own name', () => {
    const alone = (level: string): Files => ({ 'platform/p.yaml': profile('restricted', level) });
    const { isolation } = reviewFiles(alone('restricted'), alone('baseline'));
    expect(isolation.filter(({ direction }) => direction === 'weaker').map(({ tenant, control }) => `${tenant} ${control}`)).toContain(
      'IsolationProfile/restricted controls.podSecurity',
    );
    expect(isolation[0]?.causes).toEqual(['IsolationProfile/restricted']);
    // where a tenant uses it, it is told of the tenant
    expect(reviewFiles(files(), files({ level: 'baseline' })).isolation.map(({ tenant: of }) => of)).not.toContain(
      'IsolationProfile/restricted',
    );
    expect(reviewFiles(devPackage({}), devPackage({})).isolation).toEqual([]);
  });

  const FROZEN = files({ ten: '  bogus: 1\n' });
  const OPEN = files({ level: 'baseline', ten: '  networking: {egressPolicy: unrestricted}\n' });

  it('of a tenant that was frozen is judged by what its tree was made from', () => {
    const { isolation, notJudged } = reviewFiles(FROZEN, OPEN, {}, files());
    expect(notJudged).toBeUndefined();
    const weaker = isolation.filter(({ direction, tenant }) => direction === 'weaker' && tenant === 'team-dev/dev');
    expect(weaker.map(({ control }) => control)).toEqual(
      expect.arrayContaining(['controls.podSecurity', 'controls.defaultDenyNetworkPolicy', 'networking.egressPolicy']),
    );
    // mended alone, it is as it was
    expect(reviewFiles(FROZEN, files(), {}, files())).toMatchObject({ isolation: [] });
    // what its profile says of it counts while it is frozen
    const held = reviewFiles(FROZEN, { ...FROZEN, 'platform/profile.yaml': profile('restricted', 'baseline') }, {}, files());
    expect(held.isolation.map(({ tenant, control }) => `${tenant} ${control}`)).toContain('team-dev/dev controls.podSecurity');
  });

  it('of a tenant that was frozen is not known where nothing tells what stood', () => {
    expect(reviewFiles(FROZEN, OPEN).notJudged).toEqual(['team-dev/dev']);
    expect(reviewFiles(FROZEN, FROZEN).notJudged).toBeUndefined();
  });
});
