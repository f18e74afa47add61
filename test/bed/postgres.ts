import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFreePort } from './free-port.ts';
import { startServer, untilReady } from './server.ts';
import { serverFolder } from './server-folder.ts';

export interface Postgres {
  /** with its password: what kine and k3s take as the endpoint of a datastore */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Debian's package has a folder for each version, and a user: the server refuses root. */
const PACKAGE = '/usr/lib/postgresql';
const AS_POSTGRES = ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'];

/** Starts an empty PostgreSQL on 127.0.0.1 or, for the pods of a node, on its gateway. Nothing of it is kept. */
export async function startPostgres(address = '127.0.0.1'): Promise<Postgres> {
  const bin = join(PACKAGE, newestVersion(), 'bin');
  const folder = serverFolder();
  const stop = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const password = randomBytes(12).toString('hex');
    const data = makeData(bin, folder, { address, password });
    return await onFreePort(async (port) => {
      const settings = { listen_addresses: address, port, unix_socket_directories: '', fsync: 'off', max_connections: 200 };
      const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      // once more, for it does not outlast a change of the user
      const args = [...AS_POSTGRES, '--pdeathsig', 'KILL', '--', join(bin, 'postgres'), '-D', data, ...flags];
      const server = startServer({ name: 'postgres', binary: 'setpriv', args, folder });
      await untilReady(server, async () => spawnSync(join(bin, 'pg_isready'), ['-h', address, '-p', `${port}`]).status === 0);
      const url = `postgres://postgres:${password}@${address}:${port}/kubernetes?sslmode=disable`;
      return { url, pid: server.pid, stop: () => server.end().then(stop) };
    });
  } catch (error) {
    stop();
    throw error;
  }
}

function newestVersion(): string {
  const [newest] = existsSync(PACKAGE) ? readdirSync(PACKAGE).sort((a, b) => Number(b) - Number(a)) : [];
  if (newest === undefined) throw new Error(`${PACKAGE} is not there: is Debian's package postgresql installed?`);
  return newest;
}

function makeData(bin: string, folder: string, { address, password }: { readonly address: string; readonly password: string }): string {
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  mkdirSync(data);
  writeFileSync(passwordFile, password);
  chmodSync(folder, 0o711);
  run('chown', ['postgres:', data, passwordFile]);
  const init = [join(bin, 'initdb'), '-D', data, '--no-sync', '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  run('setpriv', [...AS_POSTGRES, '--', ...init]);
  appendFileSync(join(data, 'pg_hba.conf'), `host all all ${address.replace(/\d+$/, '0')}/24 scram-sha-256\n`);
  return data;
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd: '/' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
}
