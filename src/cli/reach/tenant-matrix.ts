import { type Pair, pairOf, passes } from '../../core/reach/pairs.ts';
import type { AnswerRow, AnswerTable } from '../../report/answer/answer.ts';
import { tenantId } from '../../report/tally.ts';
import type { Atlas } from './atlas.ts';
import { hostNamespaceNamed, KEYWORDS } from './keywords.ts';
import type { Target } from './target.ts';

/** Past so many workloads a table cannot be read, and a list is. */
const WIDEST = 15;
/** Ends beside the tenant's own that each workload is asked about. */
const BESIDE = ['dns', 'control-plane', 'internet'] as const;

export interface InsideTenant {
  readonly tenant: string;
  readonly table: AnswerTable;
  readonly pairs: readonly Pair[];
  readonly targets: readonly Target[];
}

/** Workloads by workloads of one tenant, with those beside it that they call and are called by. */
export function insideTenant(atlas: Atlas, tenant: string, targets: readonly Target[]): InsideTenant {
  const beside = BESIDE.map((word) => KEYWORDS[word](atlas, tenant) ?? []);
  const callers = [...(KEYWORDS.internet(atlas, tenant) ?? []), ...gateways(atlas, tenant)];
  const { world } = atlas;
  const own = targets.map((from) => targets.map((to) => pairOf(world, from, to)));
  const outward = targets.map((from) => beside.map((ends) => ends.map((to) => pairOf(world, from, to))));
  const inward = callers.map((from) => targets.map((to) => pairOf(world, from, to)));
  const pairs = [...own.flat(), ...outward.flat(2), ...inward.flat()];
  const title = `tenant ${tenant}`;
  if (targets.length > WIDEST)
    return {
      tenant,
      targets,
      pairs,
      table: list(
        title,
        own.map((row, index) => [...row, ...(outward[index] ?? []).flat()]),
      ),
    };
  const number = (index: number): string => String(index + 1);
  return {
    tenant,
    targets,
    pairs,
    table: {
      title,
      columns: [
        { name: '' },
        { name: 'from' },
        ...targets.map((_, index) => ({ name: number(index) })),
        ...BESIDE.map((name) => ({ name })),
      ],
      rows: [
        ...targets.map((from, index): AnswerRow => {
          const cells = [
            ...(own[index] ?? []).map(cell),
            ...(outward[index] ?? []).map((several) => [...new Set(several.map(cell))].join(', ')),
          ];
          return { cells: [number(index), short(from), ...cells] };
        }),
        ...callers.map(
          (from, index): AnswerRow => ({ cells: ['', from.name, ...(inward[index] ?? []).map(cell), ...BESIDE.map(() => '')] }),
        ),
      ],
    },
  };
}

/** Namespaces of the host whose pods may call the tenant. */
export function gateways(atlas: Atlas, tenant: string): readonly Target[] {
  const profile = atlas.profiles.get(atlas.tenants.find((known) => tenantId(known) === tenant)?.profile ?? '');
  return (profile?.allow.gatewayNamespaces ?? []).flatMap((namespace) => hostNamespaceNamed(`ns/${namespace}`, atlas) ?? []);
}

function list(title: string, rows: readonly (readonly Pair[])[]): AnswerTable {
  const names = (pairs: readonly Pair[]): string => pairs.map(({ to }) => short(to)).join(', ');
  return {
    title,
    columns: [{ name: 'from' }, { name: 'reaches' }, { name: 'in part' }, { name: 'not known' }, { name: 'does not reach', wide: true }],
    rows: rows.map((pairs) => ({
      cells: [
        short(pairs[0]?.from),
        names(pairs.filter((pair) => pair.ports.every(({ says }) => says === 'yes'))),
        names(
          pairs.filter(
            (pair) => passes(pair) && pair.ports.some(({ says }) => says === 'yes') && !pair.ports.every(({ says }) => says === 'yes'),
          ),
        ),
        names(pairs.filter((pair) => passes(pair) && pair.ports.every(({ says }) => says !== 'yes'))),
        names(pairs.filter((pair) => !passes(pair))),
      ],
    })),
  };
}

/** What is said of all ports, or those that pass where others do not; `?` marks those that depend on a fact that is missing. */
export function cell(pair: Pair): string {
  const said = [...new Set(pair.ports.map(({ says }) => says))];
  const [only, ...more] = said;
  if (only === undefined) return 'no';
  if (more.length === 0) return only;
  if (!passes(pair)) return 'no?';
  return pair.ports
    .filter(({ says }) => says !== 'no' && says !== 'no?')
    .map(({ port, says }) => (says === 'yes' ? port : `${port}?`))
    .join(', ');
}

const LEGEND: Readonly<Record<string, string>> = {
  'yes?': 'the policies of both ends let it pass; a fact that is missing may say otherwise',
  '?': 'it depends on a fact that is missing; tenantplane reach A B names it',
  'no?': 'the policies stop it; whether the host enforces them is not known',
};

/** What the words of these tables mean, where they are not yes and no. */
export function legend(tables: readonly AnswerTable[]): readonly (readonly [string, string])[] {
  const cells = tables.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  // `TCP 80?`, `1 of 2?`
  const used = new Set(cells.map((cell) => (/\d\?(,|$)/.test(cell) ? '?' : cell)));
  return Object.entries(LEGEND).filter(([word]) => used.has(word));
}

/** Without the tenant, where the title says it. */
function short(party: { readonly name: string } | undefined): string {
  return party?.name.replace(/^[^ ]*?:/, '') ?? '';
}
