import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, type Start, startServer, untilReady } from '../server.ts';

/**
 * Processes and mounts of a node, apart from those of this machine: as soon as its first process ends, the kernel ends all others and takes
 * every mount of theirs away, so that a run that is killed leaves no container.
 */
export interface Machine {
  /** its first process, which has started the server that was asked for */
  readonly server: Server;
  /** starts another server in it; on this machine's own network, if not said */
  start(start: Start, network?: 'own'): Server;
}

/** Paths that the programs of a node have built in, and two nodes must not share. */
const OWN_FOLDERS = ['/run', '/var/log', '/var/lib/kubelet'];

/** The shell stays as first process: it takes in the processes that containerd leaves behind. */
const FIRST = `set -e
for place in ${OWN_FOLDERS.join(' ')}; do mount -t tmpfs tmpfs "$place"; done
mkdir -p /run/netns
touch "$MACHINE_READY"
"$@" & wait $!`;

/** `network`: path of the namespace in which its first process is. */
export async function startMachine({ name, binary, args, folder }: Start, network: string): Promise<Machine> {
  for (const place of OWN_FOLDERS) mkdirSync(place, { recursive: true });
  const ready = join(folder, 'machine-ready');
  const first = ['sh', '-c', FIRST, 'sh', binary, ...args];
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'];
  const begin = ['env', `MACHINE_READY=${ready}`, 'unshare', ...namespaces, ...first];
  const server = startServer({ name, binary: 'nsenter', args: [`--net=${network}`, '--', ...begin], folder });
  await untilReady(server, async () => existsSync(ready));
  const target = childOf(server.pid);
  const enter = ['--target', `${target}`, '--mount', '--pid'];
  const command = ['--', 'setpriv', '--pdeathsig', 'KILL', '--'];
  return {
    server: withPid(server, () => childOf(target)),
    start: (start, network) => {
      const args = [...enter, ...(network === 'own' ? ['--net'] : []), ...command, start.binary, ...start.args];
      const entered = startServer({ ...start, binary: 'nsenter', args });
      return withPid(entered, () => childOf(entered.pid));
    },
  };
}

/** A server is not the process that was started here, but one that this one started. */
function withPid(server: Server, pid: () => number): Server {
  return {
    ...server,
    get pid() {
      return server.running() ? pid() : server.pid;
    },
  };
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}
