import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import { boundaryToApply } from '../../../../src/core/isolation/verify/boundary-to-apply.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { nameOf } from '../../../../src/core/kube/object.ts';
import { boundaryInputs } from '../../../support/boundary.ts';
import { EXAMPLES, renderPackage } from '../../../support/example.ts';
import { changed, inputOf, put } from './tenants.ts';

const [SHOP] = boundaryInputs(await renderPackage(join(EXAMPLES, 'shop')));
const NAME = 'tenantplane-allow-ingress-from-gateway-ingress-2toe6rmjuwas';

function shop(): BoundaryInput {
  if (SHOP === undefined) throw new Error('the shop has a tenant');
  return { ...SHOP, live: structuredClone(SHOP.live) };
}
const wrong = (input: BoundaryInput): unknown[] =>
  verifyBoundary(input)
    .rows.filter(({ verdict }) => verdict !== 'as-planned')
    .map(({ object: { name }, verdict, way, fields }) => ({ name, verdict, way, fields }));

describe('what gateways may call of a tenant with policies of its own', () => {
  test('is missed where no policy selects the pods: that only closes', () => {
    const gone = changed(shop(), 'NetworkPolicy', NAME, () => undefined);
    expect(wrong(gone)).toEqual([{ name: NAME, verdict: 'missing', way: 'stronger', fields: [] }]);
    expect(verifyBoundary(gone).enforced).toBe(true);
    expect(boundaryToApply(gone).apply.map(nameOf)).toEqual([NAME]);
  });

  test('is missed by its ports too, and more of them are still what a rule of the tenant’s may admit', () => {
    const narrower = changed(shop(), 'NetworkPolicy', NAME, (object) => put(object, ['spec', 'ingress', 0, 'ports', 0, 'port'], 'other'));
    expect(wrong(narrower)).toEqual([{ name: NAME, verdict: 'drifted', way: 'stronger', fields: ['/spec/ingress'] }]);
  });

  test('is what stands there where one selects them: whether its rule is for everyone, the tenant’s input says alone', () => {
    const gone = changed(inputOf('rest-allo-own'), 'NetworkPolicy', 'allow-ingress-from-gateway-ingress-jis3cjnbd23f', () => undefined);
    expect(wrong(gone)).toEqual([]);
  });

  test('is as planned where a wider one stands, as where a rule for everyone selects some of the pods', () => {
    const partly = changed(shop(), 'NetworkPolicy', 'db-x-shop-x-shop', (object) =>
      put(object, ['spec', 'podSelector', 'matchLabels', 'app.kubernetes.io/name'], 'web'),
    );
    const some = changed(partly, 'NetworkPolicy', 'db-x-shop-x-shop', (object) =>
      put(object, ['spec', 'podSelector', 'matchLabels', 'tier'], 'canary'),
    );
    const gateways = (input: BoundaryInput): unknown[] => wrong(input).filter((row) => JSON.stringify(row).includes('from-gateway'));
    expect(gateways(some)).toEqual([]);
    const gone = changed(some, 'NetworkPolicy', NAME, () => undefined);
    expect(gateways(gone)).toEqual([expect.objectContaining({ verdict: 'missing', way: 'stronger' })]);
  });
});
