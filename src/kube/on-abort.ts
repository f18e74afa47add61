import { setMaxListeners } from 'node:events';

/**
 * Calls `stop` when the signal is aborted.
 * @returns what takes that back
 */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  manyListen(signal);
  signal.addEventListener('abort', stop);
  return () => signal.removeEventListener('abort', stop);
}

/** Node warns of more than ten listeners as of a leak; one signal ends all the requests and watches of a tenant here. */
export function manyListen(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}
