import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ROOT } from '../workspace.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await kubectl('apply', '--server-side', '-f', join(ROOT, 'deploy/crds'));
  await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  await kubectl('delete', 'lease', '-n', 'default', '--all');
  await kubectl('delete', 'tenantclusters', '-A', '--all');
});

const SOON = { timeout: 40_000, interval: 50 };
const PROGRAM = ['--import', 'tsx', join(ROOT, 'test/e2e/reconciler/passes-program.ts')];

async function kubectl(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await cluster.kubectl(args);
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function start(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): ReconcilerProcess {
  return startReconciler({ kubeconfig: cluster.kubeconfig, program: PROGRAM, flags, env });
}

async function makeTenant(name: string, what: string): Promise<void> {
  const manifest = {
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'TenantCluster',
    metadata: { name, namespace: 'default', annotations: { do: what } },
    spec: { mode: 'shared', isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' } },
  };
  const { status, stderr } = await cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify(manifest) });
  if (status !== 0) throw new Error(stderr);
}

const lines = (of: ReconcilerProcess, message: string): number => of.log().filter(({ msg }) => msg === message).length;
const did = (name: string): Promise<string> => kubectl('get', 'tc', name, '-o', 'jsonpath={.metadata.annotations.did}');

describe('a process that is told to end', () => {
  test('waits for the pass that is under way, which still may write, and begins no other', async () => {
    await makeTenant('slow', 'sleep 8000');
    const one = start(['--workers=1']);
    await expect.poll(() => lines(one, 'begins'), SOON).toBe(1);
    await makeTenant('late', 'sleep 1');
    one.kill('SIGTERM');
    await expect
      .poll(async () => (await one.get('/readyz')).text, { timeout: 7_500, interval: 20 })
      .toContain('[-]shutdown the process ends');
    expect(await one.exit).toBe(0);
    expect(one.log().find(({ msg }) => msg === 'ends')).toMatchObject({ tenant: 'default/slow', holds: true });
    expect(lines(one, 'begins')).toBe(1);
    expect(await did('slow')).toBe('sleep');
  });

  test('gives up what does not end in time, which then may not write, and ends', async () => {
    await makeTenant('deaf', 'deaf 20000');
    const one = start(['--drain-timeout=1s']);
    await expect.poll(() => lines(one, 'begins'), SOON).toBe(1);
    one.kill('SIGTERM');
    expect(await one.exit).toBe(0);
    expect(one.log().find(({ msg }) => msg === 'passes did not end in time')).toMatchObject({ tenants: ['default/deaf'] });
    expect(await did('deaf')).toBe('');
  });

  test('twice ends at once, with 1', async () => {
    await makeTenant('deaf', 'deaf 20000');
    const one = start();
    await expect.poll(() => lines(one, 'begins'), SOON).toBe(1);
    one.kill('SIGTERM');
    await expect.poll(async () => (await one.get('/readyz')).code, SOON).toBe(503);
    one.kill('SIGINT');
    expect(await one.exit).toBe(1);
  });
});

describe('passes', () => {
  test('that throw, fail for good or take too long are counted as that', async () => {
    await makeTenant('throws', 'throw');
    await makeTenant('refused', 'refused');
    await makeTenant('slow', 'sleep 60000');
    const one = start(['--pass-timeout=500ms', '--metrics-tenant-label=true']);
    const counted = (name: string) => one.metric(`controller_runtime_${name}_total{controller="tenantcluster"}`);
    await expect.poll(() => counted('reconcile_panics'), SOON).toBeGreaterThanOrEqual(2);
    await expect.poll(() => counted('reconcile_timeouts'), SOON).toBeGreaterThanOrEqual(1);
    expect(await counted('terminal_reconcile_errors')).toBe(1);
    expect(await one.metric('workqueue_retries_total{name="tenantcluster"}')).toBeGreaterThanOrEqual(3);
    await makeTenant('good', 'sleep 1');
    const series = 'tenantplane_last_success_timestamp_seconds{tenant_namespace="default",tenant="good"}';
    await expect.poll(async () => Math.abs(((await one.metric(series)) ?? 0) - Date.now() / 1000), SOON).toBeLessThan(60);
    await kubectl('delete', 'tc', 'good');
    await expect.poll(() => one.metric('tenantplane_tenants{phase="Unknown"}'), SOON).toBe(3);
    expect(await one.metric(series)).toBeUndefined();
  });

  test('whose promise nobody waits for end the process, with the reason in its log', async () => {
    await makeTenant('rejects', 'reject');
    const one = start();
    expect(await one.exit).toBe(1);
    expect(one.log().at(-1)).toMatchObject({ level: 'error', event: 'unhandledRejection' });
    expect(one.log().at(-1)?.['failure']).toContain('nobody waits for this');
  });

  test('bring no value of a Secret into the log, however careless they are', async () => {
    const key = `-----BEGIN EC ${'PRIVATE'} KEY-----\nMHcCAQEEIPlantedPlantedPlanted\n-----END EC ${'PRIVATE'} KEY-----`;
    const token = `K10${'5e'.repeat(32)}::server:plantedpassword`;
    await kubectl('delete', 'secret', 'planted', '--ignore-not-found');
    await kubectl('create', 'secret', 'generic', 'planted', `--from-literal=server-ca.key=${key}`, `--from-literal=token=${token}`);
    await makeTenant('leaks', 'leak planted');
    const one = start();
    await expect.poll(() => lines(one, 'pass threw: a defect'), SOON).toBeGreaterThanOrEqual(1);
    expect(one.log().find(({ msg }) => msg === 'careless')).toMatchObject({ secret: { kind: 'Secret', data: '***' } });
    expect(one.stderr()).not.toMatch(/Planted|plantedpassword|5e5e5e/);
    expect(one.stderr()).not.toContain(Buffer.from(token).toString('base64').slice(0, 20));
  });
});

describe('spans', () => {
  test('go to the collector that the environment names, the parts of a pass under it, and their ids into the log', async () => {
    interface Span {
      readonly name: string;
      readonly traceId: string;
      readonly spanId: string;
      readonly parentSpanId?: string;
    }
    const spans: Span[] = [];
    const collector = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
        spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void collector.close());
    await makeTenant('traced', 'sleep 10');
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const one = start([], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await expect.poll(() => lines(one, 'ends'), SOON).toBeGreaterThanOrEqual(1);
    one.kill('SIGTERM');
    expect(await one.exit).toBe(0);
    const child = spans.find(({ name }) => name === 'tenantplane.provision.sleep');
    const pass = spans.find(({ spanId }) => spanId === child?.parentSpanId);
    expect(pass).toMatchObject({ name: 'tenantplane.reconcile', traceId: child?.traceId });
    expect(one.log().find(({ msg }) => msg === 'begins')).toMatchObject({ trace_id: pass?.traceId, span_id: pass?.spanId });
  });
});
