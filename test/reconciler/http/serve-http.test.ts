import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseBindAddress } from '../../../src/reconciler/http/bind-address.ts';
import { type Checks, probeRoutes } from '../../../src/reconciler/http/probes.ts';
import { type Routes, serveHttp } from '../../../src/reconciler/http/serve-http.ts';

async function serve(routes: Routes): Promise<{ url: string; errors: unknown[]; stop(): void }> {
  const errors: unknown[] = [];
  const { address, stop } = await serveHttp(routes, { host: '127.0.0.1', port: 0 }, (error) => errors.push(error));
  onTestFinished(stop);
  return { url: `http://${address}`, errors, stop };
}

describe('addresses to listen at', () => {
  test.each([
    [':8080', { port: 8080 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:8081', { host: '::1', port: 8081 }],
    ['localhost:80', { host: 'localhost', port: 80 }],
    ['0', 'none'],
    ['8080', undefined],
    [':70000', undefined],
    ['::1:80', undefined],
    ['http://x:80', undefined],
    ['', undefined],
  ])('%s', (text, address) => {
    expect(parseBindAddress(text)).toEqual(address);
  });
});

describe('a server', () => {
  test('answers GET and HEAD under its paths, and nothing else', async () => {
    const { url } = await serve({ '/a': () => ({ code: 200, text: 'here\n' }) });
    const got = await fetch(`${url}/a?verbose`);
    expect([got.status, await got.text(), got.headers.get('content-type')]).toEqual([200, 'here\n', 'text/plain; charset=utf-8']);
    const head = await fetch(`${url}/a`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(`${url}/b`)).status).toBe(404);
    expect((await fetch(`${url}/constructor`)).status).toBe(404);
    expect((await fetch(`${url}/a`, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('says nothing of a defect to who asks, and tells who runs it', async () => {
    const { url, errors } = await serve({
      '/a': () => {
        throw new Error('with a secret');
      },
    });
    const got = await fetch(`${url}/a`);
    expect([got.status, await got.text()]).toEqual([500, 'a defect; see the log\n']);
    expect(errors).toEqual([new Error('with a secret')]);
  });

  test('that stops ends also those connections on which nothing is asked', async () => {
    const { url, stop } = await serve({});
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    stop();
    await closed;
  });

  test('fails where somebody else listens', async () => {
    const { url } = await serve({});
    await expect(serveHttp({}, { host: '127.0.0.1', port: Number(new URL(url).port) }, () => undefined)).rejects.toThrow('EADDRINUSE');
  });
});

describe('probes', () => {
  test('are alive while they answer, ready while nothing is in the way', async () => {
    let why: string | undefined = 'pods: no list yet';
    const checks: Checks = { caches: () => why, shutdown: () => undefined };
    const { url } = await serve(probeRoutes(checks, () => 'standing by'));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const before = await fetch(`${url}/readyz`);
    expect([before.status, await before.text()]).toEqual([503, '[-]caches pods: no list yet\n[+]shutdown ok\nnot ready\n']);
    why = undefined;
    const after = await fetch(`${url}/readyz`);
    expect([after.status, await after.text()]).toEqual([200, '[+]caches ok\n[+]shutdown ok\nok: standing by\n']);
  });
});
