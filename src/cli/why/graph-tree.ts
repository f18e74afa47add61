import type { AnswerGraph, TreeNode } from '../../report/answer/answer.ts';

/** A graph as trees: from what nothing leads to, down; what several lead to stands below each of them. */
export function graphTree({ nodes, edges }: AnswerGraph): readonly TreeNode[] {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const below = new Map<string, AnswerGraph['edges'][number][]>();
  for (const edge of edges) below.set(edge.from, [...(below.get(edge.from) ?? []), edge]);
  const led = new Set(edges.map(({ to }) => to));
  const node = (id: string, because: string | undefined, above: readonly string[]): TreeNode => ({
    text: `${labels.get(id) ?? id}${because === undefined || because === '' ? '' : `  (${because})`}`,
    children: (below.get(id) ?? []).filter(({ to }) => !above.includes(to)).map(({ to, label }) => node(to, label, [...above, id])),
  });
  return nodes.filter(({ id }) => !led.has(id)).map(({ id }) => node(id, undefined, []));
}
