import { expect, test } from 'vitest';
import { proxyOf } from '../../../src/kube/connection/proxy-of.ts';

const PROXY = { HTTPS_PROXY: 'http://proxy:3128' };

test.each<[string, string, string | undefined]>([
  ['https://api.corp.example:6443', '', 'http://proxy:3128'],
  ['https://api.corp.example:6443', '*', undefined],
  ['https://api.corp.example:6443', 'corp.example', undefined],
  ['https://api.corp.example:6443', ' .corp.example , x', undefined],
  ['https://api.corp.example:6443', '*.corp.example', undefined],
  ['https://API.corp.example:6443', 'api.CORP.example', undefined],
  ['https://api.corp.example:6443', 'api.corp.example:6443', undefined],
  ['https://api.corp.example:6443', 'api.corp.example:443', 'http://proxy:3128'],
  ['https://api.corp.example', 'api.corp.example:443', undefined],
  ['https://corp.example', '.corp.example', 'http://proxy:3128'],
  ['https://notcorp.example', 'corp.example', 'http://proxy:3128'],
  ['https://10.1.2.3:6443', '10.0.0.0/8', undefined],
  ['https://10.1.2.3:6443', '10.1.2.3', undefined],
  ['https://10.1.2.3:6443', '10.1.2.3:6443', undefined],
  ['https://10.1.2.3:6443', '10.1.2.3:443,11.0.0.0/8,2.3', 'http://proxy:3128'],
  ['https://[fd00::1]:6443', 'fd00::/8', undefined],
  ['https://[fd00::1]:6443', 'fd00:0::1', undefined],
  ['https://127.0.0.1:6443', '', undefined],
  ['https://[::1]:6443', '', undefined],
  ['https://localhost:6443', '', undefined],
])('%s with NO_PROXY %j goes through %s', (server, spared, proxy) => {
  expect(proxyOf(new URL(server), undefined, { ...PROXY, NO_PROXY: spared })).toBe(proxy);
});

test('the proxy that a kubeconfig names is taken whatever the environment says', () => {
  expect(proxyOf(new URL('https://127.0.0.1'), 'http://named', { ...PROXY, NO_PROXY: '*' })).toBe('http://named');
});

test('both spellings are read, and a proxy without a scheme is an http one', () => {
  expect(proxyOf(new URL('https://a'), undefined, { https_proxy: 'proxy:3128' })).toBe('http://proxy:3128');
  expect(proxyOf(new URL('https://a'), undefined, { https_proxy: 'p', no_proxy: 'a' })).toBeUndefined();
  expect(proxyOf(new URL('https://a'), undefined, { HTTP_PROXY: 'p' })).toBeUndefined();
});
