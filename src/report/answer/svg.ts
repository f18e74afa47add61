import { Graph, layout } from '@dagrejs/dagre';
import { markupText, visible } from '../escape.ts';
import type { Answer, AnswerGraph } from './answer.ts';
import { graphOf } from './graphs.ts';

const LONGEST = 60;
const CHARACTER = 7.3;
const HEIGHT = 30;
const MARGIN = 10;

interface Point {
  readonly x: number;
  readonly y: number;
}

type NodeBox = AnswerGraph['nodes'][number] & { width: number; height: number } & Partial<Point>;
type EdgeLine = AnswerGraph['edges'][number] & { width: number; height: number; points?: readonly Point[] };

/** The graph drawn from left to right, as a picture that needs nothing else. The same graph has the same bytes. */
export function svgAnswer(answer: Answer): string {
  const drawing = laidOut(graphOf(answer));
  const parts = [...drawing.lines.map(edgeSvg), ...drawing.boxes.map(nodeSvg)];
  const [width, height] = [drawing.width, drawing.height].map((side) => Math.ceil(side + 2 * MARGIN));
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${markupText(answer.title)}</title>
<style>${STYLE}</style>
<defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<g transform="translate(${MARGIN} ${MARGIN})">
${parts.join('\n')}
</g>
</svg>
`;
}

const STYLE = `text{font:12px ui-monospace,monospace;fill:#1b1f24}rect{fill:#fff;stroke:#57606a}path{fill:none;stroke:#57606a}.head{fill:#57606a}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#161b22;stroke:#8b949e}path{stroke:#8b949e}.head{fill:#8b949e}}`;

interface Drawing {
  readonly boxes: readonly NodeBox[];
  readonly lines: readonly EdgeLine[];
  readonly width: number;
  readonly height: number;
}

/** The layout writes each place into the objects that it was given. */
function laidOut({ nodes, edges }: AnswerGraph): Drawing {
  const graph = new Graph<object, NodeBox, EdgeLine>({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 40 });
  const boxes = nodes.map((node): NodeBox => ({ ...node, width: widthOf(node.label) + 16, height: HEIGHT }));
  for (const box of boxes) graph.setNode(box.id, box);
  const known = new Set(nodes.map(({ id }) => id));
  const lines = edges
    .filter(({ from, to }) => known.has(from) && known.has(to))
    .map((edge): EdgeLine => ({ ...edge, width: edge.label === undefined ? 0 : widthOf(edge.label), height: HEIGHT / 2 }));
  lines.forEach((line, index) => {
    graph.setEdge(line.from, line.to, line, String(index));
  });
  if (boxes.length > 0) layout(graph);
  const most = (ends: readonly number[]): number => ends.reduce((a, b) => Math.max(a, b), 0);
  const points = lines.flatMap((line) => line.points ?? []);
  return {
    boxes,
    lines,
    width: Math.max(most(boxes.map(({ x = 0, width }) => x + width / 2)), most(points.map(({ x }) => x))),
    height: Math.max(most(boxes.map(({ y = 0, height }) => y + height / 2)), most(points.map(({ y }) => y))),
  };
}

function nodeSvg({ x = 0, y = 0, width, height, label, group }: NodeBox): string {
  const title = markupText(group === '' ? label : `${group}: ${label}`);
  const box = `<rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${height}" rx="4"/>`;
  return `<g><title>${title}</title>${box}${text({ x, y }, label)}</g>`;
}

function edgeSvg({ points = [], label }: EdgeLine): string {
  const line = points.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L');
  const middle = points[Math.floor(points.length / 2)];
  const path = `<path d="M${line}" marker-end="url(#to)"/>`;
  return label === undefined || middle === undefined ? path : `${path}${text(middle, label)}`;
}

function text({ x, y }: Point, label: string): string {
  return `<text x="${round(x)}" y="${round(y + 4)}" text-anchor="middle">${markupText(short(label))}</text>`;
}

function widthOf(label: string): number {
  return Math.round(short(label).length * CHARACTER);
}

function short(label: string): string {
  const shown = visible(label);
  return shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
