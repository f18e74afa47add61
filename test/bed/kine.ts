import { connect } from 'node:net';
import { join } from 'node:path';
import { type Etcd, type Store, startStore } from './etcd.ts';

/** Starts kine, which serves etcd's API from SQLite: what k3s has instead of etcd. */
export function startKine(): Promise<Etcd> {
  return startStore(KINE);
}

const KINE: Store = {
  tool: 'kine',
  args: (url, folder) => [
    `--listen-address=${url.replace('http:', 'tcp:')}`,
    `--endpoint=sqlite://${join(folder, 'data.db')}?_journal=WAL&cache=shared&_busy_timeout=30000&_txlock=immediate`,
    '--metrics-bind-address=0',
  ],
  // it speaks gRPC only: a health check over HTTP has no answer
  answers: (url) =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    }),
};
