import { X509Certificate } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Json } from '../../core/kube/json.ts';
import { writeJson } from '../../core/kube/write-json.ts';
import type { Clock } from '../clock.ts';
import { type Connection, type Credentials, CredentialsError } from '../connection/connection.ts';
import { type Failure, failed, type Result } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import { statusFailure } from '../status-failure.ts';
import { exchange, type Head } from './exchange.ts';
import { makePools, type Pools } from './pools.ts';
import { readBody } from './read-body.ts';
import { certificateFailure } from './way-failure.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** encoded, with its query: see resource-path.ts */
  readonly path: string;
  readonly accept?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: { readonly type: string; readonly value: Json };
  /** milliseconds for the whole answer, or up to its head where it is streamed */
  readonly within?: number;
  /** bytes of the answer's body */
  readonly most?: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly code: number;
  readonly text: string;
  header(name: string): string | undefined;
}

export interface Stream {
  /** pieces of the body; what goes wrong on the way is thrown, `wayFailure` reads it */
  readonly chunks: AsyncIterable<Buffer>;
  /** ends it; the reader is told the reason */
  end(reason: Error): void;
}

/** One client of one API server. What the server refuses is a value; only what was aborted is thrown. */
export interface Transport {
  readonly server: string;
  send(request: ApiRequest): Promise<Result<Answer>>;
  stream(request: ApiRequest): Promise<Result<Stream>>;
  /** that are open: those of requests, of watches, and those that idle */
  connections(): number;
  /** ends what is under way and closes all connections */
  close(): void;
}

export interface TransportOptions {
  readonly clock: Clock;
  /** connections that requests share; watches have one each */
  readonly maxSockets?: number;
  readonly userAgent?: string;
  /** told of each request that was sent, once the answer has begun or it is known that none comes; for metrics */
  readonly onRequest?: (what: SentRequest) => void;
}

export interface SentRequest {
  readonly method: string;
  /** undefined where no answer came */
  readonly code: number | undefined;
  readonly milliseconds: number;
}

const WITHIN = 30_000;
/** 500 objects of a usual size are 5 MB; a page of this size is a mistake or an attack. */
const MOST = 64 * 1024 * 1024;

export function openTransport(connection: Connection, options: TransportOptions): Transport {
  const { clock, maxSockets = 8, userAgent = 'tenantplane', onRequest } = options;
  const base = connection.server.replace(/\/+$/, '');
  let closed = false;
  const sockets = new Set<Socket>();
  /** one for each client certificate that was used; the last one is in use */
  const pools: { readonly of: Credentials; readonly made: Pools }[] = [];

  function poolsFor(credentials: Credentials): Pools {
    const last = pools.at(-1);
    if (last !== undefined && last.of.certificate === credentials.certificate && last.of.key === credentials.key) return last.made;
    last?.made.retire();
    const made = makePools(connection, credentials, maxSockets);
    pools.push({ of: credentials, made });
    return made;
  }

  async function credentialsNow(signal: AbortSignal): Promise<Result<Credentials>> {
    try {
      return { value: await connection.credentials.current(signal) };
    } catch (error) {
      if (!(error instanceof CredentialsError)) throw error;
      return failed({ kind: 'credentials', message: error.message });
    }
  }

  function opened(socket: Socket): void {
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  async function attempt(request: ApiRequest, kind: Kind, credentials: Credentials): Promise<Result<Head>> {
    if (closed) throw new Error(`The client of ${base} is closed.`);
    const { method = 'GET', path, body, within = WITHIN } = request;
    const begun = clock.now();
    const text = body === undefined ? undefined : writeJson(body.value);
    const head = await exchange({
      url: new URL(`${base}${path}`),
      method,
      headers: {
        accept: request.accept ?? 'application/json',
        'user-agent': userAgent,
        ...(body !== undefined && text !== undefined && { 'content-type': body.type, 'content-length': Buffer.byteLength(text) }),
        ...(credentials.token !== undefined && { authorization: `Bearer ${credentials.token}` }),
        ...impersonation(connection),
        ...request.headers,
      },
      ...(text !== undefined && { body: text }),
      agent: poolsFor(credentials)[kind],
      headWithin: within,
      signal: request.signal,
      onSocket: opened,
    });
    onRequest?.({ method, code: 'value' in head ? head.value.response.statusCode : undefined, milliseconds: clock.now() - begun });
    return head;
  }

  /** Asks; once more where the server took the credentials for nobody's and there may be others now. */
  async function ask(request: ApiRequest, kind: Kind): Promise<Result<Head>> {
    const credentials = await credentialsNow(request.signal);
    if ('failure' in credentials) return credentials;
    const head = await attempt(request, kind, credentials.value);
    if ('failure' in head || head.value.response.statusCode !== 401) return head;
    const refusal = await refusalOf(head.value, request, base);
    if (connection.credentials.refused(credentials.value)) {
      const others = await credentialsNow(request.signal);
      if ('failure' in others) return others;
      if (!same(credentials.value, others.value)) return attempt(request, kind, others.value);
    }
    // API servers take a certificate that has ended for no certificate at all, so they never say that it has
    return failed(hasEnded(credentials.value, clock.wall()) ? certificateFailure('client', 'expired', base) : refusal);
  }

  return {
    server: base,
    send: async (request) => {
      const asked = await ask(request, 'requests');
      if ('failure' in asked) return asked;
      const { response } = asked.value;
      const body = await readBody(asked.value, { most: MOST, within: WITHIN, server: base, ...request });
      if ('failure' in body) return body;
      const code = response.statusCode ?? 0;
      if (code === 304 || (code >= 200 && code < 300)) {
        return { value: { code, text: body.value, header: (name) => headerOf(response, name) } };
      }
      return failed(statusOf(response, body.value));
    },
    stream: async (request) => {
      const asked = await ask(request, 'watches');
      if ('failure' in asked) return asked;
      if (asked.value.response.statusCode !== 200) return failed(await refusalOf(asked.value, request, base));
      return { value: { chunks: chunksOf(asked.value), end: asked.value.end } };
    },
    connections: () => sockets.size,
    close: () => {
      closed = true;
      for (const { made } of pools) made.destroy();
    },
  };
}

type Kind = 'requests' | 'watches';

async function* chunksOf(head: Head): AsyncGenerator<Buffer> {
  try {
    yield* head.response as AsyncIterable<Buffer>;
  } finally {
    head.end();
  }
}

/** More than a Status holds is not read. */
const STATUS_BYTES = 1024 * 1024;

async function refusalOf(head: Head, request: ApiRequest, server: string): Promise<Failure> {
  const body = await readBody(head, { within: WITHIN, server, ...request, most: STATUS_BYTES });
  return 'failure' in body ? body.failure : statusOf(head.response, body.value);
}

function statusOf(response: IncomingMessage, text: string): Failure {
  let body: Json | undefined;
  try {
    body = parseJson(text);
  } catch {
    body = undefined; // a proxy's page
  }
  return statusFailure(response.statusCode ?? 0, body, headerOf(response, 'retry-after'));
}

function headerOf(response: IncomingMessage, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function impersonation({ impersonate }: Connection): OutgoingHttpHeaders {
  if (impersonate === undefined) return {};
  return {
    'impersonate-user': impersonate.user,
    ...(impersonate.groups.length > 0 && { 'impersonate-group': [...impersonate.groups] }),
    ...(impersonate.uid !== undefined && { 'impersonate-uid': impersonate.uid }),
  };
}

function same(a: Credentials, b: Credentials): boolean {
  return a.token === b.token && a.certificate === b.certificate && a.key === b.key;
}

function hasEnded({ certificate }: Credentials, now: number): boolean {
  return certificate !== undefined && Date.parse(new X509Certificate(certificate).validTo) <= now;
}
