import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy that makes connections (CONNECT) for those who know its password. */
export interface ConnectProxy {
  readonly port: number;
  /** where it was asked to connect to: `host:port` */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

export async function startConnectProxy(user: string, password: string): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const server = createServer();
  server.on('connect', ({ url = '', headers }, client: Socket, head) => {
    asked.push(url);
    if (headers['proxy-authorization'] !== wanted) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    stop: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
