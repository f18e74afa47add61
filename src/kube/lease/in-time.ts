import type { Clock } from '../clock.ts';
import { onAbort } from '../on-abort.ts';

/**
 * Work that is waited for no longer than it is of use, whatever it waits for itself: a request may wait for its credentials for longer than for its answer.
 * @param work gets a signal that is aborted then, or with `signal`
 * @throws the reason of `signal`
 */
export async function inTime<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<T | 'late'> {
  signal?.throwIfAborted();
  const over = new AbortController();
  const forget = signal && onAbort(signal, () => over.abort(signal.reason));
  const late = clock.sleep(milliseconds, over.signal).then(() => 'late' as const);
  try {
    return await Promise.race([work(over.signal), late]);
  } finally {
    forget?.();
    over.abort();
  }
}
