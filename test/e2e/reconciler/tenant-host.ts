import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../../bed/cluster.ts';
import { importK3sImage, k3sImageName } from '../../bed/k3s-image.ts';
import { ACCOUNT, appliedInOrder, GROUPS, RIGHTS, writePlatform, writeTenant } from '../../support/tenant-package.ts';
import { render } from '../delivery/fleet.ts';
import { ROOT } from '../workspace.ts';

/** Releases that tests go through; all of them are the one stand-in. */
export const VERSIONS = ['1.34.2', '1.35.1', '1.36.0'] as const;

/** A host with a real kubelet, on which the reconciler is installed but for its Deployment: tests run that as a process of their own. */
export interface TenantHost {
  readonly cluster: Cluster;
  /** kubeconfig of the account that deploy/base gives its rights to; it has no others */
  readonly reconciler: string;
  /** path of another kubeconfig of that account, with a token of its own: so an audit log tells processes apart */
  signedIn(): Promise<string>;
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

export async function startTenantHost(options: Pick<ClusterOptions, 'flags' | 'services'> = {}): Promise<TenantHost> {
  const cluster = await startCluster({ kubelet: true, audit: [ACCOUNT], ...options });
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
      signedIn: async () => {
        const [namespace = '', account = ''] = ACCOUNT.split(':').slice(2);
        const token = (await kubectl(['create', 'token', account, '-n', namespace, '--duration=1h'])).trim();
        const admin = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as JsonObject;
        const file = join(folder, `account-${randomUUID()}.yaml`);
        writeFileSync(file, JSON.stringify({ ...admin, users: [{ name: 'bed', user: { token } }] }), { mode: 0o600 });
        return file;
      },
      releases,
      kubectl,
      get: cluster.read.get,
      list: cluster.read.list,
      commit: async (name, spec, applied = () => true) => {
        writeTenant(tree, name, spec);
        render(tree);
        const host = join(tree, 'host');
        // what is another tenant's was applied by its own commit
        const wanted = (path: string): boolean => {
          const file = relative(host, path);
          if (file.startsWith('team-')) return file.startsWith(`team-${name}/`) && applied(file, readFileSync(path, 'utf8'));
          return !file.startsWith('config/tenantcluster') || file.endsWith(`_team-${name}.${name}.yaml`);
        };
        for (const files of appliedInOrder(tree)) {
          const some = files.filter(wanted);
          if (some.length > 0) await apply(some);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
