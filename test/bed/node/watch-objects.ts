import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServer } from '../api-server.ts';

export interface Watch {
  stop(): void;
}

/** Hands on each object that is there, is made or changes, one after another, as the admin; begins anew where the stream ends. */
export function watchObjects<T>({ url, credentials }: ApiServer, path: string, seen: (object: T) => Promise<void>): Watch {
  const stopped = new AbortController();
  const headers = { authorization: `Bearer ${credentials.adminToken}` };
  const once = async (): Promise<void> => {
    const asked = request(`${url}${path}?watch=true`, { ca: credentials.authority, agent: false, headers, signal: stopped.signal });
    const lines = await new Promise<AsyncIterable<string>>((resolve, reject) => {
      asked.on('error', reject).on('response', (response) => resolve(createInterface(response.on('error', () => undefined))));
      asked.end();
    });
    for await (const line of lines) {
      const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: T };
      if (type === 'ADDED' || type === 'MODIFIED') await seen(object);
    }
  };
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await once().catch((error: unknown) => {
        // an API server that is being started anew does not answer
        if (!stopped.signal.aborted && !`${error}`.includes('ECONN')) process.stderr.write(`watch of ${path}: ${error}\n`);
      });
      await sleep(200);
    }
  };
  void run();
  return { stop: () => stopped.abort() };
}
