import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.ts';

/** What is done to a request in place of handing it on as it is. */
export type Fault =
  /** answered here, by what a server or a proxy in between would say */
  | { readonly code: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** handed on, to another path */
  | { readonly path: string }
  /** never answered */
  | 'silence';

export interface Seen {
  readonly method: string;
  /** with its query */
  readonly path: string;
  readonly accept: string;
  readonly token: string;
}

/** Stands before a real API server and speaks HTTP with both sides: what a rule says nothing of, goes through untouched. */
export interface HttpFaultProxy {
  readonly url: string;
  /** what was asked, in order */
  readonly seen: readonly Seen[];
  /** what was answered, as each answer ended */
  readonly codes: readonly number[];
  /** may be changed at any time; what it waits for, the request waits for */
  rule: (seen: Seen) => Fault | undefined | Promise<Fault | undefined>;
  /** shows another certificate to connections that are made from now on */
  show(certificate: Certificate): void;
  /** ends all connections at once, in the middle of what they carry */
  cut(): void;
  stop(): Promise<void>;
}

interface Options {
  readonly target: string;
  /** PEM of the target's CA */
  readonly authority: string;
  /** what this side shows */
  readonly certificate: Certificate;
}

export async function startHttpFaultProxy({ target, authority, certificate }: Options): Promise<HttpFaultProxy> {
  const agent = new Agent({ ca: authority, keepAlive: true });
  const [seen, codes]: [Seen[], number[]] = [[], []];
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (asked, answer) => {
    const { method = '', url = '', headers } = asked;
    const look = { method, path: url, accept: headers.accept ?? '', token: headers.authorization ?? '' };
    seen.push(look);
    void Promise.resolve(proxy.rule(look)).then((fault) => {
      if (fault === 'silence') return;
      if (fault !== undefined && 'code' in fault) answer.writeHead(fault.code, fault.headers).end(fault.body ?? '');
      else forward(asked, answer, `${target}${fault?.path ?? url}`, agent);
    });
    answer.on('finish', () => codes.push(answer.statusCode));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: HttpFaultProxy = {
    url: `https://127.0.0.1:${port}`,
    seen,
    codes,
    rule: () => undefined,
    show: (next) => server.setSecureContext({ cert: next.certificate, key: next.key }),
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}

function forward(asked: IncomingMessage, answer: ServerResponse, url: string, agent: Agent): void {
  const onward = request(url, { method: asked.method ?? 'GET', headers: { ...asked.headers, host: new URL(url).host }, agent });
  onward.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    // the head of a watch goes out before its first event, as the server sends it
    answer.flushHeaders();
    response.pipe(answer);
    response.on('error', () => answer.destroy());
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}
