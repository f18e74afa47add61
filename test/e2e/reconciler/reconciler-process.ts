import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/core/kube/json.ts';
import { ROOT } from '../workspace.ts';

/** A reconciler as people run it: a process of its own. */
export interface ReconcilerProcess {
  readonly pid: number;
  /** lines of its log, so far */
  log(): readonly JsonObject[];
  stderr(): string;
  /** what it serves, once it does */
  get(path: '/metrics' | '/healthz' | '/readyz'): Promise<{ readonly code: number; readonly text: string }>;
  /** the value of a series, as a scrape has it */
  metric(series: string): Promise<number | undefined>;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<number | NodeJS.Signals | null>;
}

export interface ReconcilerStart {
  readonly kubeconfig: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** what runs; the built command, if not said */
  readonly program?: readonly string[];
}

export const BUILT: readonly string[] = [join(ROOT, 'dist/tenantplane.mjs'), 'reconciler'];

export function startReconciler({ kubeconfig, flags = [], env = {}, program = BUILT }: ReconcilerStart): ReconcilerProcess {
  const args = [
    ...program,
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect-namespace=default',
    '--metrics-bind-address=127.0.0.1:0',
    '--health-probe-bind-address=127.0.0.1:0',
    '--log-level=debug',
    ...flags,
  ];
  // it ends with the test run, however that ends
  const child: ChildProcess = spawn('setpriv', ['--pdeathsig', 'KILL', '--', process.execPath, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // not 'exit', which may come before the last lines that it wrote have been read
  const exit = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const log = (): JsonObject[] =>
    stderr
      .split('\n')
      .slice(0, -1)
      .map((line): Json => {
        try {
          return JSON.parse(line) as Json;
        } catch {
          return { msg: line };
        }
      })
      .filter(isObject);
  const get: ReconcilerProcess['get'] = async (path) => {
    const what = path === '/metrics' ? 'serving metrics' : 'serving probes';
    const address = log().find(({ msg }) => msg === what)?.['address'];
    if (typeof address !== 'string') return { code: 0, text: '' };
    try {
      const answer = await fetch(`http://${address}${path}`);
      return { code: answer.status, text: await answer.text() };
    } catch {
      return { code: 0, text: '' };
    }
  };
  return {
    pid: child.pid ?? 0,
    log,
    stderr: () => stderr,
    get,
    metric: async (series) => {
      const line = (await get('/metrics')).text.split('\n').find((each) => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
    kill: (signal) => child.kill(signal),
    exit,
  };
}
