import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAll } from 'js-yaml';
import { expect, inject, onTestFinished } from 'vitest';

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that is gone after the test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-e2e-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of an example's sources, without what was rendered from them. */
export function copyPackage(path: string): string {
  return copyTo(scratch(), path);
}

function copyTo(place: string, path: string): string {
  const folder = join(place, 'package');
  const source = join(ROOT, path);
  const rendered = /^(host|\.expected|decisions\.[a-z]+|README\.md)(\/|$)/;
  cpSync(source, folder, { recursive: true, filter: (file) => !rendered.test(relative(source, file)) });
  return folder;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function run(command: string, args: readonly string[], options: RunOptions = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: options.cwd ?? ROOT,
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 512e6,
    env: {
      ...process.env,
      PATH: [inject('bin'), process.env['PATH']].join(delimiter),
      // kpt renamed it
      KPT_FN_RUNTIME: 'podman',
      KRM_FN_RUNTIME: 'podman',
      CONTAINERS_CONF: join(ROOT, '.ci/containers.conf'),
      ...options.env,
    },
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** Runs a command that must succeed. */
export function ok(command: string, args: readonly string[], options: RunOptions = {}): Ran {
  const ran = run(command, args, options);
  expect(ran.status, `${command} ${args.join(' ')}\n${ran.stdout.slice(0, 2000)}\n${ran.stderr.slice(0, 4000)}`).toBe(0);
  return ran;
}

/** Every file of a folder with its bytes, by path. */
export function bytes(folder: string): Map<string, string> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const pairs = files.map(
    (entry) => [relative(folder, join(entry.parentPath, entry.name)), readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const,
  );
  return new Map(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; annotations?: Record<string, string> };
}

// What tools write on objects for themselves, on the way in and out.
const OF_TOOLS = /^(internal\.config\.kubernetes\.io|config\.kubernetes\.io|config\.k8s\.io)\//;

/** Objects by apiVersion, kind, namespace and name, without the tools' own annotations. Two of the same identity fail. */
export function objects(text: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const object of loadAll(text) as (Manifest | null)[]) {
    if (object === null) continue;
    const annotations = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => !OF_TOOLS.test(key));
    const { annotations: _, ...metadata } = object.metadata;
    const key = `${object.apiVersion}/${object.kind} ${metadata.namespace ?? ''}/${metadata.name}`;
    expect(found.has(key), `twice: ${key}`).toBe(false);
    found.set(key, {
      ...object,
      metadata: annotations.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(annotations) },
    });
  }
  return found;
}

/** Every file under a package's `host/`. */
export function hostFiles(folder: string): Map<string, string> {
  return bytes(join(folder, 'host'));
}

export function objectsOf(files: ReadonlyMap<string, string>): Map<string, unknown> {
  return objects([...files.values()].map((text) => `---\n${text}`).join(''));
}

/** The same without the annotation that says which file an object came from. */
export function withoutPaths(rendered: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const bare = (object: unknown): unknown =>
    JSON.parse(JSON.stringify(object, (name, value: unknown) => (name === 'tenantplane.io/source-path' ? undefined : value)));
  return new Map([...rendered].map(([key, object]) => [key, bare(object)]));
}

/** What the command renders of an example: every file under `host/`. */
export function renderedByCommand(path: string): Map<string, string> {
  const place = mkdtempSync(join(tmpdir(), 'tenantplane-e2e-'));
  try {
    const folder = copyTo(place, path);
    ok('tenantplane', ['render', folder]);
    return hostFiles(folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
