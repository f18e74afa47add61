import type { AnswerGraph } from '../../report/answer/answer.ts';
import type { WhyEntry } from './why-entry.ts';
import { refWords } from './why-text.ts';

type Node = AnswerGraph['nodes'][number];
type Edge = AnswerGraph['edges'][number];

/** From source file over the tenant’s object and what decided to the host object and its file. */
export function lineage(entries: readonly WhyEntry[], hostPrefix = 'host/'): AnswerGraph {
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  const node = (group: string, id: string, label: string): string => {
    const full = `${group}:${id}`;
    nodes.set(full, { id: full, label, group });
    return full;
  };
  const edge = (from: string, to: string, label?: string): void => {
    edges.set(`${from}\n${to}`, { from, to, ...(label !== undefined && { label }) });
  };
  for (const { decision, source, causes } of entries) {
    const tenant = `${decision.tenant.namespace}/${decision.tenant.name}`;
    const own =
      decision.source === undefined ? undefined : node('object', `${tenant}/${refWords(decision.source)}`, refWords(decision.source));
    if (own !== undefined && source !== undefined) edge(node('source', source.path, source.path), own);
    const result = decision.host === undefined ? undefined : node('host', refWords(decision.host), refWords(decision.host));
    const label = `${decision.code} ${decision.reason}`;
    const target = result ?? node('refused', `${tenant}/${label}`, `not on the host: ${label}`);
    if (own !== undefined) edge(own, target, label);
    for (const { text, role } of causes) edge(node(role, text, text), target, own === undefined ? label : undefined);
    if (decision.host !== undefined && decision.action === 'Create')
      edge(target, node('file', decision.host.file, `${hostPrefix}${decision.host.file}`));
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}
