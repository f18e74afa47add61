import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/core/controlplane/lifecycle/decide.ts';
import { objectAt } from '../../../../src/core/kube/json.ts';
import { act, look, newWorld, pass, say, type World } from '../../../support/lifecycle-world.ts';

/** One pass of the reconciler, which may be cut off after any number of its actions, before or after it says what it decided. */
function run(world: World, cut: number | undefined): void {
  if (world.tenantCluster === undefined) return;
  const decision = decide(look(world));
  if (cut === 0) return;
  say(world, decision);
  decision.actions.slice(0, cut === undefined ? undefined : cut - 1).forEach((action) => {
    act(world, action);
  });
}

/** Passes that are not cut off, until nothing is left to be done. */
function settle(world: World, after: () => void = () => undefined): void {
  for (let left = 60; left > 0; left -= 1) {
    if (world.tenantCluster === undefined) return;
    const { actions, ready } = decide(look(world));
    if (actions.length === 0 && ready.status === 'True') return;
    run(world, undefined);
    pass(world);
    after();
  }
}

function edit(world: World, spec: Record<string, string>): void {
  const object = objectAt(world.tenantCluster, 'spec');
  if (object !== undefined) Object.assign(object, spec);
}

const CUTS = fc.array(fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }), { minLength: 1, maxLength: 12 });

describe('a lifecycle that is cut off anywhere', () => {
  test('is taken up again until the tenant is ready, with the first authorities and the first token', () => {
    fc.assert(
      fc.property(CUTS, (cuts) => {
        const world = newWorld();
        for (const cut of cuts) {
          run(world, cut);
          pass(world);
        }
        settle(world);
        const { ready, phase } = decide(look(world));
        expect([ready.status, phase]).toEqual(['True', 'Ready']);
        expect([world.authoritiesMade.length, world.tokensMade]).toEqual([1, 1]);
        expect(world.kubeconfig?.authorities).toBe(world.authorities);
      }),
    );
  });

  test('is upgraded one minor version at a time, and never runs an older one', () => {
    fc.assert(
      fc.property(CUTS, (cuts) => {
        const world = newWorld({ kubernetesVersion: '1.33' });
        settle(world);
        const ran: string[] = [];
        const note = (): void => {
          if (world.pod?.ready === true && ran.at(-1) !== world.pod.version) ran.push(world.pod.version);
        };
        note();
        edit(world, { kubernetesVersion: '1.36' });
        for (const cut of cuts) {
          run(world, cut);
          pass(world);
          note();
        }
        settle(world, note);
        expect(ran).toEqual(['1.33.1', '1.34.2', '1.35.0', '1.36.1']);
        expect(world.authoritiesMade).toHaveLength(1);
      }),
    );
  });

  test('is taken down to the last object, whenever it is deleted', () => {
    fc.assert(
      fc.property(CUTS, CUTS, (before, after) => {
        const world = newWorld();
        const deleted = (): void => {
          const metadata = objectAt(world.tenantCluster, 'metadata');
          if (metadata !== undefined) metadata['deletionTimestamp'] = '2026-03-01T12:30:00Z';
          // without a finalizer the API server itself takes it away
          if (Array.isArray(metadata?.['finalizers']) && metadata['finalizers'].length === 0) world.tenantCluster = undefined;
        };
        for (const cut of before) {
          run(world, cut);
          pass(world);
        }
        deleted();
        for (const cut of after) {
          run(world, cut);
          pass(world);
        }
        settle(world);
        expect([world.tenantCluster, world.authorities, world.token, world.kubeconfig, world.claim, [...world.objects.keys()]]).toEqual([
          undefined,
          undefined,
          false,
          undefined,
          undefined,
          [],
        ]);
      }),
    );
  });
});
