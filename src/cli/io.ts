/** Where a command reads and writes. A test hands in its own; nothing behind this file looks at `process`. */
export interface Sink {
  write(text: string): void;
  readonly isTTY: boolean;
  /** of a terminal, where it is known */
  readonly columns?: number;
}

const BATCH = 1 << 18;

/** Writes many small pieces as few large ones: a system call for each decision of a fleet would take longer than planning it. */
export function writePieces(sink: Sink, pieces: Iterable<string>): void {
  let batch = '';
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH) continue;
    sink.write(batch);
    batch = '';
  }
  if (batch !== '') sink.write(batch);
}

export interface CliIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** data: what another program may read */
  readonly stdout: Sink;
  /** talk: progress, hints, errors */
  readonly stderr: Sink;
  readonly readStdin: () => Promise<string>;
  /** aborted on the first interrupt */
  readonly signal: AbortSignal;
  /** milliseconds since 1970; for the age of what a dead render left behind, never for output */
  readonly now: () => number;
}

/** What every command gets: its streams, the flags that all commands share, and where its exit code goes. */
export interface CliContext {
  readonly io: CliIo;
  exitCode: number;
  /** errors go out as JSON as well, once a command knows that JSON was asked for */
  json: boolean;
}

export interface SharedFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
}
