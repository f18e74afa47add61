import type { JsonObject } from '../../core/kube/json.ts';
import { type Pair, pairOf, pairsAcross, passes, portsOf } from '../../core/reach/pairs.ts';
import type { Answer, AnswerTable, TreeNode } from '../../report/answer/answer.ts';
import { tenantId } from '../../report/tally.ts';
import { plural } from '../../report/text.ts';
import type { Atlas } from './atlas.ts';
import { targetOf } from './find-place.ts';
import { KEYWORDS } from './keywords.ts';
import type { Place } from './target.ts';
import { cell, gateways, insideTenant, legend } from './tenant-matrix.ts';
import { tenantTables } from './tenant-tables.ts';

export interface MatrixQuestion {
  /** whom the question is about; everybody where undefined */
  readonly from?: Place;
  /** of one tenant alone, where given */
  readonly tenant?: string;
  /** tenants, not workloads */
  readonly tenants: boolean;
}

/** Who can reach whom, by the policies that are rendered. */
export function matrixAnswer(atlas: Atlas, question: MatrixQuestion): Answer {
  const asked = question.from === undefined ? everybody(atlas, question) : one(atlas, question.from);
  const { tables, pairs, title } = asked;
  const items = pairs.map(pairDocument);
  return {
    kind: 'ReachMatrix',
    title,
    document: {
      enforcement: atlas.world.enforcement ?? 'unknown',
      stoppedAreLeftOut: true,
      pairs: items,
    },
    items,
    tables: [...tables, factTable([...asked.facts, ['NetworkPolicies', enforcementWords(atlas)], ...legend(tables)])],
    trees: tables.map(tableTree),
    graph: {
      nodes: [...new Map(pairs.flatMap(({ from, to }) => [from, to]).map((party) => [party.name, party])).values()].map((party) => ({
        id: party.name,
        label: party.name,
        group: party.tenant ?? '',
      })),
      edges: pairs.map((pair) => ({
        from: pair.from.name,
        to: pair.to.name,
        label: [...portsOf(pair, 'yes'), ...portsOf(pair, 'yes?', '?').map((port) => `${port}?`)].join(', '),
      })),
    },
    issues: [],
  };
}

interface Asked {
  readonly title: string;
  readonly tables: readonly AnswerTable[];
  /** those that pass, or may */
  readonly pairs: readonly Pair[];
  readonly facts: readonly (readonly [string, string])[];
}

function everybody(atlas: Atlas, { tenant: only, tenants: byTenant }: MatrixQuestion): Asked {
  const { world } = atlas;
  const targets = world.workloads.map((workload) => targetOf(workload, atlas));
  const across = pairsAcross(world, targets);
  const inside = atlas.tenants
    .map((tenant) => tenantId(tenant))
    .filter((id) => only === undefined || id === only)
    .map((tenant) =>
      insideTenant(
        atlas,
        tenant,
        targets.filter((target) => target.tenant === tenant),
      ),
    );
  const outward = across.pairs.filter(({ from, to }) => only === undefined || from.tenant === only || to.tenant === only);
  const pairs = [...inside.flatMap(({ pairs }) => pairs.filter(passes)), ...outward];
  const facts = [[`${plural(across.count, 'pair')} of workloads of different tenants`, acrossWords(outward.length, atlas)]] as const;
  if (byTenant) return { title: 'tenants that can reach each other', tables: tenantTables(inside, outward, atlas), pairs, facts };
  const crossing: AnswerTable = {
    title: 'across tenants',
    columns: [{ name: 'from' }, { name: 'to' }, { name: 'ports' }],
    rows: outward.map((pair) => ({ cells: [pair.from.name, pair.to.name, cell(pair)] })),
  };
  const tables = inside.filter(({ targets }) => targets.length > 0).map(({ table }) => table);
  return { title: 'who can reach whom', tables: [...tables, ...(outward.length === 0 ? [] : [crossing])], pairs, facts };
}

function one(atlas: Atlas, place: Place): Asked {
  const everyone = atlas.world.workloads.map((workload) => targetOf(workload, atlas));
  const ends = new Set(place.targets.map(({ end }) => end));
  const others = everyone.filter(({ end }) => !ends.has(end) || place.targets.length > 1);
  const [first] = place.targets;
  const named = Object.values(KEYWORDS).flatMap((keyword) => keyword(atlas, first?.tenant) ?? []);
  const beside = [
    ...new Map(named.map((target) => [target.name, target])).values(),
    ...(first?.tenant === undefined ? [] : gateways(atlas, first.tenant)),
  ];
  const out = place.targets.flatMap((from) => [...others, ...beside].map((to) => pairOf(atlas.world, from, to)));
  const into = place.targets.flatMap((to) => [...others, ...beside].map((from) => pairOf(atlas.world, from, to)));
  const table = (title: string, pairs: readonly Pair[], other: (pair: Pair) => string): AnswerTable => {
    const passing = pairs.filter(passes);
    return {
      title: `${title}: ${passing.length} of ${pairs.length}`,
      columns: [{ name: 'end' }, { name: 'ports' }],
      rows: passing.map((pair) => ({ cells: [other(pair), cell(pair)], sign: portsOf(pair, 'yes').length > 0 ? '+' : '?' })),
    };
  };
  const several = place.targets.length > 1;
  return {
    title: `whom ${place.name} can reach, and who can reach it`,
    tables: [
      table(`${place.name} reaches`, out, ({ from, to }) => (several ? `${from.name} -> ${to.name}` : to.name)),
      table(`${place.name} is reached by`, into, ({ from, to }) => (several ? `${from.name} -> ${to.name}` : from.name)),
    ],
    pairs: [...out, ...into].filter(passes),
    facts: [],
  };
}

function acrossWords(count: number, { world }: Atlas): string {
  if (world.enforcement === 'ignored') return 'all can reach each other';
  const words = `${count === 0 ? 'none' : count} can reach each other`;
  return world.enforcement === undefined ? `${words}, where the host enforces the policies` : words;
}

function pairDocument(pair: Pair): JsonObject {
  return {
    from: pair.from.name,
    to: pair.to.name,
    admitted: [...portsOf(pair, 'yes')],
    undecided: [...portsOf(pair, 'yes?', '?', 'no?')],
    stopped: [...portsOf(pair, 'no')],
    byPolicies: {
      admitted: [...portsOf(pair, 'yes', 'yes?')],
      undecided: [...portsOf(pair, '?')],
      stopped: [...portsOf(pair, 'no', 'no?')],
    },
  };
}

function factTable(facts: readonly (readonly [string, string])[]): AnswerTable {
  return { columns: [{ name: 'fact' }, { name: 'value' }], rows: facts.map((cells) => ({ cells })) };
}

const ENFORCEMENT = {
  enforced: 'enforced on the host, by its HostFacts',
  ignored: 'ignored on the host, by its HostFacts: everybody can reach everybody',
  unknown: 'whether the host enforces them, no HostFacts says',
} as const;

function enforcementWords({ world }: Atlas): string {
  return ENFORCEMENT[world.enforcement ?? 'unknown'];
}

function tableTree({ title = '', columns, rows }: AnswerTable): TreeNode {
  const first = columns.findIndex(({ name }) => name !== '');
  const names = new Map(rows.map(({ cells }) => [cells[0], cells[first]]));
  return {
    text: title,
    children: rows.map(({ cells }) => ({
      text: cells[first] ?? '',
      children: cells.flatMap((text, index) => {
        const { name = '' } = columns[index] ?? {};
        return index <= first || text === '' ? [] : [{ text: `${(first > 0 && names.get(name)) || name}: ${text}`, children: [] }];
      }),
    })),
  };
}
