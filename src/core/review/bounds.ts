import { computeHard, countHard, resourcesRequired } from '../isolation/quotas.ts';
import { parseQuantity } from '../kube/quantity.ts';
import type { Judged } from './judged-settings.ts';
import type { IsolationChange } from './review.ts';

type Amounts = Readonly<Record<string, string>>;
type Direction = IsolationChange['direction'];

export interface BoundChange {
  readonly control: string;
  readonly before: string;
  readonly after: string;
  readonly direction: Direction;
}

/** Amounts by name that stand on the host, stated or computed, and which way less of them goes; what is not there bounds nothing. */
interface BoundRow {
  readonly control: string;
  readonly less: 'stronger' | 'weaker';
  of(side: Judged): Amounts;
  /** names whose change another control tells */
  told?(name: string, sides: readonly [Judged, Judged]): boolean;
}

const COMPUTE = /^(requests|limits)\.(cpu|memory)$/;
const limits = (field: 'max' | 'min' | 'maxLimitRequestRatio') => (side: Judged) =>
  resourcesRequired(side) ? side.profile.limits[field] : {};

const ROWS: readonly BoundRow[] = [
  { control: 'resources', less: 'stronger', of: (side) => only(hard(side), (name) => COMPUTE.test(name)), told },
  { control: 'quota', less: 'stronger', of: (side) => only(hard(side), (name) => !COMPUTE.test(name)), told },
  { control: 'limits.max', less: 'stronger', of: limits('max') },
  { control: 'limits.maxLimitRequestRatio', less: 'stronger', of: limits('maxLimitRequestRatio') },
  { control: 'limits.min', less: 'weaker', of: limits('min') },
];

export const BOUND_CONTROLS: readonly string[] = ROWS.map(({ control }) => control);

/** Bounds that differ on the host. One that was computed and is stated now is no new bound. */
export function boundChanges(before: Judged, after: Judged): BoundChange[] {
  return ROWS.flatMap(({ control, less, of, told: isTold }) => {
    const [was, is] = [of(before), of(after)];
    const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .sort()
      .filter((name) => amountOf(was[name]) !== amountOf(is[name]) && isTold?.(name, [before, after]) !== true);
    if (changed.length === 0) return [];
    const directions = changed.map((name) => directionOf(amountOf(was[name]), amountOf(is[name]), less));
    const direction = directions.includes('weaker') ? 'weaker' : 'stronger';
    return [{ control, before: text(was, changed), after: text(is, changed), direction }];
  });
}

function directionOf(was: bigint | undefined, is: bigint | undefined, less: 'stronger' | 'weaker'): Direction {
  if (is === undefined) return 'weaker';
  if (was === undefined) return 'stronger';
  return is < was === (less === 'stronger') ? 'stronger' : 'weaker';
}

/** The hard values of the namespace's quotas; that of our own policies, which follows their number, without it. */
function hard(side: Judged): Amounts {
  return { ...computeHard(side), ...countHard(side, 0) };
}

/** Counts that follow from what a profile allows by name. */
const ALLOWED: ReadonlySet<string> = new Set(['services.loadbalancers', 'services.nodeports', 'count/daemonsets.apps']);

/**
 * Computed on both sides, these say nothing of their own. Sandboxed computes more than restricted does for the virtual machine around
 * each pod, whose overhead is charged to the tenant.
 */
function told(name: string, sides: readonly [Judged, Judged]): boolean {
  if (sides.some((side) => isStated(name, side))) return false;
  const [was, is] = sides.map(({ profile }) => profile.level);
  const required = sides.map(resourcesRequired);
  return ALLOWED.has(name) || (was !== is && (was === 'sandboxed' || is === 'sandboxed')) || required[0] !== required[1];
}

function isStated(name: string, { profile, tenant }: Judged): boolean {
  const resource = name.replace(/^(requests|limits)\./, '');
  const share = resource === 'cpu' || resource === 'memory' ? tenant.resources[resource] : undefined;
  return profile.quota[name] !== undefined || (COMPUTE.test(name) && share !== undefined);
}

function only(amounts: Amounts, wanted: (name: string) => boolean): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => wanted(name)));
}

function amountOf(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : parseQuantity(text);
}

/** `requests.storage=500Gi,pods=200` */
function text(amounts: Amounts, names: readonly string[]): string {
  return names.map((name) => `${name}=${amounts[name] ?? 'unbounded'}`).join(',');
}
