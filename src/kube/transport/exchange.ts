import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Agent } from 'node:https';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { failed, type Result } from '../failure.ts';
import { onAbort } from '../on-abort.ts';
import { timeoutFailure, wayFailure } from './way-failure.ts';

export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  readonly agent: Agent;
  /** milliseconds until the head of the answer is there */
  readonly headWithin: number;
  readonly signal: AbortSignal;
  /** told which connection it goes over, which may have been used before */
  readonly onSocket: (socket: Socket) => void;
}

/** The head of an answer, its body still to come. `end` may be called at any time, and more than once. */
export interface Head {
  readonly response: IncomingMessage;
  end(reason?: Error): void;
}

const KEEP_ALIVE = 30_000;

/**
 * One request, up to the head of its answer. Until `end` is called the signal ends it.
 * @throws the signal's reason
 */
export async function exchange(what: Exchange): Promise<Result<Head>> {
  const first = await attempt(what);
  // the server ended a connection that idled, as this request was sent on it: it was not read
  if (first.stale && what.method === 'GET') return (await attempt(what)).result;
  return first.result;
}

interface Attempt {
  readonly result: Result<Head>;
  readonly stale: boolean;
}

function attempt({ url, method, headers, body, agent, headWithin, signal, onSocket }: Exchange): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const sent: ClientRequest = httpsRequest(url, { method, headers, agent });
    // settled here and below, and not by the error that follows: what waits for a connection has none before it gets one
    const timer = setTimeout(() => {
      end();
      sent.destroy();
      resolve({
        result: failed(timeoutFailure(url.origin, `did not begin to answer ${method} ${url.pathname}`, headWithin)),
        stale: false,
      });
    }, headWithin);
    let response: IncomingMessage | undefined;
    const abort = (): void => {
      // an answer whose body is being read has to end with the reason; a request has nobody to tell it to
      response?.destroy(asError(signal.reason));
      sent.destroy();
      end();
      reject(signal.reason);
    };
    const forget = onAbort(signal, abort);
    const end = (reason?: Error): void => {
      clearTimeout(timer);
      forget();
      if (reason !== undefined) response?.destroy(reason);
    };
    sent.on('socket', (socket) => {
      socket.setKeepAlive(true, KEEP_ALIVE);
      onSocket(socket);
    });
    sent.on('response', (message) => {
      response = message;
      clearTimeout(timer);
      resolve({ result: { value: { response: message, end } }, stale: false });
    });
    sent.on('error', (error) => {
      // once the head is there, the body's reader is told
      if (response !== undefined) return;
      end();
      resolve({ result: failed(wayFailure(error, url.origin)), stale: sent.reusedSocket });
    });
    sent.end(body);
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
