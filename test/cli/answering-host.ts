import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { scratch } from './tree/disk.ts';

const pem = (name: string): string => readFileSync(fileURLToPath(new URL(`../fixtures/loopback/${name}.pem`, import.meta.url)), 'utf8');

/** What is answered to a path: a body, with 200 where nothing else is said; where it is not the same each time, what says so. */
export type Answers = Readonly<Record<string, Answer | (() => Answer)>>;
type Answer = string | { readonly code: number; readonly body: string };

const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { configmaps: 'ConfigMap' },
  'networking.k8s.io': { servicecidrs: 'ServiceCIDR', ingressclasses: 'IngressClass' },
  'node.k8s.io': { runtimeclasses: 'RuntimeClass' },
  'scheduling.k8s.io': { priorityclasses: 'PriorityClass' },
  'storage.k8s.io': { storageclasses: 'StorageClass' },
};

/** Discovery as API servers serve it, of what facts are found in and of what else is named. */
export function groups(...more: readonly string[]): string {
  const entry = (group: string, kinds: Readonly<Record<string, string>>): object => ({
    metadata: { name: group },
    versions: [
      {
        version: 'v1',
        resources: Object.entries(kinds).map(([resource, kind]) => ({ resource, responseKind: { kind }, scope: 'Cluster' })),
      },
    ],
  });
  const items = [...Object.entries(GROUPS).filter(([group]) => group !== ''), ...more.map((group) => [group, {}] as const)];
  return JSON.stringify({ kind: 'APIGroupDiscoveryList', items: items.map(([group, kinds]) => entry(group, kinds)) });
}

const CORE = JSON.stringify({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: '' },
      versions: [{ version: 'v1', resources: [{ resource: 'configmaps', responseKind: { kind: 'ConfigMap' }, scope: 'Namespaced' }] }],
    },
  ],
});

/**
 * Starts a server that answers as a host does, where nothing else is said with an empty list.
 * @returns the path of a kubeconfig that names it
 */
export async function answeringHost(answers: Answers = {}): Promise<string> {
  const all: Answers = { '/version': '{"gitVersion": "v1.34.1"}', '/api': CORE, '/apis': groups(), ...answers };
  const server = createServer({ cert: pem('certificate'), key: pem('key') }, ({ url = '' }, response) => {
    const said = all[url.split('?')[0] ?? ''] ?? '{"items": []}';
    const found = typeof said === 'function' ? said() : said;
    const { code, body } = typeof found === 'string' ? { code: 200, body: found } : found;
    response.writeHead(code, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return kubeconfig(`https://127.0.0.1:${port}`, { token: 'test' });
}

/** @returns its path */
export function kubeconfig(server: string, user: object): string {
  const path = join(scratch(), 'kubeconfig');
  const config = {
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': Buffer.from(pem('certificate')).toString('base64') } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
