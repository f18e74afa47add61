import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that serves until it is ended. It ends with the process that started it, however that ends. */
export interface Server {
  readonly name: string;
  readonly pid: number;
  /** the last lines of what it wrote */
  lastWords(): string;
  running(): boolean;
  /** SIGKILL: an API server whose etcd has gone takes minutes to end otherwise, and nothing here is to be kept */
  end(): Promise<void>;
}

export interface Start {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
  readonly folder: string;
}

/** Starts a server that writes to a log in its folder. */
export function startServer({ name, binary, args, folder }: Start): Server {
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  // the kernel ends it with its parent, so that a test run that is killed leaves nothing
  const argv = ['--pdeathsig', 'KILL', '--', binary, ...args];
  // a session of its own: what a terminal interrupts is the process that started it, which then ends the servers in their order
  const child = spawn('setpriv', argv, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, HOME: folder },
  });
  child.on('error', () => undefined); // no process id: said below and by whoever waits for it
  const running = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    lastWords: () => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-15).join('\n'),
    running,
    end: async () => {
      if (!running()) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Waits until a server answers; one that dies or stays silent is an error that holds its last words. */
export async function untilReady(server: Server, answers: () => Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (server.running() && Date.now() < deadline) {
    if (await answers()) return;
    await sleep(50);
  }
  const what = server.running() ? `is not ready after ${seconds} s` : 'ended before it was ready';
  await server.end();
  throw new Error(`${server.name} ${what}. Its last words:\n${server.lastWords()}`);
}

/** A process that has ended and was not waited for yet is not alive. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}
