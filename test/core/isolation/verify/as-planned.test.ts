import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { boundaryInputs } from '../../../support/boundary.ts';
import { boundaryMatrix } from '../../../support/boundary-matrix.ts';
import { EXAMPLES, PACKAGES, type Rendered, renderPackage } from '../../../support/example.ts';
import { BOUTIQUE_PRESENT, boutique, LEVELS } from '../../../support/microservices-demo.ts';

function notAsPlanned(rendered: Rendered): string[] {
  return boundaryInputs(rendered).flatMap((input) => {
    const report = verifyBoundary(input);
    return report.rows.filter(({ verdict }) => verdict !== 'as-planned').map(({ verdict, sentence }) => `${verdict}: ${sentence}`);
  });
}

describe('what the render writes verifies as planned', () => {
  test.each(PACKAGES)('of examples/%s', async (name) => {
    const rendered = await renderPackage(join(EXAMPLES, name));
    expect(boundaryInputs(rendered).length).toBeGreaterThan(0);
    expect(notAsPlanned(rendered)).toEqual([]);
  });

  test
    .skipIf(!BOUTIQUE_PRESENT)
    .each(LEVELS.flatMap((level) => (['deny-by-default', 'allow-same-tenant'] as const).map((egress) => [level, egress] as const)))(
    'of the microservices demo at level %s with egress %s',
    (level, egress) => {
      expect(notAsPlanned(boutique(level, egress))).toEqual([]);
    },
  );

  test('at each level with each egress policy', () => {
    const rendered = boundaryMatrix();
    expect(boundaryInputs(rendered).length).toBe(16);
    expect(rendered.plan.tenants.flatMap(({ frozen }) => frozen ?? [])).toEqual([]);
    expect(rendered.plan.decisions.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(notAsPlanned(rendered)).toEqual([]);
  });
});
