import { dotText, mermaidText } from '../escape.ts';
import type { Answer, AnswerGraph, TreeNode } from './answer.ts';
import { signedText } from './trees.ts';

/** The graph of an answer, or its trees as one. */
export function graphOf({ graph, trees }: Answer): AnswerGraph {
  if (graph !== undefined) return graph;
  const nodes: AnswerGraph['nodes'][number][] = [];
  const edges: AnswerGraph['edges'][number][] = [];
  const add = (node: TreeNode, parent: string | undefined): void => {
    const id = String(nodes.length);
    nodes.push({ id, label: signedText(node), group: '' });
    if (parent !== undefined) edges.push({ from: parent, to: id });
    for (const child of node.children) add(child, id);
  };
  for (const tree of trees) add(tree, undefined);
  return { nodes, edges };
}

/** Nodes by their group, groups in the order in which they are met; the group without a name holds what has none. */
function groupsOf({ nodes }: AnswerGraph): ReadonlyMap<string, readonly AnswerGraph['nodes'][number][]> {
  const groups = new Map<string, AnswerGraph['nodes'][number][]>();
  for (const node of nodes) {
    const group = groups.get(node.group) ?? [];
    group.push(node);
    groups.set(node.group, group);
  }
  return groups;
}

/** Ids that no text of a tenant is part of. An edge to a node that is not there is none. */
function numbered(graph: AnswerGraph): { id: (name: string) => string; edges: AnswerGraph['edges'] } {
  const ids = new Map(graph.nodes.map(({ id }, index) => [id, `n${index}`]));
  return { id: (name) => ids.get(name) ?? '', edges: graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

/** Graphviz. */
export function dotAnswer(answer: Answer): string {
  const graph = graphOf(answer);
  const { id, edges } = numbered(graph);
  const lines = [`digraph ${dotText(answer.title)} {`, '  rankdir=LR;', '  node [shape=box];'];
  [...groupsOf(graph)].forEach(([group, nodes], index) => {
    const inside = nodes.map((node) => `${group === '' ? '  ' : '    '}${id(node.id)} [label=${dotText(node.label)}];`);
    if (group === '') lines.push(...inside);
    else lines.push(`  subgraph cluster_${index} {`, `    label=${dotText(group)};`, ...inside, '  }');
  });
  for (const { from, to, label } of edges) {
    lines.push(`  ${id(from)} -> ${id(to)}${label === undefined ? '' : ` [label=${dotText(label)}]`};`);
  }
  return `${lines.join('\n')}\n}\n`;
}

/** Mermaid, which GitHub and GitLab draw in a fence of that name. */
export function mermaidAnswer(answer: Answer): string {
  const graph = graphOf(answer);
  const { id, edges } = numbered(graph);
  const lines = ['flowchart LR'];
  [...groupsOf(graph)].forEach(([group, nodes], index) => {
    const inside = nodes.map((node) => `${group === '' ? '  ' : '    '}${id(node.id)}[${mermaidText(node.label)}]`);
    if (group === '') lines.push(...inside);
    else lines.push(`  subgraph g${index} [${mermaidText(group)}]`, ...inside, '  end');
  });
  for (const { from, to, label } of edges) lines.push(`  ${id(from)} -->${label === undefined ? '' : `|${mermaidText(label)}|`} ${id(to)}`);
  return `${lines.join('\n')}\n`;
}
