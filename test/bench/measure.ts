import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Cost {
  /** user and system time of the process and its children, in seconds */
  readonly cpu: number;
  /** peak resident memory of the process itself, in MiB */
  readonly rss: number;
  readonly status: number;
  readonly stderr: string;
}

export interface Command {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string;
  readonly stdout?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a command and says what it cost. CPU seconds come from the shell's `time`, since seconds on a clock say little on a
 * machine that does other things too; the peak from the kernel's high-water mark, read until the process is gone.
 */
export async function measure(command: Command): Promise<Cost> {
  const input = openSync(command.stdin ?? '/dev/null', 'r');
  const output = openSync(command.stdout ?? '/dev/null', 'w');
  const script = 'TIMEFORMAT="bench-cpu %U %S"; time "$@"';
  const child = spawn('bash', ['-c', script, 'bench', ...command.argv], {
    cwd: command.cwd,
    env: { ...process.env, ...command.env },
    stdio: [input, output, 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  let rss = 0;
  const poll = setInterval(() => {
    rss = Math.max(rss, peak(child.pid ?? 0));
  }, 4);
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
  clearInterval(poll);
  closeSync(input);
  closeSync(output);
  const times = /bench-cpu ([\d.]+) ([\d.]+)/.exec(stderr);
  return { cpu: Number(times?.[1]) + Number(times?.[2]), rss, status, stderr: stderr.replace(/bench-cpu .*\n?/, '') };
}

function peak(shell: number): number {
  try {
    const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return Math.max(
      0,
      ...children.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024),
    );
  } catch {
    return 0; // it ended between two looks
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
