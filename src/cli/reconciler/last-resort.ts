import type { Log } from '../../reconciler/log/log.ts';

/** Milliseconds that whatever still keeps the process alive gets, once all is done. */
const GRACE = 1_000;

/** A second signal, and a promise that nobody waits for and that failed: the process ends then, since nobody knows what it would do otherwise. */
export function lastResort(log: Log): void {
  let told = 0;
  const again = (): void => {
    told += 1;
    if (told < 2) return;
    log.error('told twice to end: what is under way is left as it is');
    process.exit(1);
  };
  process.on('SIGTERM', again).on('SIGINT', again);
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => {
      log.error('a defect', { event, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      process.exit(1);
    });
  }
}

/** Ends the process with its exit code also where a pass that was given up keeps it alive. */
export function endSoon(code: number): void {
  setTimeout(() => process.exit(code), GRACE).unref();
}
