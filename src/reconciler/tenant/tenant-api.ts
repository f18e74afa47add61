import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { TENANT_API_PORT } from '../../core/controlplane/endpoint.ts';
import type { ApiState, Lifetime } from '../../core/controlplane/lifecycle/observation.ts';
import { isReady } from '../../core/controlplane/lifecycle/servers.ts';
import { stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import type { Connection } from '../../kube/connection/connection.ts';
import { onAbort } from '../../kube/on-abort.ts';
import { sendJson } from '../../kube/transport/send-json.ts';
import { openTransport, type Transport, type TransportOptions } from '../../kube/transport/transport.ts';

/** Milliseconds for an answer of a tenant's API: one that hangs must not hold up the pass. */
const WITHIN = 5_000;

/** What may go into a status: a version, and no book. */
const VERSION = /^v\d{1,3}\.\d{1,3}\.\d{1,3}[-+.\w]{0,40}$/;

/** The address of a server that can be called: of a ready one, by the pod itself, so that no cluster DNS is needed. */
export function serverAddress(pods: readonly KubeObject[]): string | undefined {
  const ready = pods.find((pod) => isReady(pod) && stringAt(pod, 'status', 'podIP') !== undefined);
  return stringAt(ready, 'status', 'podIP');
}

/** What each call of a tenant needs. */
export type TenantCall = Pick<TransportOptions, 'clock'> & Required<Pick<TransportOptions, 'onRequest'>>;

/** Works with a tenant's API for as long as one piece of work lasts: a fleet at rest holds no connections. */
export async function withTenant<T>(connection: Connection, through: TenantCall, work: (transport: Transport) => Promise<T>): Promise<T> {
  const transport = openTransport(connection, { ...through, maxSockets: 2, userAgent: 'tenantplane-reconciler' });
  try {
    return await work(transport);
  } finally {
    transport.close();
  }
}

/** Whether it answers, as what, and how long its own certificate lasts. */
export async function askTenant(connection: Connection, address: string, through: TenantCall, signal: AbortSignal): Promise<ApiState> {
  return withTenant(connection, through, async (transport) => {
    const answer = await sendJson(transport, { path: '/version', within: WITHIN, signal });
    if ('failure' in answer) return { kind: 'failed', why: answer.failure.message };
    const version = stringAt(answer.value, 'gitVersion');
    if (version === undefined || !VERSION.test(version)) return { kind: 'failed', why: 'what answers at /version is no API server.' };
    return { kind: 'answers', version, serving: await servingLifetime(address, connection.serverName, signal) };
  });
}

/** The life of the certificate that a server shows. Nothing is trusted for it: the request before has proven the server. */
function servingLifetime(host: string, servername: string | undefined, signal: AbortSignal): Promise<Lifetime | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: TENANT_API_PORT, rejectUnauthorized: false, ...(servername !== undefined && { servername }) });
    const done = (lifetime: Lifetime | undefined): void => {
      forget();
      socket.destroy();
      resolve(lifetime);
    };
    const forget = onAbort(signal, () => done(undefined));
    socket.setTimeout(WITHIN, () => done(undefined));
    socket.on('error', () => done(undefined));
    socket.on('secureConnect', () => {
      const { raw } = socket.getPeerCertificate();
      if (raw === undefined) return done(undefined);
      const { validFrom, validTo } = new X509Certificate(raw);
      done({ name: 'serving', notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) });
    });
  });
}
