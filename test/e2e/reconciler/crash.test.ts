import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { at, type JsonObject, objectAt, stringAt } from '../../../src/core/kube/json.ts';
import { nameOf } from '../../../src/core/kube/object.ts';
import { seededRandom } from '../../../src/kube/random.ts';
import { eventually } from '../delivery/eventually.ts';
import { startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(() => host?.stop());

const KILLS = { release: 10, landing: 3 }[inject('scope')];
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now());
const PLACE = 'cp-x-crash-x-team-crash';

const run = () => startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false'] });
const tenant = (): Promise<JsonObject | undefined> => host.get('tenantcluster', 'crash', 'team-crash');
const isReady = (object: JsonObject | undefined): boolean => stringAt(object, 'status', 'phase') === 'Ready';

/** Starts the reconciler and kills it, so many times, each time a moment after it has begun to work. @returns moments in milliseconds */
async function harass(random: () => number): Promise<readonly number[]> {
  const moments: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const process = run();
    await eventually(async () => process.log().some(({ msg }) => msg === 'leading'), Boolean, 60);
    const moment = Math.floor(random() ** 2 * 2500);
    await sleep(moment);
    process.kill('SIGKILL');
    expect(await process.exit).toBe('SIGKILL');
    moments.push(moment);
  }
  return moments;
}

interface Material {
  readonly uid: string | undefined;
  readonly data: JsonObject | undefined;
}

async function material(): Promise<readonly Material[]> {
  const secrets = await Promise.all(['control-plane-authorities', 'control-plane-token'].map((name) => host.get('secret', name, PLACE)));
  return secrets.map((secret) => ({ uid: stringAt(secret, 'metadata', 'uid'), data: objectAt(secret, 'data') }));
}

/** Whoever sees material once sees the same for as long as it is there. */
function watchMaterial(): { stop(): Promise<readonly string[]> } {
  const seen = new Set<string>();
  let going = true;
  const looking = (async () => {
    while (going) {
      const now = await material();
      if (now.every(({ uid }) => uid !== undefined)) seen.add(JSON.stringify(now));
      await sleep(300);
    }
  })();
  return {
    stop: async () => {
      going = false;
      await looking;
      return [...seen];
    },
  };
}

test(`killed ${3 * KILLS} times while a tenant is made, upgraded and taken down, it always gets there (CRASH_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  await host.kubectl(['create', 'namespace', 'of-somebody-else']);
  await host.kubectl(['create', 'secret', 'generic', 'control-plane-token', '-n', 'of-somebody-else', '--from-literal=token=theirs']);
  const theirs = async (): Promise<unknown> => {
    const secret = await host.get('secret', 'control-plane-token', 'of-somebody-else');
    return [at(secret, 'metadata', 'resourceVersion'), objectAt(secret, 'data')];
  };
  const untouched = await theirs();

  const watching = watchMaterial();
  await host.commit('crash', '  kubernetesVersion: "1.34"\n');
  const moments = [...(await harass(random))];
  let process = run();
  await eventually(tenant, isReady, 120);
  process.kill('SIGTERM');
  await process.exit;

  await host.commit('crash', '  kubernetesVersion: "1.36"\n');
  moments.push(...(await harass(random)));
  process = run();
  const done = (object: JsonObject | undefined): boolean =>
    isReady(object) && stringAt(object, 'status', 'kubernetesVersion') === 'v1.36.0+k3s1';
  await eventually(tenant, done, 180);
  process.kill('SIGTERM');
  await process.exit;
  const [only, ...others] = await watching.stop();
  expect([only === undefined, others]).toEqual([false, []]);

  await host.kubectl(['delete', 'tenantcluster', 'crash', '-n', 'team-crash', '--wait=false']);
  moments.push(...(await harass(random)));
  run();
  await eventually(tenant, (object) => object === undefined, 90);
  for (const kind of ['secrets', 'statefulsets', 'services', 'pods'])
    expect((await host.list(kind, PLACE)).map(nameOf), `${kind}, killed after ${moments.join(', ')} ms`).toEqual([]);
  await eventually(
    async () => (await host.list('persistentvolumeclaims', PLACE)).length,
    (count) => count === 0,
    30,
  );
  expect(await theirs()).toEqual(untouched);
}, 900_000);
