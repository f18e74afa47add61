import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const API = 'apiVersion: tenantplane.io/v1alpha1';

/** Profiles and the policy that tenants of tests refer to. */
export function writePlatform(tree: string): void {
  mkdirSync(join(tree, 'platform'), { recursive: true });
  for (const level of ['baseline', 'restricted'])
    writeFileSync(
      join(tree, `platform/${level}.yaml`),
      `${API}\nkind: IsolationProfile\nmetadata: {name: ${level}}\nspec: {level: ${level}}\n`,
    );
  const resources = '[{apiVersion: v1, kind: ConfigMap, direction: toHost}, {apiVersion: apps/v1, kind: Deployment, direction: toHost}]';
  writeFileSync(
    join(tree, 'platform/policy.yaml'),
    `${API}\nkind: SyncPolicy\nmetadata: {name: applications}\nspec: {resources: ${resources}}\n`,
  );
}

/** @param spec fields beside the references, in YAML, two spaces in */
export function writeTenant(tree: string, name: string, spec: string): void {
  const folder = join(tree, 'tenants', name);
  mkdirSync(join(folder, 'objects'), { recursive: true });
  const refs = '  isolationProfileRef: {name: restricted}\n  syncPolicyRef: {name: applications}\n';
  writeFileSync(
    join(folder, 'tenant.yaml'),
    `${API}\nkind: TenantCluster\nmetadata: {name: ${name}, namespace: team-${name}}\nspec:\n${refs}${spec}`,
  );
  writeFileSync(join(folder, 'objects/settings.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n');
}

/** Files of a rendered package in an applier's order: namespaces, what goes into them, and the TenantClusters, which a reconciler acts on. */
export function appliedInOrder(tree: string): readonly (readonly string[])[] {
  const host = join(tree, 'host');
  const files = readdirSync(host, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const of = (part: RegExp): string[] => files.filter((file) => part.test(file)).map((file) => join(host, file));
  return [of(/\/namespace_/), [...of(/^platform\//), ...of(/^(?!platform|config).*\/(?!namespace_)/)], of(/^config\//)];
}

/** Files of deploy/base that give the reconciler's account its rights, and bound them, and nothing that runs. */
export const RIGHTS: readonly string[] = [
  'namespace',
  'admission',
  'serviceaccount',
  'clusterrole',
  'clusterrolebinding',
  'role',
  'rolebinding',
];

export const ACCOUNT = 'system:serviceaccount:tenantplane-system:tenantplane-reconciler';
export const GROUPS: readonly string[] = ['system:serviceaccounts', 'system:serviceaccounts:tenantplane-system'];
