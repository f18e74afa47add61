import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/core/kube/json.ts';
import type { InputObject } from '../../src/core/plan/plan-types.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { DEFAULT_CONFIG, type Rendered, render } from './example.ts';

/** The public Online Boutique demo, which is not part of this repository. */
const FOLDER = join(import.meta.dirname, '../../../shared/inputs/microservices-demo');
/** Whether it is beside the checkout; where it is not, a suite says that it skips it. */
export const BOUTIQUE_PRESENT: boolean = existsSync(FOLDER);
if (!BOUTIQUE_PRESENT) console.warn('microservices-demo: skipped, since ../shared/inputs/microservices-demo is not beside the checkout');

export type Level = 'baseline' | 'restricted' | 'sandboxed';
export const LEVELS: readonly Level[] = ['baseline', 'restricted', 'sandboxed'];
export type EgressPolicy = 'deny-by-default' | 'allow-same-tenant';
const KINDS = ['apps/v1 Deployment', 'v1 Service', 'networking.k8s.io/v1 NetworkPolicy'];

function platform(level: Level, egressPolicy: EgressPolicy): JsonObject[] {
  const apiVersion = 'tenantplane.io/v1alpha1';
  return [
    { apiVersion, kind: 'IsolationProfile', metadata: { name: level }, spec: { level } },
    {
      apiVersion,
      kind: 'SyncPolicy',
      metadata: { name: 'demo' },
      spec: {
        resources: KINDS.map((kind) => ({ apiVersion: kind.split(' ')[0] ?? '', kind: kind.split(' ')[1] ?? '', direction: 'toHost' })),
      },
    },
    {
      apiVersion,
      kind: 'TenantCluster',
      metadata: { name: 'demo', namespace: 'boutique' },
      spec: {
        isolationProfileRef: { name: level },
        syncPolicyRef: { name: 'demo' },
        networking: { egressPolicy },
        resources: { cpu: '4', memory: '8Gi' },
      },
    },
  ];
}

/** It as the objects of a tenant, at one level and with calls inside the tenant allowed; `more` are further objects of the tenant's. */
export function boutique(level: Level, egressPolicy: EgressPolicy = 'allow-same-tenant', more: readonly JsonObject[] = []): Rendered {
  const placed = (objects: readonly JsonObject[], path: string): InputObject[] =>
    objects.map((object, document) => ({ object, source: { path, document } }));
  const inputs = [...placed(platform(level, egressPolicy), 'boutique/tenant.yaml'), ...placed(more, 'boutique/objects/more.yaml')];
  for (const file of readdirSync(FOLDER).sort()) {
    inputs.push(...readDocuments(readFileSync(join(FOLDER, file), 'utf8'), `boutique/objects/${file}`).objects);
  }
  return render(inputs, { ...DEFAULT_CONFIG, host: { version: '1.34' } });
}
