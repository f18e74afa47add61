import { visible } from '../escape.ts';
import type { TreeNode } from './answer.ts';

export function treesText(trees: readonly TreeNode[]): string {
  const lines: string[] = [];
  for (const node of trees) write(node, '', '', lines);
  return lines.join('');
}

function write(node: TreeNode, first: string, rest: string, lines: string[]): void {
  lines.push(`${first}${visible(signedText(node))}\n`);
  node.children.forEach((child, index) => {
    const last = index === node.children.length - 1;
    write(child, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`, lines);
  });
}

export function signedText({ sign, text }: TreeNode): string {
  return sign === undefined ? text : `${sign} ${text}`;
}
