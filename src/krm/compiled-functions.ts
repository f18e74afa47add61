import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The functions in one bundle (`functions/main.ts`), and the script that they are, of which a code cache can be made. */
export interface Compiled {
  readonly run: (argv: readonly string[]) => Promise<number>;
  readonly script: Script;
}

const BUNDLE = 'functions.cjs';
/** What V8 made of the bundle when it was built (`functions/compile.ts`). */
export const CODE_CACHE = 'functions.cjs.cache';
const HEAD = '(function(exports,require,module){';

/**
 * Loads the bundle without compiling it, where the Node that built it runs it: compiling takes longer than all that a function
 * does to one object. V8 refuses a cache of another version of it, of other flags (so these are set before) or of another
 * length of bundle, and compiles as if there were none. What is in the cache is code and trusted like the bundle, which it
 * never outlives: a build makes both.
 */
export function loadCompiled(folder: string): Compiled {
  const file = join(folder, BUNDLE);
  const cachedData = bytesOf(join(folder, CODE_CACHE));
  const source = `${HEAD}${readFileSync(file, 'latin1')}\n})`; // the build escapes all that is not ASCII
  const script = new Script(source, {
    // alone, and no piece of a path: the cache would keep the folder in which it was built
    filename: BUNDLE,
    columnOffset: -HEAD.length,
    ...(cachedData !== undefined && { cachedData }),
  });
  const module: { exports: Partial<Compiled> } = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module);
  const { run } = module.exports;
  if (run === undefined) throw new Error(`${file} is no bundle of the functions`);
  return { run, script };
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
