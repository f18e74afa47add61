import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isObject, type Json, type JsonObject, objectsOf } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { importK3sImage, k3sImageName } from '../../bed/k3s-image.ts';
import { render } from '../delivery/fleet.ts';
import { ROOT } from '../workspace.ts';

/** Releases that tests go through; all of them are the one stand-in. */
export const VERSIONS = ['1.34.2', '1.35.1', '1.36.0'] as const;

/** A host with a real kubelet, on which the reconciler is installed but for its Deployment: tests run that as a process of their own. */
export interface TenantHost {
  readonly cluster: Cluster;
  /** kubeconfig of the account that deploy/base gives its rights to; it has no others */
  readonly reconciler: string;
  /** path of a table of releases */
  readonly releases: string;
  kubectl(args: readonly string[], input?: string): Promise<string>;
  get(kind: string, name: string, namespace?: string): Promise<JsonObject | undefined>;
  list(kind: string, namespace?: string): Promise<readonly JsonObject[]>;
  /**
   * What a commit comes to: writes `team-NAME/NAME` into the package, renders it and applies what is that tenant's or everybody's, in an
   * applier's order; of the tenant's folder only those files of which `applied` says so.
   */
  commit(name: string, spec: string, applied?: (file: string, text: string) => boolean): Promise<void>;
  stop(): Promise<void>;
}

const ACCOUNT = 'system:serviceaccount:tenantplane-system:tenantplane-reconciler';
const GROUPS = ['system:serviceaccounts', 'system:serviceaccounts:tenantplane-system'];
const RIGHTS = ['namespace', 'serviceaccount', 'clusterrole', 'clusterrolebinding', 'role', 'rolebinding'];

export async function startTenantHost(): Promise<TenantHost> {
  const cluster = await startCluster({ kubelet: true });
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-host-'));
  const stop = async (): Promise<void> => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const kubectl = async (args: readonly string[], input = ''): Promise<string> => {
    const ran = await cluster.kubectl(args, { input });
    expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
    return ran.stdout;
  };
  const apply = (files: readonly string[]): Promise<string> =>
    kubectl(['apply', '--server-side', ...files.flatMap((file) => ['-f', file])]);
  try {
    await importK3sImage(cluster, VERSIONS);
    const releases = join(folder, 'releases.yaml');
    writeFileSync(releases, VERSIONS.map((version) => `- {version: ${version}, image: '${k3sImageName(version)}'}\n`).join(''));
    await apply([join(ROOT, 'deploy/crds')]);
    await apply(RIGHTS.map((file) => join(ROOT, `deploy/base/${file}.yaml`)));
    await kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
    const tree = join(folder, 'package');
    writePlatform(tree);
    return {
      cluster,
      reconciler: cluster.kubeconfigFor(ACCOUNT, GROUPS),
      releases,
      kubectl,
      get: async (kind, name, namespace) => {
        const place = namespace === undefined ? [] : ['-n', namespace];
        const { status, stdout } = await cluster.kubectl(['get', kind, name, '-o', 'json', ...place]);
        const object: Json = status === 0 ? (JSON.parse(stdout) as Json) : null;
        return isObject(object) ? object : undefined;
      },
      list: async (kind, namespace) => {
        const text = await kubectl(['get', kind, '-o', 'json', ...(namespace === undefined ? ['-A'] : ['-n', namespace])]);
        return objectsOf((JSON.parse(text) as JsonObject)['items']);
      },
      commit: async (name, spec, applied = () => true) => {
        writeTenant(tree, name, spec);
        render(tree);
        const host = join(tree, 'host');
        const others = (file: string): boolean =>
          file.startsWith('team-')
            ? !file.startsWith(`team-${name}/`)
            : file.startsWith('config/tenantcluster') && !file.endsWith(`_team-${name}.${name}.yaml`);
        const files = readdirSync(host, { recursive: true, encoding: 'utf8' }).filter(
          (file) =>
            file.endsWith('.yaml') && !others(file) && (!file.startsWith('team-') || applied(file, readFileSync(join(host, file), 'utf8'))),
        );
        const of = (part: RegExp): string[] => files.filter((file) => part.test(file)).map((file) => join(host, file));
        await apply(of(/\/namespace_/));
        await apply([...of(/^platform\//), ...of(/^(?!platform|config).*\/(?!namespace_)/)]);
        await apply(of(/^config\//));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const API = 'apiVersion: tenantplane.io/v1alpha1';

function writePlatform(tree: string): void {
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
function writeTenant(tree: string, name: string, spec: string): void {
  const folder = join(tree, 'tenants', name);
  mkdirSync(join(folder, 'objects'), { recursive: true });
  const refs = '  isolationProfileRef: {name: restricted}\n  syncPolicyRef: {name: applications}\n';
  writeFileSync(
    join(folder, 'tenant.yaml'),
    `${API}\nkind: TenantCluster\nmetadata: {name: ${name}, namespace: team-${name}}\nspec:\n${refs}${spec}`,
  );
  writeFileSync(join(folder, 'objects/settings.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n');
}
