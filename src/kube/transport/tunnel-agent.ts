import { request as httpRequest } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** Milliseconds in which a proxy has to be through to the server. */
const WITHIN = 30_000;

/** Connections that a proxy makes: TLS is spoken with the server itself, so the proxy sees an address and nothing else. */
export class TunnelAgent extends Agent {
  readonly #proxy: URL;

  constructor(proxy: string, options: AgentOptions) {
    super(options);
    this.#proxy = new URL(proxy);
  }

  override createConnection(options: RequestOptions, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    // of a failure Node reads the error alone; its types want a stream too
    const fail = (error: Error): void => callback?.(error, new Duplex());
    const { host, port } = options;
    const authority = `${host?.includes(':') ? `[${host}]` : host}:${port ?? 443}`;
    const { protocol, hostname, username, password } = this.#proxy;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const ask = (protocol === 'https:' ? httpsRequest : httpRequest)({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: this.#proxy.port || (protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      agent: false,
      timeout: WITHIN,
      headers: {
        host: authority,
        ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
    });
    ask.on('connect', (answer, socket) => {
      if (answer.statusCode === 200) callback?.(null, connect({ ...tlsOptions(options), socket }));
      else {
        socket.destroy();
        fail(proxyError(`PROXY_${answer.statusCode}`));
      }
    });
    // an answer to CONNECT that is none
    ask.on('response', (answer) => {
      answer.destroy();
      fail(proxyError(`PROXY_${answer.statusCode}`));
    });
    ask.on('timeout', () => ask.destroy(proxyError('PROXY_TIMEOUT')));
    ask.on('error', fail);
    ask.end();
    return undefined;
  }
}

/** What TLS takes of a request; where to connect is the proxy's affair, and the agent has put the rest in. */
function tlsOptions(options: RequestOptions): object {
  const { path: _, socketPath: __, ...tls } = options;
  return tls;
}

function proxyError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
