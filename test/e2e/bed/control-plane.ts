import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlPlaneSettings, controlPlaneSettings } from '../../../src/core/controlplane/control-plane-settings.ts';
import { TENANT_API_PORT } from '../../../src/core/controlplane/endpoint.ts';
import { serviceAddress } from '../../../src/core/controlplane/endpoint-names.ts';
import { AUTHORITIES_SECRET, CONTROL_PLANE, TOKEN_KEY, TOKEN_SECRET } from '../../../src/core/controlplane/names.ts';
import { controlPlaneObjects } from '../../../src/core/controlplane/objects.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type Authorities, makeAuthorities } from '../../../src/reconciler/pki/make-authorities.ts';
import { mintClient } from '../../../src/reconciler/pki/mint-client.ts';
import { publicDigest } from '../../../src/reconciler/pki/read-authorities.ts';
import { checkConfigOf } from '../../../src/schema/check-config.ts';
import type { Cluster } from '../../bed/cluster.ts';
import { k3sImageName } from '../../bed/k3s-image.ts';

export interface Client {
  readonly certificate: string;
  readonly key: string;
}

interface Asked {
  /** the admin, if not said; nobody, if null */
  readonly as?: Client | null;
  /** makes it a POST */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** which server of several */
  readonly server?: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A tenant's control plane on a cluster, of the objects that the product makes, in a namespace with the strictest Pod Security. */
export class ControlPlane {
  readonly settings: ControlPlaneSettings;
  readonly authorities: Authorities;
  readonly #cluster: Cluster;
  readonly #admin: Client;

  private constructor(cluster: Cluster, settings: ControlPlaneSettings, authorities: Authorities, admin: Client) {
    this.#cluster = cluster;
    this.settings = settings;
    this.authorities = authorities;
    this.#admin = admin;
  }

  /** Each of a cluster has a tenant of its own. */
  static async make(cluster: Cluster, spec: JsonObject = {}, tenant = { name: 'dev', namespace: 'team-dev' }): Promise<ControlPlane> {
    const settings = settingsOf(spec, tenant);
    const authorities = await makeAuthorities(settings.tenant, Date.now());
    return new ControlPlane(cluster, settings, authorities, await sign(authorities, 'admin', ['system:masters']));
  }

  /** What Git and the reconciler bring, with the objects of the control plane. */
  async create(version: string, secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {}): Promise<void> {
    const { namespace } = this.settings;
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const all = { [AUTHORITIES_SECRET]: this.authorities, [TOKEN_SECRET]: { [TOKEN_KEY]: 'first' }, ...secrets };
    const items = Object.entries(all).map(([name, stringData]) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData }));
    await this.kubectl(['create', '-f', '-'], { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
    await this.kubectl(['create', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
    await this.apply(version);
  }

  async apply(version: string): Promise<void> {
    const release = { version, image: k3sImageName(version) };
    const items = controlPlaneObjects({ settings: this.settings, release, authorities: publicDigest(this.authorities) });
    await this.kubectl(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  }

  /** Until a server, or the one that comes in its place, is ready. */
  async ready(before = '', server = 0): Promise<void> {
    for (let now = ''; now === '' || now === before; now = await this.uid(server)) await sleep(100);
    await this.kubectl(['wait', '--for=condition=Ready', `pod/${podOf(server)}`, '--timeout=110s']);
  }

  uid(server = 0): Promise<string> {
    return this.kubectl(['get', 'pod', podOf(server), '--ignore-not-found', '-o', 'jsonpath={.metadata.uid}']);
  }

  exec(line: string, server = 0): Promise<string> {
    return this.kubectl(['exec', podOf(server), '-c', 'k3s', '--', 'sh', '-c', line]);
  }

  client(user: string, groups: readonly string[]): Promise<Client> {
    return sign(this.authorities, user, groups);
  }

  /** On the host, in the control plane's namespace. */
  async kubectl(args: readonly string[], input: object = {}): Promise<string> {
    const ran = await this.#cluster.kubectl(['-n', this.settings.namespace, ...args], { input: JSON.stringify(input) });
    if (ran.status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  }

  /** Asks the tenant's API at the pod's address, by the name that its certificate has. */
  async ask(path: string, { as = this.#admin, body, headers = {}, server = 0 }: Asked = {}): Promise<Answer> {
    const host = await this.kubectl(['get', 'pod', podOf(server), '-o', 'jsonpath={.status.podIP}']);
    const identity = as === null ? {} : { cert: as.certificate, key: as.key };
    const target = { host, port: TENANT_API_PORT, path, servername: serviceAddress(this.settings), ca: this.authorities['server-ca.crt'] };
    return send({ ...target, ...identity, method: body === undefined ? 'GET' : 'POST', headers, agent: false }, body);
  }
}

/** As the reconciler reads them. */
function settingsOf(spec: JsonObject, metadata: { readonly name: string; readonly namespace: string }): ControlPlaneSettings {
  const references = { isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' } };
  const made = { apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', metadata, spec: { ...references, ...spec } };
  const { problems } = checkConfigOf(made, 'TenantCluster');
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return controlPlaneSettings(made, { clusterDomain: 'cluster.local', serviceCIDRs: ['10.96.0.0/16'] });
}

function podOf(server: number): string {
  return `${CONTROL_PLANE}-${server}`;
}

function sign(authorities: Authorities, user: string, groups: readonly string[]): Promise<Client> {
  return mintClient(authorities, { user, groups }, { from: Date.now(), hours: 24 });
}

async function send(options: RequestOptions, body: object | undefined): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...options.headers };
  const asked = request({ ...options, headers });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const response = await new Promise<IncomingMessage>((resolve, reject) => asked.on('response', resolve).on('error', reject));
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, body: text };
}
