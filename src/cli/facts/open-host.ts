import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import { type Connection, CredentialsError } from '../../kube/connection/connection.ts';
import { inCluster } from '../../kube/connection/in-cluster.ts';
import { kubeconfigPaths, readOperatorKubeconfig } from '../../kube/connection/operator-kubeconfig.ts';
import type { CertificateProblem, Failure } from '../../kube/failure.ts';
import { openTransport, type Transport } from '../../kube/transport/transport.ts';
import { masked } from '../../report/mask-credentials.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';

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
  const none = kubeconfig === undefined && !paths.some((path) => existsSync(path));
  throw unreachable(read.refusals.map(({ path, why }) => `${path}: ${why}`).join('; '), none ? NO_KUBECONFIG : NAME_IT);
}

async function podConnection(env: CliIo['env']): Promise<Connection | undefined> {
  try {
    return await inCluster(env, SYSTEM_CLOCK);
  } catch (error) {
    if (error instanceof CredentialsError) throw unreachable(error.message);
    throw error;
  }
}

const NAME_IT = 'Name it with --kubeconfig and --context, as kubectl has them.';
const NO_KUBECONFIG =
  'Name a kubeconfig with --kubeconfig or $KUBECONFIG. Where there is no host yet, kind create cluster makes one, and npm run up in a clone of tenantplane.';

/** What to do where the two sides do not take each other's certificates: which host is meant is not in doubt then. */
const CERTIFICATES: Readonly<Record<'server' | 'client', Readonly<Record<CertificateProblem, string>>>> = {
  server: {
    untrusted:
      'The certificate authority in that kubeconfig did not sign it: the host was made anew, or another answers there. Get its kubeconfig again.',
    'wrong-name': 'Name the host in the kubeconfig as its certificate does, or set tls-server-name there.',
    expired: 'Renew the certificate of the API server; look whether the clock here is right.',
    'not-yet-valid': 'Look whether the clocks here and on the host are right.',
    refused: NAME_IT,
  },
  client: {
    untrusted: 'The host does not know who signed your client certificate: get its kubeconfig again.',
    'wrong-name': NAME_IT,
    expired: 'Your client certificate has expired: get the kubeconfig of the host again.',
    'not-yet-valid': 'Look whether the clocks here and on the host are right.',
    refused: 'The host does not take the client certificate of that kubeconfig: get its kubeconfig again.',
  },
};

export function unreachable(why: string, hint: string = NAME_IT): TenantplaneError {
  return new TenantplaneError('system', `The host cannot be reached: ${why.replace(/\.$/, '')}.`, { hint });
}

/** A host that was asked, and gave no answer that could be used. */
export function unanswered(failure: Failure): TenantplaneError {
  return unreachable(masked(failure.message), failure.kind === 'certificate' ? CERTIFICATES[failure.whose][failure.problem] : NAME_IT);
}
