import { renderFunction } from '../../src/krm/render-function.ts';
import { runFunction } from '../../src/krm/run.ts';

/** Reads a ResourceList, writes one, and says how it went as an exit code. */
export function main(args: readonly string[]): Promise<number> {
  return runFunction(process, 'render-isolation', (input, override) => renderFunction('render-isolation', input, override), args);
}
