import { writeAll } from '../krm/write-all.ts';
import type { CliIo, Sink } from './io.ts';

/** The streams of this process. An interrupt aborts the signal; a second one ends the process as if nobody had listened. */
export function processIo(): CliIo {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: { ...sink(1, process.stdout.isTTY === true), ...(process.stdout.columns > 0 && { columns: process.stdout.columns }) },
    stderr: sink(2, process.stderr.isTTY === true),
    readStdin: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    signal: controller.signal,
    now: Date.now,
  };
}

/** Writes everything before it returns; once the reader is gone, nobody is left to tell. */
function sink(descriptor: number, isTTY: boolean): Sink {
  let open = true;
  return {
    isTTY,
    write(text) {
      if (open) open = writeAll(descriptor, [text]);
    },
  };
}
