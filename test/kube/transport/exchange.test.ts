import { once } from 'node:events';
import { Agent } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Exchange, exchange } from '../../../src/kube/transport/exchange.ts';

/** Requests over the one connection that there may be, to a server that never answers. */
async function mute(): Promise<(headWithin: number, signal: AbortSignal) => ReturnType<typeof exchange>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const what: Omit<Exchange, 'headWithin' | 'signal'> = {
    url: new URL(`https://127.0.0.1:${port}/x`),
    method: 'GET',
    headers: {},
    agent,
    onSocket: () => undefined,
  };
  return (headWithin, signal) => exchange({ ...what, headWithin, signal });
}

test('a request that waits for a connection waits no longer than it may, and ends when it is told to', async () => {
  const ask = await mute();
  const [stop, own] = [new AbortController(), new AbortController()];
  let done = false;
  const before = ask(60_000, stop.signal).catch((error: unknown) => {
    done = true;
    return error;
  });
  expect(await ask(20, stop.signal)).toMatchObject({ failure: { kind: 'timeout' } });
  const told = ask(60_000, own.signal).catch((error: unknown) => error);
  own.abort('enough');
  expect(await told).toBe('enough');
  expect(done).toBe(false);
  stop.abort('all of them');
  expect(await before).toBe('all of them');
  // those that were given up have left the connection to who comes after
  expect(await ask(20, new AbortController().signal)).toMatchObject({ failure: { kind: 'timeout' } });
});
