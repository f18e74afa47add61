import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BoundaryReport } from '../../../src/core/isolation/verify/boundary-report.ts';
import { verifyBoundary } from '../../../src/core/isolation/verify/verify-boundary.ts';
import { gatherBoundary } from '../../../src/reconciler/boundary/gather.ts';
import { NEWEST } from '../../bed/kubernetes-version.ts';
import { boundaryInputs } from '../../support/boundary.ts';
import { boundaryMatrix } from '../../support/boundary-matrix.ts';
import { EXAMPLES, PACKAGES, type Rendered, renderPackage } from '../../support/example.ts';
import { BOUTIQUE_PRESENT, boutique, LEVELS } from '../../support/microservices-demo.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { watchBoundaries } from '../reconciler/boundary-view.ts';
import { applyPlan, type Host, startHost } from './host.ts';

/** What a tenant wrote and the host warns of, whoever sends it. */
const WARNINGS: Readonly<Record<string, string>> = {
  'fields/allow': 'Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n',
};

/** One tenant with one field or another: what is in it lies in no other. */
const isSmall = (name: string): boolean => name.startsWith('fields/');
const example = (name: string): Promise<Rendered> => renderPackage(join(EXAMPLES, name));

onEachKubernetes('a real API server of Kubernetes %s', (version) => {
  // each tree has the host for itself, since trees share names; its controllers work out quotas, so that they bind
  let host: Host;
  beforeEach(async () => {
    host = await startHost({ version, controllers: true });
  });
  afterEach(() => host.stop());

  /** Strict validation, no warning but those, and a second apply that finds nothing wrong either; what is stored then verifies as planned. */
  async function expectAccepted(rendered: Rendered, warnings = ''): Promise<void> {
    expect((await applyPlan(host, rendered.plan)) || (await applyPlan(host, rendered.plan))).toBe(warnings);
    const view = await watchBoundaries(host);
    const reports = boundaryInputs(rendered).map((input) => verifyBoundary({ ...input, live: gatherBoundary(view, input.tenantCluster) }));
    expect(reports.length).toBeGreaterThan(0);
    for (const { rows } of reports) expect(rows.length).toBeGreaterThan(30);
    expect(reports.flatMap(otherwise)).toEqual([]);
  }

  describe('accepts every rendered object, and has the boundary that was planned', () => {
    const examples = version === NEWEST ? PACKAGES : ['first-tenant', 'shop'];
    test.each(examples.filter((name) => !isSmall(name)))('of examples/%s', async (name) => {
      await expectAccepted(await example(name), WARNINGS[name]);
    });
    test.each(examples.filter(isSmall))('of examples/%s', { tags: 'release' }, async (name) => {
      await expectAccepted(await example(name), WARNINGS[name]);
    });

    if (version !== NEWEST) return;

    test('at each level with each egress policy', async () => {
      await expectAccepted(boundaryMatrix());
    });

    const demo = test.skipIf(!BOUTIQUE_PRESENT);
    demo.each(LEVELS.filter((level) => level === 'restricted'))('of the microservices demo at level %s', async (level) => {
      await expectAccepted(boutique(level));
    });
    demo.each(LEVELS.filter((level) => level !== 'restricted'))(
      'of the microservices demo at level %s',
      { tags: 'release' },
      async (level) => {
        await expectAccepted(boutique(level));
      },
    );
  });
});

function otherwise({ rows }: BoundaryReport): string[] {
  return rows.filter(({ verdict }) => verdict !== 'as-planned').map(({ sentence }) => sentence);
}
