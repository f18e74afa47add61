import { randomBytes } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:https';
import { auditFlags } from './audit.ts';
import { type Credentials, makeCredentials } from './credentials.ts';
import { onFreePort } from './free-port.ts';
import { type Server, startServer, untilReady } from './server.ts';

export interface ApiServer {
  readonly server: Server;
  readonly url: string;
  readonly credentials: Credentials;
  /** one GET as admin, of JSON if not said; undefined where nobody answers */
  get(path: string, accept?: string): Promise<Answer | undefined>;
  version(): Promise<string>;
  /** ends it and starts it again on the same data: what it held in memory only is forgotten */
  restart(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Options {
  readonly binary: string;
  readonly folder: string;
  readonly etcd: string;
  readonly serviceCIDR: string;
  /** user names of whom every request is written down */
  readonly audit?: readonly string[] | undefined;
  readonly flags?: readonly string[] | undefined;
  /** another server is known by others */
  readonly amend?: ((made: Credentials, folder: string) => Credentials) | undefined;
}

/**
 * Starts a kube-apiserver as clusters have it: RBAC, all default admission plugins (Pod Security, quota and admission policies
 * among them), Priority and Fairness. Only what loopback does not allow is different.
 */
export async function startApiServer(options: Options): Promise<ApiServer> {
  const made = makeCredentials(options.folder);
  const credentials = options.amend?.(made, options.folder) ?? made;
  return onFreePort((port) => start(options, credentials, port));
}

async function start(
  { binary, folder, etcd, serviceCIDR, audit, flags = [] }: Options,
  credentials: Credentials,
  port: number,
): Promise<ApiServer> {
  const prefix = `/registry-${randomBytes(6).toString('hex')}`;
  const args = [
    `--etcd-servers=${etcd}`,
    // several API servers share one etcd
    `--etcd-prefix=${prefix}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--advertise-address=127.0.0.1',
    // loopback is refused as the address of the Service `kubernetes`
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${credentials.certificate}`,
    `--tls-private-key-file=${credentials.key}`,
    `--token-auth-file=${credentials.tokens}`,
    `--client-ca-file=${credentials.clientAuthority}`,
    '--authorization-mode=Node,RBAC',
    // kubelets know it by the certificate that it serves with
    `--kubelet-client-certificate=${credentials.certificate}`,
    `--kubelet-client-key=${credentials.key}`,
    '--kubelet-preferred-address-types=Hostname',
    '--allow-privileged=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${credentials.serviceAccountKey}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
    `--service-cluster-ip-range=${serviceCIDR}`,
    '--profiling=false',
    ...flags,
    ...(audit === undefined ? [] : auditFlags(folder, audit)),
  ];
  const url = `https://127.0.0.1:${port}`;
  // one connection for many looks: a handshake costs both sides more than most answers
  const agent = new Agent({ ca: credentials.authority, keepAlive: true });
  const authorization = `Bearer ${credentials.adminToken}`;
  const get = async (path: string, accept = 'application/json'): Promise<Answer | undefined> => {
    const once = () => ask(`${url}${path}`, { agent, headers: { accept, authorization } });
    // once more: a connection that was kept may be one to a server that has gone
    return (await once()) ?? once();
  };
  const run = async (): Promise<Server> => {
    const started = startServer({ name: 'kube-apiserver', binary, args, folder });
    await untilReady(started, async () => (await get('/readyz'))?.status === 200);
    return started;
  };
  let current = await run();
  const server: Server = {
    name: current.name,
    get pid() {
      return current.pid;
    },
    lastWords: () => current.lastWords(),
    running: () => current.running(),
    end: () => current.end(),
  };
  const restart = async (): Promise<void> => {
    await current.end();
    current = await run();
  };
  const version = async (): Promise<string> => {
    const { gitVersion } = JSON.parse((await get('/version'))?.body ?? '{}') as { readonly gitVersion?: string };
    return gitVersion ?? 'unknown';
  };
  return { server, url, credentials, get, version, restart };
}

function ask(url: string, options: RequestOptions): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { ...options, timeout: 20_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body })).on('error', () => resolve(undefined));
    });
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(undefined));
    asked.end();
  });
}
