import type { CliIo } from '../io.ts';

/** Lines on stderr that begin with the seconds since now; none where it is to be quiet. */
export function timedLines({ stderr }: CliIo, quiet: boolean): (line: string) => void {
  const begin = performance.now();
  return (line) => {
    if (!quiet) stderr.write(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
  };
}
