// Bundles the command, the functions and the library into dist/. Usage: node build.mjs [--no-types] [--out DIR]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));
const { values: flags } = parseArgs({ options: { 'no-types': { type: 'boolean' }, out: { type: 'string', default: join(root, 'dist') } } });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const COMMANDS = { tenantplane: 'src/cli/main.ts', 'tenantplane-fn': 'functions/tenantplane-fn.ts' };
const COMPILER = 'compile-functions';
const LIBRARIES = { index: 'src/index.ts', 'kpt-functions': 'src/krm/kpt-functions.ts' };

rmSync(flags.out, { recursive: true, force: true });
const common = {
  absWorkingDir: root,
  outdir: flags.out,
  bundle: true,
  platform: 'node',
  // its CommonJS build, which Node would take, has no named exports once it is bundled and imported lazily
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  target: 'node20',
  // names stay, so that a stack trace of the shipped file can be read
  minifyWhitespace: true,
  minifySyntax: true,
  define: { 'process.env.TENANTPLANE_VERSION': JSON.stringify(version) },
  external: ['kpt-functions'],
  metafile: true,
  logLevel: 'warning',
};
const modules = await build({
  ...common,
  entryPoints: { ...COMMANDS, ...LIBRARIES, [COMPILER]: 'functions/compile.ts' },
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  format: 'esm',
  charset: 'utf8',
  // bundled libraries that are CommonJS reach Node's own modules through require
  banner: { js: `import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);` },
});
// the functions are one script, of which V8 keeps what it compiled (src/krm/compiled-functions.ts); ASCII, so that a character is a byte
const script = await build({
  ...common,
  entryPoints: { functions: 'functions/main.ts' },
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  charset: 'ascii',
});
compileFunctions(join(flags.out, `${COMPILER}.mjs`));

for (const name of Object.keys(COMMANDS)) {
  const file = join(flags.out, `${name}.mjs`);
  writeFileSync(file, `#!/usr/bin/env node\n${readFileSync(file, 'utf8').replace(/^#!.*\n/, '')}`, { mode: 0o755 });
}
writeFileSync(
  join(flags.out, 'third-party-licenses.txt'),
  thirdPartyLicenses(Object.keys({ ...modules.metafile.inputs, ...script.metafile.inputs })),
);

if (!flags['no-types']) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(flags.out, 'types')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}

/** Runs a function on its example, so that the cache holds what a run needs. */
function compileFunctions(compiler) {
  const folder = join(root, 'functions/render-tenant/example');
  const files = readdirSync(folder, { recursive: true }).filter((path) => /^(platform|tenants)\/.*\.yaml$/.test(path));
  const items = files.flatMap((path) =>
    readFileSync(join(folder, path), 'utf8')
      .replaceAll(/^metadata:\n(?: {2}name: .*\n)/gm, `$&  annotations: {config.kubernetes.io/path: ${path}}\n`)
      .split(/^---\n/m),
  );
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.map((text) => `- ${text.trim().replaceAll('\n', '\n  ')}\n`).join('')}`;
  const { status } = spawnSync(process.execPath, [compiler], {
    input: list,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the functions fail on ${folder}`);
  rmSync(compiler);
}

/** Their licences ask that the text goes with each copy, and a bundle is a copy. */
function thirdPartyLicenses(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(relative(root, join(root, input)).replaceAll('\\', '/'));
    if (match !== null) packages.add(match[1]);
  }
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].find((candidate) => existsSync(join(root, folder, candidate)));
    if (file === undefined) throw new Error(`${name} ships no licence text: it cannot be bundled`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
