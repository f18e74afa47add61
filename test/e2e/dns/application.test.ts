import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type JsonObject, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { labelsOf, nameOf } from '../../../src/core/kube/object.ts';
import { freePort } from '../../bed/free-port.ts';
import { EXAMPLES, type Rendered, renderPackage } from '../../support/example.ts';
import { applyPlan, type Host, startHost } from '../isolation/host.ts';
import { list, notRunning, until, wrongEndpoints } from '../isolation/running.ts';
import { type DnsServer, startCoreDns } from './coredns.ts';

/** The host's DNS as clusters have it: CoreDNS that watches the API server. */
function hostCorefile(port: number, kubeconfig: string): string {
  return `.:${port} {
    bind 127.0.0.1
    kubernetes cluster.local {
        kubeconfig ${kubeconfig}
        endpoint_pod_names
    }
    template ANY ANY invalid {
        rcode NXDOMAIN
    }
}
`;
}

/** The rendered Corefile on loopback, forwarding to the host's DNS of this test. */
function tenantCorefile(rendered: Rendered, port: number, hostPort: number, live: string): string {
  const map = rendered.objects.find((object) => nameOf(object) === 'tenantplane-dns' && at(object, 'data', 'Corefile') !== undefined);
  return (stringAt(map, 'data', 'Corefile') ?? '')
    .replace('.:1053 {', `.:${port} {\n    bind 127.0.0.1`)
    .replace(/^ {4}(health|ready) .*\n/gm, '')
    .replace('/etc/live-names', live)
    .replace('forward . /etc/resolv.conf', `forward . 127.0.0.1:${hostPort}`);
}

const DATA = 'team-data';
const live = mkdtempSync(join(tmpdir(), 'tenantplane-live-'));
let host: Host;
let hostDns: DnsServer;
let tenantDns: DnsServer;

beforeAll(async () => {
  host = await startHost({ kwok: 2 });
  const data = await renderPackage(join(EXAMPLES, 'apps/cockroachdb'));
  for (const rendered of [data, await renderPackage(join(EXAMPLES, 'shop'))]) {
    expect(await applyPlan(host, rendered.plan)).toBe('');
  }
  for (const namespace of [DATA, 'team-shop']) {
    await until(() => notRunning(host, namespace));
    await until(() => wrongEndpoints(host, namespace));
  }
  const [hostPort, port] = [await freePort(), await freePort()];
  hostDns = await startCoreDns(hostPort, hostCorefile(hostPort, host.kubeconfig));
  tenantDns = await startCoreDns(port, tenantCorefile(data, port, hostPort, live));
});
afterAll(async () => {
  await tenantDns?.stop();
  await hostDns?.stop();
  await host?.stop();
  rmSync(live, { recursive: true, force: true });
});

async function addressesOf(namespace: string, service: string): Promise<string[]> {
  const [found] = (await list(host, 'services', namespace)).filter((object) => nameOf(object) === service);
  const address = stringAt(found, 'spec', 'clusterIP') ?? '';
  if (address !== 'None') return [address];
  const slices = (await list(host, 'endpointslices', namespace)).filter(
    (slice) => labelsOf(slice).get('kubernetes.io/service-name') === service,
  );
  return slices.flatMap((slice) => objectsOf(at(slice, 'endpoints')).flatMap((endpoint) => strings(at(endpoint, 'addresses')))).sort();
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

async function podAddress(namespace: string, name: string): Promise<string | undefined> {
  const pods: JsonObject[] = await list(host, 'pods', namespace);
  return stringAt(pods.find((pod) => nameOf(pod) === name) ?? {}, 'status', 'podIP');
}

describe('names that an application uses, on a real host with a DNS that watches it', () => {
  test('the tenant’s own DNS answers them with the host’s Services', async () => {
    const { resolver } = tenantDns;
    expect((await resolver.resolve4('cockroachdb-public.default.svc.cluster.local')).sort()).toEqual(
      await addressesOf(DATA, 'cockroachdb-public-x-default-x-data'),
    );
    const members = await addressesOf(DATA, 'cockroachdb-x-default-x-data');
    expect(members).toHaveLength(3);
    expect((await resolver.resolve4('cockroachdb.default.svc.cluster.local')).sort()).toEqual(members);
  });

  test.each([0, 1, 2])('and with the host’s pods: member %s of the database', async (ordinal) => {
    const found = await tenantDns.resolver.resolve4(`cockroachdb-${ordinal}.cockroachdb.default.svc.cluster.local`);
    expect(found).toEqual([await podAddress(DATA, `cockroachdb-x-default-x-data-${ordinal}`)]);
  });

  test.each([
    'web-x-front-x-shop.team-shop.svc.cluster.local',
    'api-x-shop-x-shop.team-shop.svc.cluster.local',
    'api.team-shop.svc.cluster.local',
    'kubernetes.default.svc.cluster.local.team-shop.svc.cluster.local',
    'kube-dns.kube-system.svc.cluster.local',
    'cockroachdb.shop.svc.cluster.local',
  ])('what is another tenant’s or the host’s does not resolve: %s', async (name) => {
    await expect(tenantDns.resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('short names lead to the same pods as the Services that they are short for', async () => {
    const services = await list(host, 'services', 'team-shop');
    const short = services.filter((service) => !nameOf(service).includes('-x-') && !nameOf(service).startsWith('tenantplane-'));
    expect(short.length).toBeGreaterThan(2);
    for (const service of short) {
      const name = nameOf(service);
      expect((await hostDns.resolver.resolve4(`${name}.team-shop.svc.cluster.local`)).sort()).toEqual(await addressesOf('team-shop', name));
      const long = `${name}-x-shop-x-shop`;
      if (services.some((other) => nameOf(other) === long)) expect(await podsBehind(name)).toEqual(await podsBehind(long));
    }
  });
});

async function podsBehind(service: string): Promise<string[]> {
  const slices = (await list(host, 'endpointslices', 'team-shop')).filter(
    (slice) => labelsOf(slice).get('kubernetes.io/service-name') === service,
  );
  return slices.flatMap((slice) => objectsOf(at(slice, 'endpoints')).flatMap((endpoint) => strings(at(endpoint, 'addresses')))).sort();
}
