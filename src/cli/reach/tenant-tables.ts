import type { Pair } from '../../core/reach/pairs.ts';
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
  const names = (tenants: readonly (string | undefined)[]): string => [...new Set(tenants)].map(label).sort().join(', ') || 'none';
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
    if (passing.length === 0) return 'no';
    return passing.every(({ admitted }) => admitted.length === 0) ? '?' : `${passing.length} of ${from.targets.length * to.targets.length}`;
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

/** How many of the pairs pass, in words. */
function share(pairs: readonly Pair[]): string {
  const open = pairs.filter(({ admitted }) => admitted.length > 0).length;
  const unknown = pairs.filter(({ admitted, undecided }) => admitted.length === 0 && undecided.length > 0).length;
  if (open === pairs.length) return pairs.length === 0 ? '' : 'yes';
  if (open + unknown === 0) return 'no';
  return open === 0 ? '?' : `${open} of ${pairs.length}`;
}
