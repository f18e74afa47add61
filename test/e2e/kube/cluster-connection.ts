import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import type { Connection } from '../../../src/kube/connection/connection.ts';
import { readTenantKubeconfig } from '../../../src/kube/connection/tenant-kubeconfig.ts';
import type { Result } from '../../../src/kube/failure.ts';
import { openTransport, type Transport } from '../../../src/kube/transport/transport.ts';
import type { Cluster } from '../../bed/cluster.ts';
import type { Certificate } from '../../support/certificates.ts';
import { type HttpFaultProxy, startHttpFaultProxy } from '../../support/http-fault-proxy.ts';

/** As the cluster's admin. */
export function connectionOf(cluster: Cluster, server: string = cluster.url): Connection {
  const read = readTenantKubeconfig(parseDocument(readFileSync(cluster.kubeconfig, 'utf8')).value);
  if ('refusals' in read) throw new Error(JSON.stringify(read.refusals));
  return { ...read.value, server };
}

/** A client that is closed after the test. */
export function clientOf(connection: Connection, maxSockets?: number): Transport {
  const transport = openTransport(connection, { clock: SYSTEM_CLOCK, ...(maxSockets !== undefined && { maxSockets }) });
  onTestFinished(() => transport.close());
  return transport;
}

export function valueIn<T>(result: Result<T>): T {
  if ('failure' in result) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  return result.value;
}

/** The two files of the bed's API server that a proxy shows in its place, and that sign clients. */
export function authorityOf({ folder }: Cluster): Certificate {
  return { certificate: readFileSync(`${folder}/server.crt`, 'latin1'), key: readFileSync(`${folder}/server.key`, 'latin1') };
}

/** A real API server behind what can spoil each request. */
export async function httpProxyOf(cluster: Cluster, certificate: Certificate = authorityOf(cluster)): Promise<HttpFaultProxy> {
  const proxy = await startHttpFaultProxy({ target: cluster.url, authority: authorityOf(cluster).certificate, certificate });
  onTestFinished(() => proxy.stop());
  return proxy;
}
