import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METADATA_LIMIT } from '../../../src/core/checks/metadata-checks.ts';
import { KEY } from '../../../src/core/identity/metadata.ts';
import { kindOf, labelsOf, nameOf } from '../../../src/core/kube/object.ts';
import { ADMISSION_CASES } from '../../support/admission-cases/all.ts';
import { namespaceOf, POLICIES, PROFILE_NAMES, requestOf } from '../../support/admission-cases/evaluate.ts';
import type { AdmissionRequest } from '../../support/admission-policy.ts';
import { ROOT } from '../workspace.ts';
import { type Cost, costs } from './admission-cost.ts';
import { GROWING, LARGEST, LARGEST_NAMESPACE, largestPolicies, requestsFor } from './largest.ts';

const PAGE = join(ROOT, 'docs/isolation.md');
const FLEET = [...POLICIES, ...largestPolicies()];
const NAMES = FLEET.map(({ object }) => object).flatMap((object) =>
  kindOf(object) === 'ValidatingAdmissionPolicy' ? [nameOf(object)] : [],
);
const REQUESTS = [
  ...ADMISSION_CASES.map(requestOf).flatMap(inEveryProfile),
  ...LARGEST.flatMap((object) => Object.values(requestsFor(object)).flat()),
];

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** What is counted does not depend on time; on a busy machine it takes many minutes. */
const PATIENCE = 900_000;

describe('what admission costs the API server', () => {
  it(
    'is below each of its limits, for every policy and every object of the cases and larger ones',
    async () => {
      const all = await costs(FLEET, REQUESTS);
      expect([...new Set(all.map(({ policy }) => policy))].sort()).toEqual([...NAMES].sort());
      for (const cost of all) {
        expect(cost.errors, cost.policy).toEqual([]);
        expect(cost.dearest, cost.policy).toBeLessThan(cost.limits.expression);
        expect(Math.max(cost.validations, cost.annotations), cost.policy).toBeLessThan(cost.limits.policy);
        expect(cost.matchConditions, cost.policy).toBeLessThan(cost.limits.matchConditions);
      }
      agrees('costs', table(all));
    },
    PATIENCE,
  );

  it('refuses no object that anybody has', { tags: 'release', timeout: PATIENCE }, async () => {
    const rows: string[] = [];
    for (const [what, make] of Object.entries(GROWING)) {
      const [made = 0, changed = 0] = await Promise.all(
        (['made', 'changed'] as const).map((when) =>
          largest(async (count) => {
            const all = await costs(FLEET, requestsFor(make(count))[when]);
            return all.every(({ errors, refused }) => errors.length === 0 && !refused);
          }),
        ),
      );
      expect(made, what).toBeGreaterThanOrEqual(/labels|annotations/.test(what) ? METADATA_LIMIT : 300);
      // Else an object could be made that nobody may change, its controllers neither.
      expect(changed, what).toBeGreaterThanOrEqual(made);
      rows.push(`| ${what} | ${most(made)} | ${most(changed)} |`);
    }
    agrees('sizes', ['| number of | let in when made | when changed |', '|---|---|---|', ...rows].join('\n'));
  });
});

/** The same request at every level; what is not a tenant's stays where it is. */
function inEveryProfile(request: AdmissionRequest): AdmissionRequest[] {
  if (request.namespace === undefined || labelsOf(request.namespace).get(KEY.role) !== 'workload') return [request];
  return [...PROFILE_NAMES.map((name) => namespaceOf('workload', name)), LARGEST_NAMESPACE].map((namespace) => ({ ...request, namespace }));
}

/** Nobody has more. */
const MOST = 5000;
const SIZES = [...DIGITS.map((digit) => digit * 100), ...DIGITS.map((digit) => digit * 1000)].filter((size) => size <= MOST);

function most(count: number): string {
  return `${count === MOST ? 'at least ' : ''}${figure(count)}`;
}

/** To one figure: 100, 200, …, 1,000, 2,000. */
async function largest(fits: (count: number) => Promise<boolean>): Promise<number> {
  if (await fits(MOST)) return MOST;
  let [low, high] = [0, SIZES.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await fits(SIZES[middle] ?? MOST)) low = middle;
    else high = middle;
  }
  return SIZES[low] ?? 0;
}

/** A row for each kind of policy: the profiles' differ by their lists alone. */
function table(all: readonly Cost[]): string {
  const kinds = [...new Set(all.map(kindOfPolicy))].sort();
  const rows = kinds.map((kind) => {
    const own = all.filter((cost) => kindOfPolicy(cost) === kind);
    const most = (of: (cost: Cost) => number): string => figure(Math.max(...own.map(of)));
    return `| \`…-${kind}\` | ${most(({ dearest }) => dearest)} | ${most(({ validations }) => validations)} | ${most(({ annotations }) => annotations)} |`;
  });
  const [{ limits } = { limits: { expression: 0, policy: 0 } }] = all;
  return [
    '| policy | dearest rule | rules and messages | audit annotations |',
    '|---|---|---|---|',
    ...rows,
    `| limit | ${figure(limits.expression)} | ${figure(limits.policy)} | ${figure(limits.policy)} |`,
  ].join('\n');
}

function figure(value: number): string {
  return value.toLocaleString('en');
}

function kindOfPolicy({ policy }: Cost): string {
  return policy.slice(policy.lastIndexOf('-') + 1);
}

/** The page has what was measured, between marks of that name. */
function agrees(name: string, measured: string): void {
  const block = new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(\\n<!-- /${name} -->)`);
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(
      PAGE,
      readFileSync(PAGE, 'utf8').replace(block, (_, open: string, __, end: string) => `${open}${measured}${end}`),
    );
  expect(block.exec(readFileSync(PAGE, 'utf8'))?.[2]).toBe(measured);
}
