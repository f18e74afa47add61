import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Connection, CredentialsError } from './connection.ts';
import { tokenFile } from './token-file.ts';

/** Where the kubelet mounts a pod's ServiceAccount. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The cluster that this pod runs in, as its own ServiceAccount.
 * @returns undefined outside of a cluster
 * @throws CredentialsError where the pod's account is not mounted
 */
export async function inCluster(
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  folder: string = FOLDER,
): Promise<Connection | undefined> {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']];
  if (host === undefined || host === '' || port === undefined || port === '') return undefined;
  const credentials = tokenFile(join(folder, 'token'), clock);
  let authority: string;
  try {
    authority = await readFile(join(folder, 'ca.crt'), 'utf8');
  } catch (error) {
    throw new CredentialsError(`${join(folder, 'ca.crt')} cannot be read: does the pod mount its ServiceAccount token?`, { cause: error });
  }
  return { server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, authority, credentials };
}
