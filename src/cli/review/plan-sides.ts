import { plan } from '../../core/plan/plan.ts';
import type { Observation, Plan, PreviousObject, RenderConfig } from '../../core/plan/plan-types.ts';
import { configurationAlone } from '../../core/review/between.ts';
import type { Review } from '../../core/review/review.ts';
import { review, treeOf } from '../../core/review/review-plans.ts';
import { type PlanInput, type Sides, tenantId } from '../../core/review/sides.ts';
import { looksOurs } from '../package/looks-ours.ts';
import type { LoadedPackage } from '../render/load-package.ts';
import { PLATFORM } from '../render/load-package.ts';
import { previousTree } from '../render/previous-tree.ts';
import type { LoadedSide } from './load-side.ts';
import { withLines } from './review-lines.ts';

/** A side, and the config that it is rendered with. */
export interface SideToPlan extends LoadedSide {
  readonly config: RenderConfig;
}

export interface ReviewedSides {
  readonly review: Review;
  /** `namespace/name` of the tenants of both sides */
  readonly tenants: readonly string[];
}

/** Plans both sides with this one planner, in memory and without the text of any object, the second upon the tree of the first, and reviews them. */
export async function reviewSides({ before, after }: Sides<SideToPlan>): Promise<ReviewedSides> {
  const committed = before.loaded.hostExists ? standing(before.loaded) : undefined;
  const old = { ...inputOf(before), ...(committed !== undefined && { tree: committed }) };
  const was = plan({ ...observation(before), ...(committed !== undefined && { previous: committed }) });
  const now = inputOf(after);
  const observed = { ...observation(after), previous: treeOf(was, old) };
  const is = plan(observed);
  const configured = (only: ReadonlySet<string> | undefined): Plan => plan(configurationAlone(before.loaded.inputs, observed, is, only));
  const found = review(was, is, { before: old, after: now }, configured);
  const tenants = [...new Set([was, is].flatMap((plan) => plan.tenants.map(tenantId)))].sort();
  return { review: await withLines(found, { before: before.loaded, after: after.loaded }), tenants };
}

/**
 * The tree that the side before was committed with, for what only it knows: who holds an Ingress host, what is somebody else's,
 * what a frozen tenant had. Whether it is up to date is no question here, so a file of ours counts as the planned one.
 */
function standing({ host }: LoadedPackage): readonly PreviousObject[] {
  return previousTree(host).map((entry) => ({
    source: entry.source,
    get object() {
      return entry.object;
    },
    get broken() {
      return entry.broken === true;
    },
    matches: () => looksOurs(host.get(entry.source.path) ?? ''),
  }));
}

function inputOf({ label, commit, loaded, config }: SideToPlan): PlanInput {
  return { label, ...(commit !== undefined && { commit }), inputs: loaded.inputs, unreadable: loaded.findings, config };
}

/** A package that is gone is rendered no more, so no guard holds what its tree loses. */
const UNGUARDED: Pick<RenderConfig, 'allowEmpty' | 'maxDeletions'> = { allowEmpty: true, maxDeletions: Number.POSITIVE_INFINITY };

function observation({ loaded, config, lacks }: SideToPlan): Observation {
  return {
    inputs: loaded.inputs,
    unreadable: loaded.findings,
    config: lacks !== true ? config : { ...config, ...UNGUARDED },
    foreign: ({ path }) => path.startsWith(PLATFORM),
    keepFields: false,
  };
}
