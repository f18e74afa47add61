import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY } from '../../../src/core/identity/metadata.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { kindOf, labelsOf, nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { pod, REQUESTERS } from '../../support/admission-cases/case.ts';
import { type ExampleAdmission, exampleAdmission, isBuiltIn } from '../../support/admission-examples.ts';
import { EXAMPLES, PACKAGES, renderPackage } from '../../support/example.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { sendCreate } from './send-case.ts';
import { apply, classes, rights } from './tenants.ts';

/** Profiles of different examples have the same names and say different things. */
const slug = (path: string): string => path.replaceAll('/', '-');

describe('what the examples render, and what Kubernetes makes of it, is admitted by the real API server', () => {
  let cluster: Cluster;
  let api: ApiClient;
  const examples = new Map<string, ExampleAdmission>();

  beforeAll(async () => {
    for (const path of PACKAGES) {
      const rendered = await renderPackage(join(EXAMPLES, path));
      examples.set(
        path,
        exampleAdmission(rendered, (name) => `${slug(path)}-${name}`),
      );
    }
    cluster = await startCluster({ controllers: true });
    api = apiClient(cluster);
    const policies = new Map(
      [...examples.values()].flatMap((each) => each.policies).map(({ object }) => [`${kindOf(object)}/${nameOf(object)}`, object]),
    );
    await apply(cluster, [...policies.values()]);
    const all = [...examples.values()];
    const runtime = new Set(all.flatMap((each) => each.runtimeClasses));
    const priority = new Set(all.flatMap((each) => each.priorityClasses));
    await apply(cluster, [...rights([]), ...classes([...runtime], [...priority])]);
  });
  afterAll(async () => {
    api?.close();
    await cluster?.stop();
  });

  it.each(PACKAGES)('examples/%s', async (path) => {
    const { namespaces = [], creations = [] } = examples.get(path) ?? {};
    await apply(cluster, namespaces);
    // pods are made after the account that they run as
    await apply(
      cluster,
      creations.map(({ object }) => object).filter((object) => kindOf(object) === 'ServiceAccount'),
    );
    for (const namespace of namespaces)
      if (labelsOf(namespace).get(KEY.role) === 'workload')
        await untilSelected(namespace, `tenantplane-${labelsOf(namespace).get(KEY.isolationProfile)}-`);
    const refused: string[] = [];
    for (const { name, object, by } of creations.filter((each) => isBuiltIn(each.object))) {
      const stopped = await sendCreate(api, object, namespaceOf(object) ?? '', REQUESTERS[by]);
      if (stopped.by !== 'nobody') refused.push(`${name}: ${stopped.message}`);
    }
    expect(refused).toEqual([]);
  });

  /** The policies of this example, not of the one before in a namespace of that name. */
  async function untilSelected(namespace: KubeObject, policy: string): Promise<void> {
    const end = Date.now() + 30_000;
    const hostile = pod({ nodeName: 'node-1' });
    for (;;) {
      const stopped = await sendCreate(api, hostile, nameOf(namespace), REQUESTERS.argocd);
      if (stopped.policy?.startsWith(policy) === true) return;
      if (Date.now() > end) throw new Error(`${policy} refuses nothing: ${stopped.message}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
