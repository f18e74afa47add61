import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { pod, REQUESTERS, template } from '../../support/admission-cases/case.ts';
import { policy, profile, tenant } from '../../support/observe.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { ok } from '../workspace.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { type Host, must, startHost } from './host.ts';
import { type Stopped, sendCreate } from './send-case.ts';

const POOL = { key: 'pool', operator: 'Equal', value: 'qa', effect: 'NoSchedule' } as const;
const DEDICATED = `  mode: dedicated
  nodePool: {nodeSelector: {pool: qa}, tolerations: [{key: pool, value: qa, effect: NoSchedule}]}
`;
const NODE: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'qa-1', labels: { pool: 'qa' } } };

const TEMPLATE = `  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers: [{name: c, image: "a:1", securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
`;
const workload = (kind: string, spec = ''): string =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n${spec}${TEMPLATE}`;
const DEPLOYMENT = workload('Deployment');
const JOB = `apiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\nspec:\n${TEMPLATE}      restartPolicy: Never\n`;
/** One of each whose pods a controller makes of a template. */
const WORKLOADS = {
  'objects/web.yaml': DEPLOYMENT,
  'objects/set.yaml': workload('StatefulSet', '  serviceName: web\n'),
  'objects/each.yaml': workload('DaemonSet'),
  'objects/once.yaml': JOB,
};

/** Profile and each tenant in a repository of its own: whoever renders that of the profile sees no tenant. */
const REPOSITORIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  platform: { 'profile.yaml': profile('restricted', 'restricted', '  allow: {daemonSets: true}\n'), 'policy.yaml': policy() },
  qa: { 'tenant.yaml': tenant('qa', { spec: DEDICATED }), ...WORKLOADS },
  dev: { 'tenant.yaml': tenant('dev'), 'objects/web.yaml': DEPLOYMENT },
};

/** What the command prints for each. */
function renderApart(): string[] {
  const place = mkdtempSync(join(tmpdir(), 'tenantplane-e2e-'));
  try {
    for (const [name, files] of Object.entries(REPOSITORIES))
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(place, name, path)), { recursive: true });
        writeFileSync(join(place, name, path), text);
      }
    return Object.keys(REPOSITORIES).map((name) => {
      const flags = name === 'platform' ? ['--allow-empty'] : ['--platform', join(place, 'platform')];
      return ok('tenantplane', ['render', join(place, name), '-o', 'stdout', ...flags]).stdout;
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

onEachKubernetes('a tenant with nodes of its own, rendered apart from its profile, on Kubernetes %s', (version) => {
  let host: Host;
  let api: ApiClient;
  const sendPod = (namespace: string, of: string, spec: JsonObject): Promise<Stopped> => {
    const labels = { app: 'web', 'tenantplane.io/tenant': of };
    return sendCreate(api, pod(spec, { name: 'one', labels }), namespace, REQUESTERS.argocd);
  };
  const send = (namespace: string, of: string, toleration: JsonObject): Promise<Stopped> =>
    sendPod(namespace, of, { nodeSelector: { pool: 'qa' }, tolerations: [toleration] });

  beforeAll(async () => {
    host = await startHost({ version, controllers: true });
    api = apiClient(host);
    const node = await api.send('POST', '/api/v1/nodes', NODE, REQUESTERS.administrator);
    if (node.status !== 201) throw new Error(node.message);
    for (const stream of renderApart()) await must(host, ['apply', '--server-side', '-f', '-'], stream, host.applier);
    const end = Date.now() + 30_000;
    for (const [namespace, of] of [['team-qa', 'qa'] as const, ['team-dev', 'dev'] as const])
      while (!(await send(namespace, of, { operator: 'Exists' })).message.startsWith('tol: ')) {
        if (Date.now() > end) throw new Error(`no policy looks at ${namespace}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
  });
  afterAll(async () => {
    api?.close();
    await host?.stop();
  });

  it('has its pods made with labels and tolerations of its pool, whatever controller makes them', async () => {
    const pods = await podsOf('team-qa', 4);
    const owners = pods.flatMap((each) => objectsOf(at(each, 'metadata', 'ownerReferences'))).map((owner) => stringAt(owner, 'kind'));
    expect(owners.sort()).toEqual(['DaemonSet', 'Job', 'ReplicaSet', 'StatefulSet']);
    for (const each of pods) {
      expect(objectAt(each, 'spec', 'nodeSelector')).toEqual({ pool: 'qa' });
      expect(at(each, 'spec', 'tolerations')).toEqual(expect.arrayContaining([{ key: 'pool', value: 'qa', effect: 'NoSchedule' }]));
    }
  });

  it.each([
    ['no node', {}],
    ['those of another', { nodeSelector: { pool: 'dev' } }],
    ['them by something else', { nodeSelector: { 'kubernetes.io/os': 'linux' } }],
  ])('has no pod that chooses %s', async (_, spec) => {
    const refused = await sendPod('team-qa', 'qa', spec);
    expect(refused).toMatchObject({ by: 'policy', policy: 'tenantplane-restricted-pods' });
    expect(refused.message).toMatch(/^pool: .*; wanted pool=qa\. /);
    expect(await sendPod('team-dev', 'dev', spec)).toMatchObject({ by: 'nobody' });
  });

  it('has none that a controller makes of a template without its labels', async () => {
    const bare = template({}, { 'tenantplane.io/tenant': 'qa' });
    const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'bare' } };
    const spec = { selector: { matchLabels: { app: 'web' } }, template: bare };
    const made = await api.send('POST', '/apis/apps/v1/namespaces/team-qa/replicasets', { ...set, spec }, REQUESTERS.argocd);
    expect(made.status, made.message).toBe(201);
    const failure = await untilFailed('/apis/apps/v1/namespaces/team-qa/replicasets/bare');
    expect(failure).toMatch(/denied request: pool: /);
  });

  it('alone has them admitted', async () => {
    expect(await send('team-qa', 'qa', { ...POOL })).toMatchObject({ by: 'nobody' });
    expect(await send('team-dev', 'dev', { ...POOL })).toMatchObject({ by: 'policy', policy: 'tenantplane-restricted-pods' });
    expect((await send('team-dev', 'dev', { ...POOL })).message).toMatch(/^tol: /);
  });

  it('has no wider ones', async () => {
    expect((await send('team-qa', 'qa', { key: 'pool', operator: 'Exists' })).message).toMatch(/^tol: /);
  });

  /** What a ReplicaSet says of the pods that it could not make. */
  async function untilFailed(path: string): Promise<string> {
    const end = Date.now() + 30_000;
    for (;;) {
      const { object } = await api.send('GET', path);
      const failure = objectsOf(at(object, 'status', 'conditions')).find(({ type }) => type === 'ReplicaFailure');
      if (failure !== undefined || Date.now() > end) return stringAt(failure ?? {}, 'message') ?? '';
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function podsOf(namespace: string, count: number): Promise<KubeObject[]> {
    const end = Date.now() + 30_000;
    for (;;) {
      const { object } = await api.send('GET', `/api/v1/namespaces/${namespace}/pods`);
      const pods = objectsOf(object['items']);
      if (pods.length >= count || Date.now() > end) return pods as KubeObject[];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
