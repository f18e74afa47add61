import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type JsonObject, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../../src/core/kube/object.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ADMISSION_CASES, HOSTILE_CASES } from '../../support/admission-cases/all.ts';
import type { AdmissionCase } from '../../support/admission-cases/case.ts';
import { POLICIES, requestOf } from '../../support/admission-cases/evaluate.ts';
import { MESSAGE_CASES } from '../../support/admission-cases/messages.ts';
import { verdictsOf } from '../../support/admission-policy.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { makeBefore, type Stopped, sendCase } from './send-case.ts';
import { apply, closeTenants, makeTenants } from './tenants.ts';

const NAMES = POLICIES.filter(({ object }) => kindOf(object) === 'ValidatingAdmissionPolicy').map(({ object }) => nameOf(object));
const named = (rows: readonly AdmissionCase[]): [string, AdmissionCase][] => rows.map((row) => [row.name, row]);

onEachKubernetes('admission policies on Kubernetes %s', (version) => {
  const minor = Number(version.split('.')[1]);
  const known = <Row extends AdmissionCase>(rows: readonly Row[]): Row[] => rows.filter(({ since = 0 }) => since <= minor);
  let cluster: Cluster;
  let api: ApiClient;
  let sent = 0;
  const stood = new Map<string, KubeObject>();
  const send = (row: AdmissionCase): Promise<Stopped> => {
    sent += 1;
    return sendCase(api, row, String(sent), stood.get(row.name));
  };

  beforeAll(async () => {
    cluster = await startCluster({ version, controllers: true, typeChecking: true });
    api = apiClient(cluster);
    await makeTenants(cluster);
    for (const row of known(ADMISSION_CASES.filter((each) => each.stood === true))) {
      stood.set(row.name, await makeBefore(api, row, `stood-${stood.size}`));
    }
    await apply(
      cluster,
      POLICIES.map(({ object }) => object),
    );
    await untilLive(send);
  });
  afterAll(async () => {
    api?.close();
    await cluster?.stop();
  });

  it('compile without a warning', async () => {
    for (const name of NAMES) {
      const policy = await untilChecked(api, name);
      expect([name, objectsOf(at(policy, 'status', 'typeChecking', 'expressionWarnings'))]).toEqual([name, []]);
    }
  });

  describe('alone, say what the CEL library says', () => {
    it.each(named(known(ADMISSION_CASES)))('%s', async (_name, row) => {
      const verdicts = verdictsOf(POLICIES, requestOf(row));
      const stopped = await send(row);
      if (row.first === 'RBAC' || row.first === 'the API itself') expect(stopped.by, stopped.message).toBe(row.first);
      else if (verdicts.length === 0) expect(stopped, stopped.message).toMatchObject({ by: 'nobody' });
      else {
        // The list of all that refuse is at the end.
        const filled = row.also === undefined ? '' : ` Refused by: ${[...row.rules, ...row.also].join(', ')}.`;
        expect(stopped.message.endsWith(filled), stopped.message).toBe(true);
        const message = stopped.message.slice(0, stopped.message.length - filled.length);
        expect(verdicts).toContainEqual({ policy: stopped.policy, message, rule: message.split(':')[0] });
      }
    });
  });

  describe('say at the prompt what is wanted', () => {
    it.each(known(MESSAGE_CASES).map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      expect((await send(row)).message).toBe(row.says);
    });
  });

  describe('in a namespace as we render it, stop what nobody stops before', () => {
    beforeAll(async () => {
      await closeTenants(cluster);
      await untilQuotasCount(api);
    });
    it.each(named(known(HOSTILE_CASES)))('%s', async (_name, row) => {
      const stopped = await send(row);
      if (row.first !== undefined) expect(stopped.by, stopped.message).toBe(row.first);
      else if (row.rules.length === 0) expect(stopped, stopped.message).toMatchObject({ by: 'nobody' });
      else {
        expect(stopped).toMatchObject({ by: 'policy' });
        expect(row.rules).toContain(stopped.message.split(':')[0]);
        expect(NAMES).toContain(stopped.policy);
      }
    });
  });
});

/** Policies take a moment: one request for each, until each is refused. */
async function untilLive(send: (row: AdmissionCase) => Promise<Stopped>): Promise<void> {
  const end = Date.now() + 60_000;
  for (const name of NAMES) {
    const row = HOSTILE_CASES.find(
      (each) => each.first === undefined && verdictsOf(POLICIES, requestOf(each)).some(({ policy }) => policy === name),
    );
    while (row !== undefined && (await send(row)).by !== 'policy') {
      if (Date.now() > end) throw new Error(`${name} refuses nothing`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function untilChecked(api: ApiClient, name: string): Promise<JsonObject> {
  const end = Date.now() + 30_000;
  for (;;) {
    const { object } = await api.send('GET', `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${name}`);
    if (at(object, 'status', 'typeChecking') !== undefined) return object;
    if (Date.now() > end) throw new Error(`${name} is not checked: ${stringAt(object, 'metadata', 'generation')}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A quota that was not counted yet refuses everything. */
async function untilQuotasCount(api: ApiClient): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const { object } = await api.send('GET', '/api/v1/resourcequotas');
    const counted = objectsOf(object['items']).every((quota) => at(quota, 'status', 'used') !== undefined);
    if (counted) return;
    if (Date.now() > end) throw new Error('quotas are not counted');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
