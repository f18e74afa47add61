import { TenantplaneError } from '../errors.ts';
import type { Reach } from '../facts/open-host.ts';

/** A host on this machine is one to try things on; any other has to be meant. @throws TenantplaneError */
export function guardHost(server: string, { context }: Reach, anywhere: boolean): void {
  if (anywhere || context !== undefined || isLoopback(new URL(server).hostname)) return;
  throw new TenantplaneError('guard', `The current context is a host that is not on this machine: ${server}.`, {
    hint: 'Name it with --context, or say --yes, if it is the one that you mean.',
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
