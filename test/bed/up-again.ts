import { parseArgs } from 'node:util';

const EXAMPLE = 'examples/first-tenant';
const VALUED = ['context', 'kubeconfig', 'releases', 'timeout', 'color'].map((name) => [name, { type: 'string' }] as const);

/** What `tenantplane up` is called with: the example where no PATH is named. */
export function upArguments(given: readonly string[]): { readonly help: boolean; readonly path: string; readonly argv: readonly string[] } {
  const options = { ...Object.fromEntries(VALUED), help: { type: 'boolean', short: 'h' } } as const;
  const { positionals, values } = parseArgs({ args: [...given], options, strict: false, allowPositionals: true });
  const [path = EXAMPLE] = positionals;
  return { help: values['help'] === true, path, argv: positionals.length > 0 ? given : [path, ...given] };
}

/** How one run ended. */
export interface Ended {
  readonly code: number;
  /** its reconciler lost the Lease, as after a machine has slept */
  readonly lost: boolean;
}

/** A namespace that is being deleted takes no object for a while. */
const TRIES = 12;

/**
 * Runs until it ends for good. One that lost its Lease is begun again; where that fails, a few times more.
 * @param told the person ends it
 * @param gone whether what it applied was taken off meanwhile, as `tenantplane down --everything` does, which is no loss to be mended
 */
export async function upAgain(
  once: () => Promise<Ended>,
  say: (what: string) => void,
  pause: () => Promise<void>,
  told: AbortSignal,
  gone: () => boolean,
): Promise<number> {
  for (let left = 0; ; left -= 1) {
    const { code, lost } = await once();
    if (lost) left = TRIES;
    if (told.aborted || (!lost && (code === 0 || left <= 0))) return code;
    // who takes all of it off needs a moment for that
    await pause();
    if (told.aborted) return code;
    if (gone()) {
      say('what it applied was taken off this host (tenantplane down --everything), and is not applied again');
      return 0;
    }
    say(
      lost ? 'its reconciler lost the Lease: tenantplane up begins again on this host' : 'tenantplane up could not begin again: once more',
    );
  }
}
