/**
 * Work that several wait for at once is done once.
 * @returns what begins it, or waits for the run that is under way. Where that ends because whoever began it was aborted, the next one begins anew
 */
export function sharedRun<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let running: { readonly result: Promise<T>; readonly signal: AbortSignal } | undefined;
  return async (signal) => {
    for (;;) {
      signal.throwIfAborted();
      const run = running ?? { result: work(signal), signal };
      running = run;
      try {
        return await run.result;
      } catch (error) {
        if (signal.aborted || !run.signal.aborted) throw error;
      } finally {
        if (running === run) running = undefined;
      }
    }
  };
}
