import { setFlagsFromString } from 'node:v8';

/**
 * V8's defaults suit servers: they spend a third of a render's CPU on optimising code that runs for two seconds. A process that
 * lives for one render optimises later and inlines less (measured on Node 20: 2.9 to 2.2 CPU seconds for 10,000 objects). Node 22
 * and later tier up in other ways and have no such flag; V8 writes to stderr about a flag that it does not know.
 */
export function tuneForOneRun(): void {
  if (!process.versions.v8.startsWith('11.')) return;
  setFlagsFromString('--interrupt-budget=400000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
}

/** Sources past this, the rendered tree not counted, are a big fleet, where memory counts more than the last second. */
export const BIG_INPUT: number = 24 * 1024 * 1024;

/**
 * Lets the heap grow by a quarter at a time in place of doubling: half the memory for a tenth more CPU. To be called before the
 * heap has grown.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=25');
}
