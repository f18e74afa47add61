import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildTool } from './build-tool.ts';
import { onFreePort } from './free-port.ts';
import { startServer, untilReady } from './server.ts';
import { serverFolder } from './server-folder.ts';

export interface Etcd {
  readonly name: string;
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** What serves etcd's API, and how. */
export interface Store {
  readonly tool: 'etcd' | 'kine';
  args(url: string, folder: string): readonly string[];
  answers(url: string): Promise<boolean>;
}

/** Starts an etcd that keeps its data in memory. One serves any number of API servers, each under a prefix of its own. */
export function startEtcd(): Promise<Etcd> {
  return startStore(ETCD);
}

export const ETCD: Store = {
  tool: 'etcd',
  args: (url, folder) => [
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    // it has no peers, but listens for them all the same
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync',
    '--log-level=warn',
  ],
  answers: async (url) => {
    try {
      return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) })).ok;
    } catch {
      return false;
    }
  },
};

export async function startStore(store: Store): Promise<Etcd> {
  const binary = await buildTool(store.tool);
  return onFreePort((port) => start(store, binary, `http://127.0.0.1:${port}`));
}

async function start({ tool, args, answers }: Store, binary: string, url: string): Promise<Etcd> {
  const folder = serverFolder();
  const server = startServer({ name: tool, binary, args: args(url, folder), folder });
  const stop = async (): Promise<void> => {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(server, () => answers(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: tool, url, folder, pid: server.pid, stop };
}
