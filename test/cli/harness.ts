import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { CliIo } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { put, scratch } from './tree/disk.ts';

export interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly tty?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
}

/** Runs a command line in this process. */
export async function tenantplane(argv: readonly string[], options: CallOptions = {}): Promise<Result> {
  let out = '';
  let err = '';
  const isTTY = options.tty === true;
  const io: CliIo = {
    cwd: options.cwd ?? '/',
    env: options.env ?? {},
    stdout: {
      isTTY,
      ...(options.columns !== undefined && { columns: options.columns }),
      write(text) {
        out += text;
        options.onOut?.(text);
      },
    },
    stderr: {
      isTTY,
      write(text) {
        err += text;
        options.onErr?.(text);
      },
    },
    readStdin: async () => options.stdin ?? '',
    signal: options.signal ?? new AbortController().signal,
    now: Date.now,
  };
  const code = await run(argv, io);
  return { code, out, err };
}

export const MAIN: string = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Runs a command line as a process of its own, from source. It is ended with the test. */
export function start(argv: readonly string[], cwd: string): ChildProcess {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN, ...argv], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

export const PLATFORM = `apiVersion: tenantplane.io/v1alpha1
kind: IsolationProfile
metadata: {name: restricted}
spec: {level: restricted}
---
apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata: {name: default}
spec:
  resources:
  - {apiVersion: v1, kind: ConfigMap, direction: toHost}
  - {apiVersion: v1, kind: Secret, direction: toHost}
  - {apiVersion: v1, kind: Service, direction: toHost}
  - {apiVersion: v1, kind: Pod, direction: toHost}
`;

export function tenantYaml(name: string, spec = ''): string {
  return `apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata: {name: ${name}, namespace: team-${name}}
spec:
  isolationProfileRef: {name: restricted}
  syncPolicyRef: {name: default}
${spec}`;
}

export function configMap(name: string, value = 'v'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {key: ${JSON.stringify(value)}}\n`;
}

export const HOST_PATH_POD = `apiVersion: v1
kind: Pod
metadata:
  name: worker
spec:
  containers:
  - name: app
    image: app
  volumes:
  - name: cache
    hostPath: {path: /var}
`;

/** A package of two tenants, dev and qa, with one ConfigMap each. `files` are added or replaced. */
export function twoTenants(files: Readonly<Record<string, string>> = {}): string {
  const root = scratch();
  put(root, {
    'platform.yaml': PLATFORM,
    'tenants/dev/tenant.yaml': tenantYaml('dev'),
    'tenants/dev/objects/a.yaml': configMap('a'),
    'tenants/qa/tenant.yaml': tenantYaml('qa'),
    'tenants/qa/objects/b.yaml': configMap('b'),
    ...files,
  });
  return root;
}
