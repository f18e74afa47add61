import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Runs with a free port; once more with another, where somebody took it in between. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(await freePort());
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('address already in use')) throw error;
    return start(await freePort());
  }
}

/**
 * A port of 127.0.0.1 that nobody listens on, below those that the kernel gives to outgoing connections: an API server makes a
 * hundred to its etcd, and one of them could take the port before a server listens there.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(10_000, 30_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port was found on 127.0.0.1');
}

async function isFree(port: number): Promise<boolean> {
  const listener = createServer().listen(port, '127.0.0.1');
  try {
    await once(listener, 'listening');
  } catch {
    return false;
  }
  listener.close();
  await once(listener, 'close');
  return true;
}
