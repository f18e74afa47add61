import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import { type Connection, CredentialsError } from '../../kube/connection/connection.ts';
import { inCluster } from '../../kube/connection/in-cluster.ts';
import { kubeconfigPaths, readOperatorKubeconfig } from '../../kube/connection/operator-kubeconfig.ts';
import type { Failure } from '../../kube/failure.ts';
import { openTransport, type Transport } from '../../kube/transport/transport.ts';
import { masked } from '../../report/mask-credentials.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { failureHint, kubeconfigHint, NO_KUBECONFIG, POD_ACCOUNT } from './host-hints.ts';

/** Which host: as kubectl is told. */
export interface Reach {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What is needed of the process to ask a host. */
type AskIo = Pick<CliIo, 'env' | 'cwd' | 'stderr'>;

/**
 * A client of the host: by the kubeconfig that is named or that kubectl would find; in a pod that has none, by the pod's own account.
 * @throws TenantplaneError where that names no host that can be asked
 */
export async function openHost(reach: Reach, io: AskIo): Promise<Transport> {
  return openTransport(await connectionTo(reach, io), { clock: SYSTEM_CLOCK });
}

/** How to reach the host. @throws TenantplaneError as openHost does */
export async function connectionTo({ kubeconfig, context }: Reach, { env, cwd, stderr }: AskIo): Promise<Connection> {
  const paths = kubeconfig === undefined ? kubeconfigPaths(env).map((path) => resolve(cwd, path)) : [kubeconfig];
  if (kubeconfig === undefined && context === undefined && !paths.some((path) => existsSync(path))) {
    const pod = await podConnection(env);
    if (pod !== undefined) return pod;
  }
  const read = readOperatorKubeconfig({
    paths,
    ...(context !== undefined && { context }),
    env,
    clock: SYSTEM_CLOCK,
    parse: (text) => parseDocument(text).value,
    talk: (text) => stderr.write(masked(text)),
  });
  if ('value' in read) return read.value;
  const there = paths.some((path) => existsSync(path));
  const hint = there || kubeconfig !== undefined ? kubeconfigHint(read.refusals, there, kubeconfig) : NO_KUBECONFIG;
  const files = paths.join(delimiter);
  const whys = read.refusals.map(({ path, why }) => `${paths.includes(path) || path === files ? '' : `${files}: `}${path}: ${why}`);
  throw unreachable(whys.join('; '), hint);
}

async function podConnection(env: CliIo['env']): Promise<Connection | undefined> {
  try {
    return await inCluster(env, SYSTEM_CLOCK);
  } catch (error) {
    if (error instanceof CredentialsError) throw unreachable(error.message, POD_ACCOUNT);
    throw error;
  }
}

export function unreachable(why: string, hint: string): TenantplaneError {
  return new TenantplaneError('system', `The host cannot be reached: ${why.replace(/\.$/, '')}.`, { hint });
}

/** A host that was asked, and gave no answer that could be used. */
export function unanswered(failure: Failure): TenantplaneError {
  return unreachable(masked(failure.message), failureHint(failure));
}
