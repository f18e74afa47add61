import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The way between a client and a server on loopback, which a test can spoil. It hands bytes on and does not read them. */
export interface FaultProxy {
  readonly port: number;
  /** connections that were made through it, since it began */
  connections(): number;
  /** connections that are open now */
  open(): number;
  /** ends all connections at once, in the middle of what they carry */
  cut(): void;
  /** takes everything and hands nothing on, nor tells anybody that a side is gone: what a lost route looks like */
  freeze(): void;
  thaw(): void;
  /** the same for the connections that are open, for good; new ones work */
  strand(): void;
  /** ends new connections as soon as they are made */
  refuse(refusing: boolean): void;
  /** hands on what the server sends in small pieces, with so many milliseconds between two; undefined ends that */
  slow(milliseconds: number | undefined): void;
  stop(): Promise<void>;
}

const PIECE = 512;

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const [sockets, stranded] = [new Set<Socket>(), new Set<Socket>()];
  const state = { frozen: false, refusing: false, pause: undefined as number | undefined, made: 0 };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (state.refusing) {
      client.resetAndDestroy();
      return;
    }
    state.made += 1;
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (state.frozen) from.pause();
      let queue = Promise.resolve();
      from.on('data', (bytes: Buffer) => {
        if (from === upstream) queue = queue.then(() => pieces(bytes, to));
        else to.write(bytes);
      });
      from.on('end', () => {
        if (!state.frozen && !stranded.has(from)) to.end();
      });
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          if (!state.frozen && !stranded.has(from)) to.destroy();
        });
    }
  });

  async function pieces(bytes: Buffer, to: Socket): Promise<void> {
    for (let start = 0; start < bytes.length; ) {
      const size = state.pause === undefined ? bytes.length : PIECE;
      to.write(bytes.subarray(start, start + size));
      start += size;
      if (state.pause !== undefined) await sleep(state.pause);
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    connections: () => state.made,
    open: () => sockets.size / 2,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    freeze: () => {
      state.frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      state.frozen = false;
      for (const socket of sockets) if (!stranded.has(socket)) socket.resume();
    },
    strand: () => {
      for (const socket of sockets) {
        stranded.add(socket);
        socket.pause();
      }
    },
    refuse: (refusing) => {
      state.refusing = refusing;
    },
    slow: (milliseconds) => {
      state.pause = milliseconds;
    },
    stop: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
