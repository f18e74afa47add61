import type { Pair, Says } from '../../core/reach/pairs.ts';
import type { AnswerTable } from '../../report/answer/answer.ts';
import type { Atlas } from './atlas.ts';
import type { InsideTenant } from './tenant-matrix.ts';

/** Past so many tenants a matrix of them cannot be read; the list of each one's neighbours always can. */
const WIDEST = 12;

/** Tenants by tenants: how many of their pairs of workloads pass. */
export function tenantTables(inside: readonly InsideTenant[], across: readonly Pair[], atlas: Atlas): AnswerTable[] {
  const label = (tenant: string | undefined): string => (tenant === undefined ? '' : atlas.label(tenant));
  const own = (tenant: InsideTenant): readonly Pair[] =>
    tenant.pairs.filter(({ from, to }) => isWorkload(from, tenant) && isWorkload(to, tenant));
  const towards = (tenant: InsideTenant, name: RegExp): readonly Pair[] =>
    tenant.pairs.filter(({ to }) => !isWorkload(to, tenant) && name.test(to.name));
  const from = (tenant: InsideTenant, name: RegExp): readonly Pair[] =>
    tenant.pairs.filter((pair) => !isWorkload(pair.from, tenant) && name.test(pair.from.name));
  const nobody = atlas.world.enforcement === 'ignored' ? 'all' : 'none';
  const names = (tenants: readonly (string | undefined)[]): string => [...new Set(tenants)].map(label).sort().join(', ') || nobody;
  const summary: AnswerTable = {
    title: 'tenants',
    columns: ['tenant', 'itself', 'reaches', 'reached by', 'dns', 'control-plane', 'internet', 'from internet', 'from gateways'].map(
      (name) => ({ name }),
    ),
    rows: inside.map((tenant) => ({
      cells: [
        label(tenant.tenant),
        share(own(tenant)),
        names(across.filter(({ from }) => from.tenant === tenant.tenant).map(({ to }) => to.tenant)),
        names(across.filter(({ to }) => to.tenant === tenant.tenant).map(({ from }) => from.tenant)),
        share(towards(tenant, /dns/)),
        share(towards(tenant, /control-plane/)),
        share(towards(tenant, /^internet$/)),
        share(from(tenant, /^internet$/)),
        share(from(tenant, /^ns\//)),
      ],
    })),
  };
  if (inside.length > WIDEST || inside.length < 2) return [summary];
  const crossing = (from: InsideTenant, to: InsideTenant): string => {
    const passing = across.filter((pair) => pair.from.tenant === from.tenant && pair.to.tenant === to.tenant);
    if (passing.length === 0) return STOPPED[atlas.world.enforcement ?? 'unknown'];
    return passing.every(({ ports }) => ports.every(({ says }) => says !== 'yes'))
      ? '?'
      : `${passing.length} of ${from.targets.length * to.targets.length}`;
  };
  return [
    {
      title: 'pairs of workloads, tenant by tenant',
      columns: [{ name: 'from \\ to' }, ...inside.map(({ tenant }) => ({ name: label(tenant) }))],
      rows: inside.map((from) => ({
        cells: [label(from.tenant), ...inside.map((to) => (from === to ? share(own(from)) : crossing(from, to)))],
      })),
    },
    summary,
  ];
}

function isWorkload(party: Pair['to'], { targets }: InsideTenant): boolean {
  return targets.some(({ name }) => name === party.name);
}

/** What is said of a pair that no policy lets pass. */
const STOPPED = { enforced: 'no', ignored: 'yes', unknown: 'no?' } as const;
const BEST_FIRST: readonly Says[] = ['yes', 'yes?', '?', 'no?', 'no'];

/** How many of the pairs pass, in words. */
function share(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return '';
  const best = pairs.map(({ ports }) => BEST_FIRST.find((word) => ports.some(({ says }) => says === word)) ?? 'no');
  const said = BEST_FIRST.filter((word) => best.includes(word));
  const [first = 'no', ...more] = said;
  if (more.length === 0) return first;
  const open = best.filter((word) => word === 'yes' || word === 'yes?').length;
  if (open === 0) return first === '?' ? '?' : 'no?';
  return `${open} of ${pairs.length}${first === 'yes' ? '' : '?'}`;
}
