import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildTool } from './build-tool.ts';
import { onFreePort, serverFolder, startServer, untilReady } from './server.ts';

export interface Etcd {
  readonly url: string;
  readonly folder: string;
  readonly name: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts an etcd that keeps its data in memory. One serves any number of API servers, each under a prefix of its own. */
export async function startEtcd(): Promise<Etcd> {
  const binary = await buildTool('etcd');
  return onFreePort((port) => start(binary, `http://127.0.0.1:${port}`));
}

async function start(binary: string, url: string): Promise<Etcd> {
  const folder = serverFolder();
  const args = [
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    // it has no peers, but listens for them all the same
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
  const server = startServer({ name: 'etcd', binary, args, folder });
  const stop = async (): Promise<void> => {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(server, () => healthy(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, folder, name: server.name, pid: server.pid, stop };
}

async function healthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}
