import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsOf } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { KUBERNETES_VERSIONS } from '../../bed/kubernetes-version.ts';
import { pod, REQUESTERS } from '../../support/admission-cases/case.ts';
import { policy, profile, tenant } from '../../support/observe.ts';
import { ok } from '../workspace.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { type Host, must, startHost } from './host.ts';
import { type Stopped, sendCreate } from './send-case.ts';

const POOL = { key: 'pool', operator: 'Equal', value: 'qa', effect: 'NoSchedule' } as const;
const DEDICATED = `  mode: dedicated
  nodePool: {nodeSelector: {pool: qa}, tolerations: [{key: pool, value: qa, effect: NoSchedule}]}
`;
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers: [{name: c, image: "a:1", securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
`;

/** Profile and each tenant in a repository of its own: whoever renders that of the profile sees no tenant. */
const REPOSITORIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  platform: { 'profile.yaml': profile(), 'policy.yaml': policy() },
  qa: { 'tenant.yaml': tenant('qa', { spec: DEDICATED }), 'objects/web.yaml': DEPLOYMENT },
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

describe.each(KUBERNETES_VERSIONS)('a tenant with nodes of its own, rendered apart from its profile, on Kubernetes %s', (version) => {
  let host: Host;
  let api: ApiClient;
  const send = (namespace: string, of: string, toleration: JsonObject): Promise<Stopped> => {
    const labels = { app: 'web', 'tenantplane.io/tenant': of };
    return sendCreate(api, pod({ tolerations: [toleration] }, { name: 'one', labels }), namespace, REQUESTERS.argocd);
  };

  beforeAll(async () => {
    host = await startHost({ version, controllers: true });
    api = apiClient(host);
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

  it('has its pods made with the tolerations of its pool', async () => {
    expect((await podsOf('team-qa')).map((each) => objectAt(each, 'spec')?.['tolerations'])).toEqual([
      expect.arrayContaining([{ key: 'pool', value: 'qa', effect: 'NoSchedule' }]),
    ]);
  });

  it('alone has them admitted', async () => {
    expect(await send('team-qa', 'qa', { ...POOL })).toMatchObject({ by: 'nobody' });
    expect(await send('team-dev', 'dev', { ...POOL })).toMatchObject({ by: 'policy', policy: 'tenantplane-restricted-pods' });
    expect((await send('team-dev', 'dev', { ...POOL })).message).toMatch(/^tol: /);
  });

  it('has no wider ones', async () => {
    expect((await send('team-qa', 'qa', { key: 'pool', operator: 'Exists' })).message).toMatch(/^tol: /);
  });

  async function podsOf(namespace: string): Promise<KubeObject[]> {
    const end = Date.now() + 30_000;
    for (;;) {
      const { object } = await api.send('GET', `/api/v1/namespaces/${namespace}/pods`);
      const pods = objectsOf(object['items']);
      if (pods.length > 0 || Date.now() > end) return pods as KubeObject[];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
