import type { Failure, Result } from '../failure.ts';
import type { Transport } from '../transport/transport.ts';
import { timeoutFailure, wayFailure } from '../transport/way-failure.ts';
import { LineTooLong, lines } from './lines.ts';
import { acceptOf, type Selection, selectionPath } from './selection.ts';
import { readWatchEvent, type WatchEvent } from './watch-event.ts';

export interface WatchStart {
  /** the version after which it begins; undefined: everything that is there first, then what changes (a streaming list) */
  readonly from: string | undefined;
  /** seconds after which the server ends it */
  readonly seconds: number;
  /** milliseconds without a byte, after which the connection is taken for dead */
  readonly silence: number;
}

/** etcd takes 1.5 MiB, and what an API server computes into an object is less than as much again. */
const LINE = 8 * 1024 * 1024;

/** A watch: its events, the last of which may be an error. It ends without one when the server's time for it is over. */
export async function watch(
  transport: Transport,
  selection: Selection,
  { from, seconds, silence }: WatchStart,
  signal: AbortSignal,
): Promise<Result<AsyncGenerator<WatchEvent>>> {
  const begin = from === undefined ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } : { resourceVersion: from };
  const path = selectionPath(selection, { watch: true, allowWatchBookmarks: true, timeoutSeconds: seconds, ...begin });
  const opened = await transport.stream({ path, accept: acceptOf(selection, 'watch'), signal });
  if ('failure' in opened) return opened;
  const { chunks, end } = opened.value;

  return { value: events() };

  async function* events(): AsyncGenerator<WatchEvent> {
    const silent = new Error('silent');
    const timer = setTimeout(() => end(silent), silence);
    try {
      for await (const line of lines(
        each(chunks, () => timer.refresh()),
        LINE,
      ))
        yield readWatchEvent(line);
    } catch (error) {
      signal.throwIfAborted();
      yield { type: 'error', failure: failureOf(error, error === silent) };
    } finally {
      clearTimeout(timer);
    }
  }

  function failureOf(error: unknown, silent: boolean): Failure {
    const { server } = transport;
    if (silent) return timeoutFailure(server, 'sent nothing', silence);
    if (!(error instanceof LineTooLong)) return wayFailure(error, server);
    return { kind: 'too-large', limit: error.limit, message: `An object of ${server} is larger than ${error.limit} bytes.` };
  }
}

async function* each(chunks: AsyncIterable<Buffer>, arrived: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    arrived();
    yield chunk;
  }
}
