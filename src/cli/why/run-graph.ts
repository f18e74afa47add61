import { type Found, findSubjects } from '../../core/explain/find-subjects.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import type { Answer, AnswerGraph } from '../../report/answer/answer.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { CliContext, CliIo, SharedFlags } from '../io.ts';
import { type AskFlags, ask, clusterNamed, tellMade } from './ask.ts';
import { issuesOfFound, placedFound } from './decision-issues.ts';
import { graphTree } from './graph-tree.ts';
import { lineage } from './lineage.ts';
import { notFound } from './not-found.ts';
import { type Cluster, type OpenPackage, openPackage, type PackageFlags } from './open-package.ts';
import { type PlanPart, planPart } from './plan-part.ts';
import { type Reference, referenceTitle } from './read-reference.ts';
import { withStanding } from './standing-objects.ts';
import { whyEntry } from './why-entry.ts';
import { whyStyle } from './why-style.ts';
import { joined } from './why-text.ts';

export interface GraphFlags extends PackageFlags, AskFlags, AnswerFlags, SharedFlags {
  readonly reference: Reference;
}

/** Draws where host objects come from: of a tenant, of one object, or which rules the fleet's tenants have. @returns the exit code */
export async function runGraph(flags: GraphFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const open = await openPackage(flags, io.signal);
  const { graph, found, title, part } = await drawn(open, flags, io);
  const style = await placedFound(found, part, whyStyle(flags, context));
  printAnswer(graphAnswer(title, graph, found), flags, style, io);
  return EXIT.done;
}

interface Drawn {
  readonly title: string;
  readonly graph: AnswerGraph;
  readonly found: readonly Found[];
  readonly part: PlanPart;
}

async function drawn(open: OpenPackage, flags: GraphFlags, io: CliIo): Promise<Drawn> {
  const { reference } = flags;
  const cluster = tenantMeant(open, flags);
  if (cluster !== undefined) {
    const part = await withStanding(await planPart(open, [cluster], io.signal), open);
    return draw(`graph of tenant ${cluster.key}`, findSubjects(part.plan, { tenant: cluster.key }), open, part, flags);
  }
  if (reference.file === undefined && reference.words.length === 0) {
    needNoNamespace(flags);
    const part = await planPart(open, undefined, io.signal);
    return { title: 'graph of all tenants', graph: fleetGraph(part.plan.tenants), found: [], part };
  }
  const asked = await ask(open, reference, flags, io.signal);
  const { found, part } = asked;
  tellMade(asked, flags, io);
  if (found.length === 0) throw notFound(asked, open, io.cwd);
  return draw(`graph of ${referenceTitle(reference)}`, found, open, part, flags);
}

async function draw(title: string, found: readonly Found[], open: OpenPackage, part: PlanPart, flags: GraphFlags): Promise<Drawn> {
  const entries = [];
  for (const one of found) entries.push(await whyEntry(one, open, part, { ...flags, git: false }));
  return { title, found, part, graph: lineage(entries) };
}

/** A word alone is a tenant where one has that name; beside an object, --tenant says whose that is. */
function tenantMeant(open: OpenPackage, { reference, tenant }: GraphFlags): Cluster | undefined {
  const [word, second] = reference.words;
  if (reference.file !== undefined || second !== undefined) return undefined;
  if (word === undefined) return tenant === undefined ? undefined : clusterNamed(open, tenant);
  return open.clusters.find(({ key, name }) => key === word || name === word);
}

/** All tenants in answer to a question about one namespace would be no answer. */
function needNoNamespace({ namespace, virtualNamespace }: GraphFlags): void {
  const [flag, value] = namespace === undefined ? ['--virtual-namespace', virtualNamespace] : ['--namespace', namespace];
  if (value === undefined) return;
  throw new TenantplaneError('usage', `${flag} ${value} says where an object is, and none is named.`, {
    hint: 'Name it, as KIND/NAME, or a tenant (--tenant).',
  });
}

function fleetGraph(tenants: readonly TenantPlan[]): AnswerGraph {
  const nodes = new Map<string, AnswerGraph['nodes'][number]>();
  const edges: AnswerGraph['edges'][number][] = [];
  for (const tenant of tenants) {
    const id = `tenant:${tenant.namespace}/${tenant.name}`;
    nodes.set(id, { id, label: `${tenant.namespace}/${tenant.name}`, group: 'tenant' });
    for (const [group, label] of [
      ['profile', `IsolationProfile/${tenant.profile}`],
      ['rule', `SyncPolicy/${tenant.policy}`],
    ] as const) {
      nodes.set(`${group}:${label}`, { id: `${group}:${label}`, label, group });
      edges.push({ from: `${group}:${label}`, to: id });
    }
  }
  return { nodes: [...nodes.values()], edges };
}

function graphAnswer(title: string, graph: AnswerGraph, found: readonly Found[]): Answer {
  const labels = new Map(graph.nodes.map(({ id, label }) => [id, label]));
  const edges = graph.edges.map(({ from, to, label }) => ({
    from: labels.get(from) ?? from,
    to: labels.get(to) ?? to,
    label: label ?? '',
  }));
  return {
    kind: 'GraphReport',
    title,
    document: { nodes: graph.nodes.map((node) => ({ ...node })), edges: graph.edges.map((edge) => ({ ...edge })) },
    items: graph.edges.map((edge) => ({ ...edge })),
    tables: [
      {
        columns: [{ name: 'from' }, { name: 'to' }, { name: 'because' }],
        rows: edges.map(({ from, to, label }) => ({ cells: [from, to, label || '-'] })),
      },
    ],
    trees: graphTree(graph),
    graph,
    issues: issuesOfFound(found),
    text: () => joined(edges.map(({ from, to, label }) => `${from} -> ${to}${label === '' ? '' : `  (${label})`}`)),
  };
}
