import { describe, expect, test } from 'vitest';
import { importsOf, reachable, type SourceFile, sourceFiles, target } from './source-files.ts';

const FILES = sourceFiles('src', 'functions');

/** What each layer may import, itself included: `schema <- core <- krm | kube | report <- reconciler | cli | functions`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  schema: ['schema'],
  core: ['schema', 'core'],
  krm: ['schema', 'core', 'krm'],
  kube: ['schema', 'core', 'kube'],
  report: ['schema', 'core', 'report'],
  reconciler: ['schema', 'core', 'krm', 'kube', 'report', 'reconciler'],
  cli: ['schema', 'core', 'krm', 'kube', 'report', 'reconciler', 'cli'],
  functions: ['schema', 'core', 'krm', 'report', 'functions'],
  index: ['schema', 'core', 'krm', 'report', 'index'],
};

function layer(path: string): string {
  const [top, second] = path.split('/');
  if (top === 'functions') return top;
  return second === undefined || second.endsWith('.ts') ? (second ?? '').replace(/\.ts$/, '') : second;
}

function importsBetweenLayers(files: readonly SourceFile[]): { from: string; file: string; to: string; specifier: string }[] {
  return files.flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const path = target(file, specifier);
      return path === undefined ? [] : [{ from: layer(file.path), file: file.path, to: layer(path), specifier }];
    }),
  );
}

describe('import directions', () => {
  test('the reader sees the project: files, imports, each form of import', () => {
    expect(FILES.length).toBeGreaterThan(60);
    expect(FILES.flatMap((file) => file.imports).length).toBeGreaterThan(200);
    const forms = `import type { A } from './a.ts';\nimport {\n  b,\n} from "./b.ts";\nimport './c.ts';\nexport { d } from './d.ts';
      const e = await import('./e.ts'); // import './no.ts'\n// import './not.ts';\n/* from './nor.ts' */`;
    expect(importsOf(forms).filter((path) => !path.includes('no.'))).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts']);
  });

  test('every file lies in a layer that is known', () => {
    expect([...new Set(FILES.map((file) => layer(file.path)))].filter((name) => MAY_IMPORT[name] === undefined)).toEqual([]);
  });

  test('no import goes against the direction of the layers', () => {
    const wrong = importsBetweenLayers(FILES).filter(({ from, to }) => !(MAY_IMPORT[from] ?? []).includes(to));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  test('a wrong direction is seen', () => {
    const planted: SourceFile = { path: 'src/core/plan/x.ts', text: '', imports: ['../../krm/run.ts'] };
    expect(importsBetweenLayers([planted])).toEqual([{ from: 'core', file: planted.path, to: 'krm', specifier: '../../krm/run.ts' }]);
  });

  test('every relative import names a file that is there', () => {
    const paths = new Set(FILES.map((file) => file.path));
    const missing = FILES.flatMap((file) => file.imports.map((specifier) => ({ file, path: target(file, specifier) })));
    const gone = missing.filter(({ path }) => path !== undefined && !path.endsWith('package.json') && !paths.has(path));
    expect(gone.map(({ file, path }) => `${file.path} -> ${path}`)).toEqual([]);
  });
});

describe('the core is pure', () => {
  const CORE = FILES.filter((file) => ['core', 'schema'].includes(layer(file.path)));

  test('it imports neither Node nor a package, but for the file that hashes', () => {
    const outside = CORE.flatMap((file) => file.imports.filter((specifier) => !specifier.startsWith('.')).map((s) => `${file.path} ${s}`));
    expect(outside).toEqual(['src/core/identity/digest.ts node:crypto']);
  });

  test('it reads no clock, no randomness, no environment, no console, no network', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bconsole\.|\bfetch\(|\bsetTimeout\b|\bperformance\./;
    const found = CORE.filter((file) => impure.test(file.text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/.*$/gm, ' ')));
    expect(found.map((file) => file.path)).toEqual([]);
  });
});

/** What stands at the top of a file, types apart, is loaded with it. */
function loadedBy(text: string): string[] {
  return [...text.matchAll(/^import (?!type\b)[^;]*?from '(.*)';$/gm)].map(([, specifier]) => specifier ?? '');
}

describe('what runs without a cluster never reaches the network', () => {
  const entries = FILES.filter(
    (file) => layer(file.path) === 'functions' || layer(file.path) === 'index' || /^src\/cli\/(commands\/)?render/.test(file.path),
  ).map((file) => file.path);

  test('functions, library and `render` do not import src/kube, at any depth', () => {
    expect(entries.some((path) => path.startsWith('functions/'))).toBe(true);
    expect(entries.some((path) => path.startsWith('src/cli/'))).toBe(true);
    const reached = reachable(entries, FILES);
    expect(reached.size).toBeGreaterThan(40);
    expect([...reached].filter((path) => path.startsWith('src/kube/') || path.startsWith('src/reconciler/'))).toEqual([]);
  });

  test('the command knows the reconciler only where it runs it, or reads what it published', () => {
    const knowing = FILES.filter(
      (file) =>
        layer(file.path) === 'cli' && file.imports.some((specifier) => target(file, specifier)?.startsWith('src/reconciler/') === true),
    ).map((file) => file.path);
    expect(knowing.length).toBeGreaterThan(0);
    expect(knowing.filter((path) => !/^src\/cli\/((reconciler|kubeconfig|up|down)\/|commands\/reconciler\.ts$)/.test(path))).toEqual([]);
  });

  test('what is loaded with every command is none of it', () => {
    const loaded = reachable(
      ['src/cli/program.ts'],
      FILES.map((file) => ({ ...file, imports: loadedBy(file.text) })),
    );
    expect(loaded).toContain('src/cli/commands/reconciler.ts');
    expect(loaded).toContain('src/cli/reconciler/flags.ts');
    expect([...loaded].filter((path) => path.startsWith('src/reconciler/') || path.startsWith('src/kube/'))).toEqual([]);
  });

  test('nothing that they reach imports a module that talks to a network', () => {
    const reached = reachable(entries, FILES);
    const network = /^(node:)?(http|https|http2|net|tls|dgram|dns)$|^undici$|^@kubernetes\//;
    const found = FILES.filter((file) => reached.has(file.path) && file.imports.some((specifier) => network.test(specifier)));
    expect(found.map((file) => file.path)).toEqual([]);
  });
});
