import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/kube/json.ts';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { devPackage, type Files, planFiles, previousOf, profile, treeOf } from '../support/observe.ts';
import { tenantObject } from './tenant-objects.ts';

/** A policy that opens what a platform may close. */
const openPolicy: fc.Arbitrary<JsonObject> = fc
  .record({
    name: fc.constantFrom('open-a', 'open-b'),
    cidr: fc.constantFrom('0.0.0.0/0', '::/0', '8.0.0.0/7', '8.8.8.0/24', '10.1.0.0/16'),
    everyone: fc.boolean(),
  })
  .map(({ name, cidr, everyone }) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: { matchLabels: { app: name } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [everyone ? {} : { from: [{ podSelector: {} }] }],
      egress: [{ to: [{ ipBlock: { cidr } }, { podSelector: {} }] }],
    },
  }));
const objects = fc.array(fc.oneof({ weight: 3, arbitrary: tenantObject }, { weight: 1, arbitrary: openPolicy }), {
  minLength: 1,
  maxLength: 5,
});
const ALLOW = '  allow: {daemonSets: true, ingressClasses: [nginx], ingressHostSuffixes: [dev.example.com], gatewayNamespaces: [gw]}\n';

/** What a platform may say; none of it refuses an object that the tenant has. */
interface Platform {
  readonly egress: string;
  readonly denies: boolean;
  readonly ranges: string;
  readonly memory: string;
  readonly cpu: string;
}
const platform: fc.Arbitrary<Platform> = fc.record({
  egress: fc.constantFrom('unrestricted', 'allow-same-tenant', 'deny-by-default'),
  denies: fc.boolean(),
  ranges: fc.constantFrom('', '8.8.0.0/16', '8.8.0.0/16, 9.0.0.0/8'),
  memory: fc.constantFrom('16Gi', '32Gi'),
  cpu: fc.constantFrom('4', '8'),
});

function packageOf(list: readonly JsonObject[], { egress, denies, ranges, memory, cpu }: Platform): Files {
  const identity = (row: JsonObject): string => `${row['kind']}|${JSON.stringify(row['metadata'])}`;
  const unique = [...new Map(list.map((object) => [identity(object), object])).values()];
  const files = Object.fromEntries(unique.map((object, index) => [`o${index}.yaml`, emitYaml(object)]));
  const text = `${ALLOW}  controls: {defaultDenyNetworkPolicy: ${denies}}\n  limits: {max: {memory: ${memory}}}\n  network: {hostCIDRs: [${ranges}]}\n`;
  return devPackage(files, {
    profile: profile('restricted', 'restricted', text),
    spec: `  networking: {egressPolicy: ${egress}}\n  resources: {cpu: "${cpu}"}\n`,
  });
}

/** The tree after a plan: what stood, without what leaves, with what is written. */
function after(tree: ReadonlyMap<string, string>, plan: Plan): Map<string, string> {
  const gone = new Set(plan.removed);
  return new Map([...[...tree].filter(([path]) => !gone.has(path)), ...treeOf(plan)]);
}

const isOwn = (text: string): boolean => text.includes('tenantplane.io/virtual-name:');
/** Which rules are for everyone only the tenant's input says, so such an opening may be missing, and never be too wide. */
const isGateway = (path: string): boolean => path.includes('_tenantplane-allow-ingress-from-gateway-');
const part = (tree: ReadonlyMap<string, string>, own: boolean): [string, string][] =>
  [...tree].filter(([path, text]) => path.startsWith('team-dev/') && isOwn(text) === own && !isGateway(path)).sort();

/** Whether the other platform opens nothing for a tenant's own policies that the one keeps shut. */
const closes = (one: Platform, other: Platform): boolean =>
  (one.egress === 'unrestricted' || other.egress !== 'unrestricted') &&
  (!one.denies || other.denies) &&
  other.ranges.startsWith(one.ranges);

it('a tenant that broke its input has the boundary of one that left its objects alone, whatever the platform changed', () => {
  let [changed, frozen, narrow] = [0, 0, 0];
  fc.assert(
    fc.property(objects, objects, platform, platform, (stood, broken, one, other) => {
      const before = planFiles(packageOf(stood, one));
      fc.pre(before.tenants.every((tenant) => tenant.frozen === undefined));
      const tree = treeOf(before);
      const bad = { ...packageOf(broken, other), 'tenants/dev/objects/bad.yaml': 'a: [' };
      const plan = planFiles(bad, { maxDeletions: 1000 }, previousOf(before));
      const is = after(tree, plan);
      const sound = after(tree, planFiles(packageOf(stood, other), { maxDeletions: 1000 }, previousOf(before)));
      expect(part(is, false)).toEqual(part(sound, false));
      const fitting = treeOf(planFiles(packageOf(stood, other)));
      for (const [path, text] of part(is, true)) {
        const policy = path.includes('/networkpolicy.');
        // closed in one way and opened in another, it is neither what it was nor what it would be
        if (policy && !closes(one, other) && !closes(other, one)) continue;
        const expected = policy && closes(one, other) ? fitting.get(path) : tree.get(path);
        if (expected !== tree.get(path)) narrow += 1;
        expect([path, text]).toEqual([path, expected]);
      }
      expect(part(is, true).map(([path]) => path)).toEqual(part(tree, true).map(([path]) => path));
      for (const [path, text] of is) if (isGateway(path)) expect([path, sound.get(path)]).toEqual([path, text]);
      const [dev] = plan.tenants;
      for (const { decision } of dev?.files ?? []) expect(dev?.decisions).toContain(decision);
      if (dev?.frozen !== undefined) frozen += 1;
      if (JSON.stringify(part(is, false)) !== JSON.stringify(part(tree, false))) changed += 1;
    }),
    { numRuns: 60 },
  );
  expect(frozen).toBeGreaterThan(30);
  expect(changed).toBeGreaterThan(20);
  expect(narrow).toBeGreaterThan(0);
});
