import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { nameOf } from '../../../src/core/kube/object.ts';
import { eventually } from '../delivery/eventually.ts';
import type { TenantHost } from './tenant-host.ts';

/** One tenant of a host, `team-NAME/NAME`, as people look at it. */
export interface TenantLook {
  readonly namespace: string;
  /** of its control plane */
  readonly place: string;
  object(): Promise<JsonObject | undefined>;
  get(kind: string, name: string): Promise<JsonObject | undefined>;
  names(kind: string): Promise<readonly string[]>;
  /** Asks for a pass, as a person would who changed what is not watched. */
  request(): Promise<string>;
  until(
    holds: (object: JsonObject | undefined) => boolean,
    limit?: number,
  ): Promise<{ readonly seen: JsonObject | undefined; readonly seconds: number }>;
  ready(limit?: number): Promise<number>;
  /** @returns the condition, once it has the reason */
  shows(type: string, reason: string, limit?: number): Promise<JsonObject>;
  /** reasons of its Events */
  events(): Promise<readonly unknown[]>;
  /** uid and data of what may never change */
  material(): Promise<string>;
  /** The published kubeconfig as a file, for somebody on this machine: the pod's address in place of a name of the cluster's DNS. */
  kubeconfig(): Promise<string>;
}

export function condition(object: JsonObject | undefined, type: string): JsonObject | undefined {
  return objectsOf(at(object, 'status', 'conditions')).find((each) => each['type'] === type);
}

export const phase = (object: JsonObject | undefined): string | undefined => stringAt(object, 'status', 'phase');

export function tenantLook(host: TenantHost, name: string): TenantLook {
  const [namespace, place] = [`team-${name}`, `cp-x-${name}-x-team-${name}`];
  const object = () => host.get('tenantcluster', name, namespace);
  const get = (kind: string, of: string) => host.get(kind, of, place);
  const until: TenantLook['until'] = (holds, limit = 60) => eventually(object, holds, limit);
  return {
    namespace,
    place,
    object,
    get,
    names: async (kind) => (await host.list(kind, place)).map(nameOf),
    request: () =>
      host.kubectl([
        'annotate',
        'tenantcluster',
        name,
        '-n',
        namespace,
        '--overwrite',
        `tenantplane.io/reconcile-requested-at=${process.hrtime.bigint()}`,
      ]),
    until,
    ready: async (limit = 120) => (await until((seen) => phase(seen) === 'Ready', limit)).seconds,
    shows: async (type, reason, limit) => {
      const { seen } = await until((each) => condition(each, type)?.['reason'] === reason, limit);
      return condition(seen, type) ?? {};
    },
    events: async () =>
      (await host.list('events.events.k8s.io', namespace))
        .filter(({ regarding }) => stringAt(regarding, 'name') === name)
        .map(({ reason }) => reason),
    material: async () => {
      const secrets = await Promise.all(['control-plane-authorities', 'control-plane-token'].map((each) => get('secret', each)));
      return JSON.stringify(secrets.map((secret) => [stringAt(secret, 'metadata', 'uid'), objectAt(secret, 'data')]));
    },
    kubeconfig: async () => {
      const [secret, pod] = await Promise.all([get('secret', 'kubeconfig'), get('pod', 'control-plane-0')]);
      const text = Buffer.from(stringAt(secret, 'data', 'value') ?? '', 'base64').toString('utf8');
      const folder = mkdtempSync(join(tmpdir(), 'tenantplane-kubeconfig-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'config');
      writeFileSync(file, text.replace(/server: .*/, `server: https://${stringAt(pod, 'status', 'podIP')}:6443`));
      return file;
    },
  };
}
