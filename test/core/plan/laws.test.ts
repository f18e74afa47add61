import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/decision/decision.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { devPackage, observe, planFiles, policy, previousOf, profile, treeOf } from '../../support/observe.ts';

const configMap = (name: string, namespace = 'default', data = 'a: b'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {${data}}\n`;
const service = (name: string, namespace = 'default'): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {selector: {app: ${name}}, ports: [{port: 80}]}\n`;

function decisionsOf(result: Plan): readonly Decision[] {
  return [...result.decisions, ...result.tenants.flatMap((row) => row.decisions)];
}

describe('laws', () => {
  const object = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('a', 'b', 'a-x-b', 'web', 'app.config', 'kube-root-ca.crt'),
        fc.constantFrom('default', 'shop', 'b-x-c', 'kube-system'),
      )
      .map(([n, ns]) => configMap(n, ns)),
    fc.tuple(fc.constantFrom('web', 'api', 'db', 'kubernetes'), fc.constantFrom('default', 'shop')).map(([n, ns]) => service(n, ns)),
    fc.constantFrom(
      profile('mine'),
      'apiVersion: x/v1\nkind: Y\nmetadata: {name: z}\n',
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
    ),
  );
  const packages = fc
    .uniqueArray(fc.tuple(fc.nat({ max: 40 }), object), { selector: ([index]) => index, maxLength: 12 })
    .map((entries) => devPackage(Object.fromEntries(entries.map(([index, text]) => [`f${index}.yaml`, text]))));

  it('is total: one decision for each input', () => {
    fc.assert(
      fc.property(packages, (files) => {
        const observation = observe(files);
        const places = decisionsOf(plan(observation)).flatMap(({ source }) =>
          source === undefined ? [] : [`${source.file.path}#${source.file.document}`],
        );
        expect([...places].sort()).toEqual(observation.inputs.map(({ source }) => `${source.path}#${source.document}`).sort());
      }),
    );
  });

  it('is order-free: any order of the files gives the same bytes', () => {
    fc.assert(
      fc.property(packages, (files) => {
        const reversed = Object.fromEntries(Object.entries(files).reverse());
        expect([...treeOf(planFiles(reversed))].sort()).toEqual([...treeOf(planFiles(files))].sort());
        expect(decisionsOf(planFiles(reversed))).toEqual(decisionsOf(planFiles(files)));
      }),
    );
  });

  it('is idempotent: a second render on top of the first changes nothing', () => {
    fc.assert(
      fc.property(packages, (files) => {
        const first = planFiles(files);
        const second = planFiles(files, {}, previousOf(first));
        expect([...treeOf(second)]).toEqual([...treeOf(first)]);
        expect(second.removed).toEqual([]);
      }),
    );
  });

  it('is quiet: a new entry at the top of the policy touches no other host file', () => {
    fc.assert(
      fc.property(packages, (files) => {
        const more = { ...files, 'platform/policy.yaml': policy(['example.com/v1/Widget', ...['v1/ConfigMap', 'v1/Service']]) };
        const base = { ...files, 'platform/policy.yaml': policy(['v1/ConfigMap', 'v1/Service']) };
        const [a, b] = [treeOf(planFiles(base)), treeOf(planFiles(more))];
        a.delete('config/syncpolicy.tenantplane.io_default.yaml');
        b.delete('config/syncpolicy.tenantplane.io_default.yaml');
        expect([...b]).toEqual([...a]);
      }),
    );
  });
});
