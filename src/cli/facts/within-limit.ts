import { TenantplaneError } from '../errors.ts';

/** Milliseconds for all questions together, and for a credential plugin that waits for somebody. */
const LIMIT = 60_000;

/** Asks a host, and no longer than that. @throws TenantplaneError where it takes longer, or is interrupted */
export async function withinLimit<T>(interrupt: AbortSignal, work: (signal: AbortSignal) => Promise<T>, limit: number = LIMIT): Promise<T> {
  const late = AbortSignal.timeout(limit);
  try {
    return await work(AbortSignal.any([interrupt, late]));
  } catch (error) {
    if (interrupt.aborted) throw new TenantplaneError('interrupted', 'Interrupted.', { cause: error });
    if (!late.aborted || error instanceof TenantplaneError) throw error;
    throw new TenantplaneError('system', `The host did not answer everything within ${limit / 1000} s.`, {
      hint: 'Call kubectl version with the same --kubeconfig and --context, and look what it waits for.',
      cause: error,
    });
  }
}
