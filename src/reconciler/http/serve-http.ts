import { createServer, type Server } from 'node:http';
import type { BindAddress } from './bind-address.ts';

export interface Reply {
  readonly code: number;
  readonly type?: string;
  readonly text: string;
}

/** What is served under each path, to who asks with GET or HEAD. */
export type Routes = Readonly<Record<string, () => Reply | Promise<Reply>>>;

export interface Serving {
  /** where it listens; the port is known only now, if 0 was asked for */
  readonly address: string;
  stop(): void;
}

/** Milliseconds: who asks for a probe or a scrape says so at once. */
const PATIENCE = 10_000;

/** @throws what the system says where it cannot listen there */
export function serveHttp(routes: Routes, { host, port }: BindAddress, onError: (error: unknown) => void): Promise<Serving> {
  const server = createServer({ requestTimeout: PATIENCE, headersTimeout: PATIENCE, keepAliveTimeout: PATIENCE }, (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    void reply(request.method ?? '', Object.hasOwn(routes, path) ? routes[path] : undefined, onError).then(
      ({ code, type = 'text/plain; charset=utf-8', text }) => {
        response.writeHead(code, { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
    );
  });
  // scrapers and kubelets are few; whoever opens more means no good
  server.maxConnections = 64;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject).on('error', onError);
      resolve({
        address: addressOf(server),
        stop: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

async function reply(method: string, route: Routes[string] | undefined, onError: (error: unknown) => void): Promise<Reply> {
  if (route === undefined) return { code: 404, text: 'not found\n' };
  if (method !== 'GET' && method !== 'HEAD') return { code: 405, text: 'only GET\n' };
  try {
    return await route();
  } catch (error) {
    onError(error);
    return { code: 500, text: 'a defect; see the log\n' };
  }
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return address ?? '';
  return `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
