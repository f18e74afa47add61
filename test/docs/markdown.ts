import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT: string = join(import.meta.dirname, '../..');

/** Every page that people read: README and CONTRIBUTING, docs/, and the READMEs of examples and functions. */
export function pages(): readonly string[] {
  const readmes = ['examples', 'functions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|[\\/])README\.md$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  const top = readdirSync(ROOT).filter((name) => ['README.md', 'CONTRIBUTING.md'].includes(name));
  const docs = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return [...top, ...docs, ...readmes].sort();
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** A fenced block: the words behind the fence, its lines, and where it begins. */
export interface Block {
  readonly language: string;
  readonly info: string;
  readonly lines: readonly string[];
  readonly line: number;
}

export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { language: string; info: string; lines: string[]; line: number; fence: string } | undefined;
  text.split('\n').forEach((line, index) => {
    const fence = /^(```+)(\S*)\s*(.*)$/.exec(line);
    if (open !== undefined && line === open.fence) {
      blocks.push(open);
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (fence !== null) open = { fence: fence[1] ?? '', language: fence[2] ?? '', info: fence[3] ?? '', lines: [], line: index + 1 };
  });
  return blocks;
}

/** Rows of the Markdown tables in a text, as cells without backticks around them. */
export function tableRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[-| :]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}

/** The first code span of a cell, or the cell itself. */
export function code(cell: string | undefined): string {
  return /^`([^`]*)`/.exec(cell ?? '')?.[1] ?? cell ?? '';
}
