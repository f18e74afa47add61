import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { KubeObject } from '../../src/core/kube/object.ts';
import { type Connection, fixedCredentials } from '../../src/kube/connection/connection.ts';
import { parseJson } from '../../src/kube/parse-json.ts';
import { makeCertificate } from './certificates.ts';
import type { LeaseHost } from './lease-host.ts';

export interface WatchedHost {
  readonly connection: Connection;
  /** `METHOD kind` of what is written, but for the Lease */
  readonly written: readonly string[];
  /** requests for `/slow` that wait for `answer` */
  slow(): number;
  answer(): void;
  /** answers no write any more, but for the Lease */
  hold(): void;
  /** ends all connections */
  hangUp(): void;
}

const WHOLE = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } } };

/** A host over HTTPS that has these TenantClusters, one Lease and nothing else, for whole processes whose time a test moves. */
export async function watchedHost(tenantClusters: readonly KubeObject[], leases: LeaseHost): Promise<WatchedHost> {
  const { certificate: cert, key } = makeCertificate({ subject: '/CN=host' });
  const slow = new Set<ServerResponse>();
  const written: string[] = [];
  let held = false;

  async function lease(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(Buffer.from(chunk));
    const text = Buffer.concat(body).toString('utf8');
    const value = text === '' ? undefined : { type: 'application/json', value: parseJson(text) };
    const { url: path = '', method = 'GET' } = request;
    const signal = new AbortController().signal;
    const done = await leases.send({
      path,
      method: method === 'PUT' || method === 'POST' ? method : 'GET',
      signal,
      ...(value && { body: value }),
    });
    if ('value' in done) return void response.end(done.value.text);
    const { failure } = done;
    response.statusCode = failure.kind === 'status' ? failure.code : 500;
    response.end(JSON.stringify(failure));
  }

  const server = createServer({ cert, key }, (request, response) => {
    const path = request.url ?? '';
    if (path.includes('/leases')) return void lease(request, response);
    if (path === '/slow') return void slow.add(response);
    if (request.method !== 'GET') {
      written.push(`${request.method} ${/\/([a-z]+)(\?|$)/.exec(path)?.[1]}`);
      if (!held) response.end('{}');
      return;
    }
    // every other request is a streaming list
    const objects = path.includes('/tenantclusters') ? tenantClusters : [];
    for (const event of [...objects.map((object) => ({ type: 'ADDED', object })), WHOLE]) response.write(`${JSON.stringify(event)}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    connection: { server: `https://127.0.0.1:${port}`, authority: cert, credentials: fixedCredentials({}) },
    written,
    slow: () => slow.size,
    answer: () => {
      for (const each of slow) each.end('{}');
      slow.clear();
    },
    hold: () => {
      held = true;
    },
    hangUp: () => server.closeAllConnections(),
  };
}
