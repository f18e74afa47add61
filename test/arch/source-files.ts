import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** from the root of the repository, with `/` */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** TypeScript files under the given folders of the repository. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => walk(join(ROOT, folder))).map(read);
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return []; // made by a tool, and gone again while we look
    if (entry.isDirectory()) return walk(join(folder, entry.name));
    return entry.name.endsWith('.ts') ? [join(folder, entry.name)] : [];
  });
}

function read(file: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  return { path: relative(ROOT, file).split(sep).join('/'), text, imports: importsOf(text) };
}

// Type-only imports count too: a direction holds for what a file knows, not only for what it runs.
const IMPORT = /(?:^|[\s;])(?:import|export)\s(?:[\w\s{},*$]*?\sfrom\s)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;

export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/^\s*\/\/.*$/gm, ' ');
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}

/** The repository path that a relative import means; undefined for a package or a module of Node. */
export function target(file: SourceFile, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.normalize(posix.join(dirname(file.path), specifier)) : undefined;
}

/** Everything that a file reaches, lazy imports included. */
export function reachable(from: readonly string[], files: readonly SourceFile[]): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const queue = [...from];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const file = byPath.get(path);
    if (seen.has(path) || file === undefined) continue;
    seen.add(path);
    for (const specifier of file.imports) {
      const next = target(file, specifier);
      if (next !== undefined) queue.push(next);
    }
  }
  return seen;
}
