import { Agent, type AgentOptions } from 'node:https';
import type { Connection, Credentials } from '../connection/connection.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** Connections to one server as one client: few that requests share, and one for each watch, which is never given back. */
export interface Pools {
  readonly requests: Agent;
  readonly watches: Agent;
  /** lets what is under way end; nothing new may begin */
  retire(): void;
  destroy(): void;
}

const KEEP_ALIVE = 30_000;
/** API servers end a connection that idles for 90 s; a request that is sent just then is lost, and may not be sent again. */
const IDLE = 45_000;

export function makePools(connection: Connection, { certificate, key }: Credentials, maxSockets: number): Pools {
  const tls: AgentOptions = {
    ...(connection.authority !== undefined && { ca: connection.authority }),
    ...(connection.serverName !== undefined && { servername: connection.serverName }),
    ...(certificate !== undefined && key !== undefined && { cert: certificate, key }),
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  };
  // the last one used is taken first, so that those of a burst end again
  const agent = (options: AgentOptions): Agent =>
    connection.proxy === undefined ? new Agent(options) : new TunnelAgent(connection.proxy, options);
  const requests = agent({ ...tls, keepAlive: true, keepAliveMsecs: KEEP_ALIVE, maxSockets, scheduling: 'lifo', timeout: IDLE });
  const watches = agent({ ...tls, keepAlive: false });
  return {
    requests,
    watches,
    retire: () => {
      for (const sockets of Object.values(requests.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    destroy: () => {
      requests.destroy();
      watches.destroy();
    },
  };
}
