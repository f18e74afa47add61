import { writeSync } from 'node:fs';
import { systemCode } from './errors.ts';
import type { CliIo, Sink } from './io.ts';

/** The streams of this process. An interrupt aborts the signal; a second one ends the process as if nobody had listened. */
export function processIo(): CliIo {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: sink(1, process.stdout.isTTY === true),
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

/**
 * Writes everything before it returns. `process.stdout.write` on a pipe is asynchronous, and what is left in its buffer when
 * the process ends is lost (nodejs/node#19218: output cut at 64 KiB, exit code 0).
 */
function sink(fd: number, isTTY: boolean): Sink {
  let closed = false;
  const wait = new Int32Array(new SharedArrayBuffer(4));
  return {
    isTTY,
    write(text) {
      const bytes = Buffer.from(text);
      for (let offset = 0; offset < bytes.length && !closed; ) {
        try {
          offset += writeSync(fd, bytes, offset);
        } catch (error) {
          const code = systemCode(error);
          // the reader is slow: give it a moment; the reader is gone: nobody is left to tell
          if (code === 'EAGAIN') Atomics.wait(wait, 0, 0, 5);
          else if (code === 'EPIPE') closed = true;
          else throw error;
        }
      }
    },
  };
}
