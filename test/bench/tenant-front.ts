import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttps, request } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { TENANT_API_PORT } from '../../src/core/controlplane/endpoint.ts';
import { AUTHORITIES_SECRET } from '../../src/core/controlplane/names.ts';
import { type JsonObject, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import type { Cluster } from '../bed/cluster.ts';
import { makeCertificate } from '../support/certificates.ts';

export interface Front {
  /** requests that it passed on */
  passed(): number;
  close(): void;
}

/**
 * Answers for the API server of every tenant: at each address, with a certificate that the tenant's own authority signed, by the name that a
 * caller asks for. It passes requests on to one real API server as an admin; clients' certificates it does not look at.
 */
export async function startFront(addresses: readonly string[], host: Cluster, behind: Cluster): Promise<Front> {
  const { server: url, authority: ca, token } = adminOf(behind);
  const contexts = new Map<string, Promise<SecureContext>>();
  let passed = 0;
  const front = createHttps({
    SNICallback: (name, done) => {
      const known = contexts.get(name) ?? servingContext(host, name);
      contexts.set(name, known);
      known.then(
        (context) => done(null, context),
        (error: Error) => {
          contexts.delete(name);
          done(error);
        },
      );
    },
  }).on('request', (asked, answer) => {
    passed += 1;
    const { authorization: _, host: __, ...headers } = asked.headers;
    const options = { method: asked.method, ca, headers: { ...headers, authorization: `Bearer ${token}` } };
    const on = request(`${url}${asked.url}`, options, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    asked.pipe(on);
  });
  const sockets = new Set<Socket>();
  const listeners: Server[] = [];
  for (const address of addresses) {
    const listener = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      front.emit('connection', socket);
    }).listen(TENANT_API_PORT, address);
    await once(listener, 'listening');
    listeners.push(listener);
  }
  return {
    passed: () => passed,
    close: () => {
      for (const listener of listeners) listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** @param name `SERVICE.NAMESPACE.svc.DOMAIN` */
async function servingContext(host: Cluster, name: string): Promise<SecureContext> {
  const namespace = name.split('.')[1] ?? '';
  const { stdout, stderr } = await host.kubectl(['get', 'secret', AUTHORITIES_SECRET, '-n', namespace, '-o', 'json']);
  if (stdout === '') throw new Error(stderr);
  const secret = JSON.parse(stdout) as JsonObject;
  const pem = (key: string): string => Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  const by = { certificate: pem('server-ca.crt'), key: pem('server-ca.key') };
  const { certificate, key } = makeCertificate({ subject: '/CN=kube-apiserver', names: [name], by });
  return createSecureContext({ cert: `${certificate}${by.certificate}`, key });
}

function adminOf({ kubeconfig, url }: Cluster): { readonly server: string; readonly authority: Buffer; readonly token: string } {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as JsonObject;
  const [cluster] = objectsOf(config['clusters']);
  const [user] = objectsOf(config['users']);
  return {
    server: url,
    authority: Buffer.from(stringAt(cluster, 'cluster', 'certificate-authority-data') ?? '', 'base64'),
    token: stringAt(user, 'user', 'token') ?? '',
  };
}
