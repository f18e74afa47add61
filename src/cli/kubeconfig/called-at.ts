import { addressProblem } from '../../kube/connection/kubeconfig.ts';
import type { TenantKubeconfig } from '../../reconciler/pki/tenant-kubeconfig.ts';
import { TenantplaneError } from '../errors.ts';

/** The kubeconfig with another address. The server is proven by the name that it was proven by before, wherever it is called. */
export function calledAt({ serverName, ...published }: TenantKubeconfig, server: string): TenantKubeconfig {
  const proven = serverName ?? hostOf(published.server);
  return { ...published, server, ...(proven !== hostOf(server) && { serverName: proven }) };
}

/** @throws TenantplaneError for what is no address of an API server */
export function checkServer(server: string): void {
  const problem = addressProblem(server);
  if (problem === undefined) return;
  throw new TenantplaneError('usage', `--server ${server}: ${problem}.`, { hint: 'Write https://HOST:PORT.' });
}

function hostOf(server: string): string {
  return new URL(server).hostname.replace(/^\[|\]$/g, '');
}
