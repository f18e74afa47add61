import type { CliIo, SharedFlags } from '../io.ts';

/** One line on a terminal that says what is going on, gone when the work is done. Nothing anywhere else. */
export interface Progress {
  say(what: string): void;
  clear(): void;
}

export function progress(io: CliIo, flags: SharedFlags): Progress {
  if (!io.stderr.isTTY || flags.quiet === true) return { say: () => undefined, clear: () => undefined };
  const erase = '\r\u001b[K';
  return {
    say: (what) => io.stderr.write(`${erase}${what} …`),
    clear: () => io.stderr.write(erase),
  };
}
