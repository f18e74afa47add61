import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { isReady } from '../../../src/core/controlplane/lifecycle/servers.ts';
import { stringAt } from '../../../src/core/kube/json.ts';
import { buildTool } from '../../bed/build-tool.ts';
import type { TenantHost } from './tenant-host.ts';
import type { TenantLook } from './tenant-look.ts';

/** A member as `etcdctl member list` has it. */
export interface Member {
  readonly ID: string;
  readonly name: string;
  readonly peerURLs: readonly string[];
  readonly isLearner?: boolean;
}

interface Membership {
  readonly header: { readonly cluster_id: string };
  readonly members: readonly Member[];
}

/** The etcd of a tenant, asked by etcdctl at a pod's address, with the certificate that its server has. */
export async function membership(host: TenantHost, tenant: TenantLook, pod: string): Promise<Membership> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-etcd-'));
  try {
    for (const file of ['server-ca.crt', 'client.crt', 'client.key'])
      writeFileSync(
        join(folder, file),
        await host.kubectl(['exec', '-n', tenant.place, pod, '-c', 'k3s', '--', 'cat', `/data/server/tls/etcd/${file}`]),
      );
    const files = ['--cacert', 'server-ca.crt', '--cert', 'client.crt', '--key', 'client.key'];
    const endpoint = `https://${await addressOf(tenant, pod)}:2379`;
    const { status, stdout, stderr } = spawnSync(
      await buildTool('etcdctl'),
      [...files, `--endpoints=${endpoint}`, 'member', 'list', '-w', 'json'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
    // ids are greater than what a number holds
    return JSON.parse(stdout.replaceAll(/:(\d{10,})/g, ':"$1"')) as Membership;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function addressOf(tenant: TenantLook, pod: string): Promise<string> {
  return stringAt(await tenant.get('pod', pod), 'status', 'podIP') ?? '';
}

/** Ends the first process of the pod's server as the kernel does where memory is short; containers go with their first process. */
export async function killServer(tenant: TenantLook, pod: string): Promise<void> {
  const uid = stringAt(await tenant.get('pod', pod), 'metadata', 'uid') ?? expect.fail(`no pod ${pod}`);
  const first = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isFirstOf(pid, uid));
  expect(first).toHaveLength(1);
  process.kill(Number(first[0]), 'SIGKILL');
}

function isFirstOf(pid: string, podUid: string): boolean {
  try {
    const [groups, command] = [readFileSync(`/proc/${pid}/cgroup`, 'utf8'), readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
    return (
      groups.includes(podUid) && command.startsWith('k3s\0server\0') && /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false; // it has ended meanwhile
  }
}

export interface Usage {
  readonly writes: number;
  /** the longest time between two writes that succeeded, in seconds */
  readonly longestGap: number;
}

/** Writes to a tenant's API, at the address of any server that is ready, as long as something goes on. */
export async function writesDuring(host: TenantHost, tenant: TenantLook, goesOn: Promise<unknown>): Promise<Usage> {
  const text = readFileSync(await tenant.kubeconfig(), 'utf8');
  const pem = (field: string): Buffer => Buffer.from(new RegExp(`${field}: (\\S+)`).exec(text)?.[1] ?? '', 'base64');
  const tls = { cert: pem('client-certificate-data'), key: pem('client-key-data'), ca: pem('certificate-authority-data') };
  const ended = goesOn.then(
    () => true,
    () => true,
  );
  let [writes, longestGap, last] = [0, 0, Date.now()];
  let ready: readonly string[] = [];
  for (let turn = 0; !(await Promise.race([ended, sleep(200, false)])); turn += 1) {
    if (turn % 5 === 0) ready = await readyAddresses(host, tenant);
    const address = ready[turn % Math.max(ready.length, 1)];
    if (address === undefined || !(await create(address, tls))) {
      turn = -1; // looks again who is ready
      continue;
    }
    writes += 1;
    longestGap = Math.max(longestGap, (Date.now() - last) / 1000);
    last = Date.now();
  }
  await goesOn;
  return { writes, longestGap: Math.max(longestGap, (Date.now() - last) / 1000) };
}

async function readyAddresses(host: TenantHost, { place }: TenantLook): Promise<readonly string[]> {
  return (await host.list('pods', place)).filter(isReady).flatMap((pod) => stringAt(pod, 'status', 'podIP') ?? []);
}

function create(host: string, tls: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer }): Promise<boolean> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'during-' } });
  const options = { ...tls, host, port: 6443, path: '/api/v1/namespaces/default/configmaps', method: 'POST', agent: false, timeout: 3000 };
  return new Promise((resolve) => {
    const asked = request({ ...options, headers: { 'content-type': 'application/json' } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 201));
    });
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(false));
    asked.end(body);
  });
}
