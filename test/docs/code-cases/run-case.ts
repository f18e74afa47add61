import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json } from '../../../src/core/kube/json.ts';
import { configMap, tenantplane, tenantYaml } from '../../cli/harness.ts';
import { put, scratch } from '../../cli/tree/disk.ts';
import { type CodeCase, profile } from './case.ts';

const KINDS = [
  ...['ConfigMap', 'Secret', 'Service', 'Pod', 'ServiceAccount', 'PersistentVolumeClaim', 'Endpoints'].map((kind) => `v1 ${kind}`),
  ...['Deployment', 'StatefulSet'].map((kind) => `apps/v1 ${kind}`),
  'batch/v1 Job',
  'networking.k8s.io/v1 Ingress',
  'networking.k8s.io/v1 NetworkPolicy',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'discovery.k8s.io/v1 EndpointSlice',
  'external-secrets.io/v1 ExternalSecret',
  'bitnami.com/v1alpha1 SealedSecret',
];

export const BASE: Readonly<Record<string, string>> = {
  'profile.yaml': profile({ level: 'restricted' }),
  'policy.yaml': JSON.stringify({
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'SyncPolicy',
    metadata: { name: 'default' },
    spec: {
      resources: KINDS.map((entry) => {
        const [apiVersion = '', kind = ''] = entry.split(' ');
        return { apiVersion, kind, direction: 'toHost' };
      }),
    },
  }),
  'tenants/dev/tenant.yaml': tenantYaml('dev'),
  'tenants/dev/objects/a.yaml': configMap('a'),
};

/** What is said of the code, as a record of the answer has it; undefined where nothing is. */
export async function sentenceOf(row: CodeCase): Promise<string | undefined> {
  const root = scratch();
  const objects = (row.objects ?? []).map((item) => `${JSON.stringify(item)}\n`);
  put(root, { ...BASE, ...(objects.length > 0 && { 'tenants/dev/objects/b.yaml': objects.join('---\n') }), ...row.files });
  if (row.later !== undefined) {
    await tenantplane([...(row.first ?? ['render']), '--fail-on', 'never'], { cwd: root });
    for (const [path, text] of Object.entries(row.later)) {
      if (text === undefined) rmSync(join(root, path), { recursive: true });
      else put(root, { [path]: text });
    }
  }
  const { out } = await tenantplane(row.argv ?? ['render', '-o', 'json'], { cwd: join(root, row.cwd ?? '') });
  return sentence(read(out), row.code) ?? new RegExp(`${row.code} \\w+:+ ?(.*)`).exec(out)?.[1];
}

function read(out: string): Json {
  try {
    return JSON.parse(out);
  } catch {
    return null;
  }
}

/** The first record of a code, wherever it stands in an answer. */
function sentence(value: Json | undefined, code: string): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = sentence(item, code);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (value['code'] === code && typeof value['message'] === 'string') return value['message'];
  return sentence(
    Object.values(value).filter((item) => item !== undefined),
    code,
  );
}
