import type { ResourceKind } from '../../src/schema/config-kinds.ts';
import { fieldsOf } from '../../src/schema/fields.ts';
import { type Json, type JsonObject, own, put } from '../../src/schema/json.ts';
import { isolationProfile, syncPolicy, tenantCluster } from './manifests.ts';

const BASES: Partial<Record<ResourceKind, () => JsonObject>> = {
  TenantCluster: () =>
    tenantCluster({
      expects: [{ kind: 'Secret', name: 'db' }],
      nodePool: { nodeSelector: { pool: 'dev' }, tolerations: [{ key: 'pool', operator: 'Equal', value: 'dev', effect: 'NoExecute' }] },
    }),
  IsolationProfile: () =>
    isolationProfile({
      allow: { tolerations: [{ key: 'gpu' }] },
      network: { dnsPeers: [{ namespace: 'kube-system' }] },
      quota: { pods: '5' },
    }),
  SyncPolicy: () =>
    syncPolicy({
      resources: [
        {
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          direction: 'toHost',
          scope: 'Namespaced',
          references: [{ path: 'spec.secret', kind: 'Secret' }],
          selectors: [{ path: 'spec.selector' }],
          labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
        },
      ],
    }),
};

/** Values of every type; none is right everywhere, and most are right somewhere. */
export const ODD_VALUES: readonly Json[] = [
  ...[null, true, 0, 1, -1, 1.5, 70_000],
  ...[
    '',
    'x',
    'X',
    '1',
    '1.5',
    '500m',
    '1Gi',
    '-1',
    '30s',
    'true',
    'a.b',
    'a/b',
    '*.a.b',
    '10.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
    '::ffff:1.2.3.4',
  ],
  ...[
    'v1',
    'apps/v1',
    'v1.34',
    '1.34.1',
    'Secret',
    'Exists',
    'server',
    'manual',
    '{tenant}.a',
    'a b',
    'ü',
    `${'a'.repeat(64)}`,
    `${'a'.repeat(254)}`,
  ],
  [],
  [null],
  ['x'],
  [{}],
  {},
  { x: null },
  { x: 'y' },
];

/** Each field of each kind that people write, set to each odd value. */
export function mutations(): { readonly name: string; readonly object: JsonObject }[] {
  const made: { name: string; object: JsonObject }[] = [];
  for (const [kind, base] of Object.entries(BASES)) {
    for (const { path } of fieldsOf(kind as ResourceKind)) {
      for (const value of ODD_VALUES) {
        const object = base();
        if (set(object, path.split('.'), value)) made.push({ name: `${kind} ${path} = ${JSON.stringify(value)}`, object });
      }
    }
  }
  return made;
}

function set(root: JsonObject, steps: readonly string[], value: Json): boolean {
  let node: Json | undefined = root;
  for (const [index, step] of steps.entries()) {
    const key = step.replace(/(\[\])?(\{\})?$/, '');
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return false;
    if (index === steps.length - 1) {
      put(node, key, structuredClone(value));
      return true;
    }
    let next: Json | undefined = own(node, key);
    if (next === undefined) {
      next = step.endsWith('[]') ? [{}] : {};
      put(node, key, next);
    }
    node = step.endsWith('[]') && Array.isArray(next) ? next[0] : next;
  }
  return false;
}
