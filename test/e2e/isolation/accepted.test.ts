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
    for (const name of version === NEWEST ? PACKAGES : ['first-tenant', 'shop'])
      test(`of examples/${name}`, { tags: isSmall(name) ? ['release'] : [] }, async () => {
        await expectAccepted(await example(name), WARNINGS[name]);
      });

    if (version !== NEWEST) return;

    test('at each level with each egress policy', async () => {
      await expectAccepted(boundaryMatrix());
    });

    for (const level of LEVELS)
      test.skipIf(!BOUTIQUE_PRESENT)(
        `of the microservices demo at level ${level}`,
        { tags: level === 'restricted' ? [] : ['release'] },
        async () => {
          await expectAccepted(boutique(level));
        },
      );
  });
});

function otherwise({ rows }: BoundaryReport): string[] {
  return rows.filter(({ verdict }) => verdict !== 'as-planned').map(({ sentence }) => sentence);
}
