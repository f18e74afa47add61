import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corefile } from '../../../src/core/dns/corefile.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { freePort } from '../../bed/free-port.ts';
import { projected, service, subject, tenantContext } from '../../core/isolation/tenant.ts';
import { type DnsServer, startCoreDns } from './coredns.ts';

/** What the host's own DNS knows: this tenant's objects under their host names, another tenant's, and the host's. */
const zone = (domain: string) => `$ORIGIN ${domain}.
@ 5 IN SOA ns.dns hostmaster 1 7200 1800 86400 5
@ 5 IN NS ns.dns
ns.dns 5 IN A 127.0.0.1
redis-x-shop-x-dev.team-dev.svc 5 IN A 10.0.0.1
_http._tcp.redis-x-shop-x-dev.team-dev.svc 5 IN SRV 0 100 80 redis-x-shop-x-dev.team-dev.svc
api-x-lab-x-dev.team-dev.svc 5 IN A 10.0.0.2
db-x-shop-x-dev.team-dev.svc 5 IN A 10.1.0.10
db-x-shop-x-dev.team-dev.svc 5 IN A 10.1.0.11
db-x-shop-x-dev-0.db-x-shop-x-dev.team-dev.svc 5 IN A 10.1.0.10
db-x-shop-x-dev-1.db-x-shop-x-dev.team-dev.svc 5 IN A 10.1.0.11
10-1-0-12.db-x-shop-x-dev.team-dev.svc 5 IN A 10.1.0.12
_pg._tcp.db-x-shop-x-dev.team-dev.svc 5 IN SRV 0 50 5432 db-x-shop-x-dev-0.db-x-shop-x-dev.team-dev.svc
_pg._tcp.db-x-shop-x-dev.team-dev.svc 5 IN SRV 0 50 5432 db-x-shop-x-dev-1.db-x-shop-x-dev.team-dev.svc
mail-x-shop-x-dev.team-dev.svc 5 IN CNAME www.example.com.
late-x-shop-x-dev.team-dev.svc 5 IN A 10.0.0.3
dev-control-plane.cp-x-dev-x-team-dev.svc 5 IN A 10.2.0.1
redis-x-shop-x-other.team-other.svc 5 IN A 10.9.9.9
other-control-plane.cp-x-other-x-team-other.svc 5 IN A 10.9.9.8
kubernetes.default.svc 5 IN A 10.96.0.1
kube-dns.kube-system.svc 5 IN A 10.96.0.10
`;
const INTERNET = `$ORIGIN example.com.
@ 5 IN SOA ns hostmaster 1 7200 1800 86400 5
ns 5 IN A 127.0.0.1
www 5 IN A 203.0.113.7
`;
const REVERSE = `$ORIGIN 9.9.10.in-addr.arpa.
@ 5 IN SOA ns hostmaster 1 7200 1800 86400 5
9 5 IN PTR redis-x-shop-x-other.team-other.svc.cluster.local.
`;

const hostCorefile = (port: number, domain: string) => `.:${port} {
    bind 127.0.0.1
    file cluster.zone ${domain}
    file internet.zone example.com
    file reverse.zone 9.9.10.in-addr.arpa
    template ANY ANY invalid {
        rcode NXDOMAIN
    }
}
`;

const set: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'shop' },
  spec: { serviceName: 'db' },
};
const OBJECTS = [
  service('redis', 'shop'),
  service('api', 'lab'),
  service('db', 'shop', { clusterIP: 'None' }),
  service('mail', 'shop', { type: 'ExternalName', externalName: 'www.example.com' }),
];

/** The file as rendered, on loopback and without the ports that probes ask; reloads are looked for more often. */
function onLoopback(text: string): string {
  return text
    .replace('    errors\n', '    bind 127.0.0.1\n    errors\n')
    .replace(/^ {4}(health|ready) .*\n/gm, '')
    .replace('    reload\n', '    reload 2s 1s\n');
}

describe.each(['cluster.local', 'host.example'])('a real DNS server of a tenant, on a host whose domain is %s', (domain) => {
  const live = mkdtempSync(join(tmpdir(), 'tenantplane-live-'));
  let host: DnsServer;
  let dns: DnsServer;

  beforeAll(async () => {
    const tenant = { dns: 'server', dnsServiceIP: '10.96.0.53' } as const;
    const ctx = tenantContext({ tenant, host: { clusterDomain: domain }, subjects: [subject(set)] });
    const [hostPort, port] = [await freePort(), await freePort()];
    host = await startCoreDns(hostPort, hostCorefile(hostPort, domain), {
      'cluster.zone': zone(domain),
      'internet.zone': INTERNET,
      'reverse.zone': REVERSE,
    });
    const pairs = OBJECTS.map((object) => ({ subject: subject(object), host: projected(ctx, object) }));
    dns = await startCoreDns(port, onLoopback(corefile(ctx, pairs, { upstream: `127.0.0.1:${hostPort}`, live, port })));
  });
  afterAll(async () => {
    await dns?.stop();
    await host?.stop();
    rmSync(live, { recursive: true, force: true });
  });

  test.each([
    ['redis.shop.svc.cluster.local', ['10.0.0.1']],
    ['ReDis.Shop.SVC.cluster.LOCAL', ['10.0.0.1']],
    ['api.lab.svc.cluster.local', ['10.0.0.2']],
    ['db.shop.svc.cluster.local', ['10.1.0.10', '10.1.0.11']],
    ['db-0.db.shop.svc.cluster.local', ['10.1.0.10']],
    ['db-1.db.shop.svc.cluster.local', ['10.1.0.11']],
    ['db-x-shop-x-dev-1.db.shop.svc.cluster.local', ['10.1.0.11']],
    ['10-1-0-12.db.shop.svc.cluster.local', ['10.1.0.12']],
    ['mail.shop.svc.cluster.local', ['203.0.113.7']],
    ['kubernetes.default.svc.cluster.local', ['10.2.0.1']],
    ['www.example.com', ['203.0.113.7']],
  ])('answers %s', async (name, addresses) => {
    expect((await dns.resolver.resolve4(name)).sort()).toEqual(addresses);
  });

  test('answers the host’s name of a pod, as hostname -f gives it', async () => {
    expect(await dns.resolver.resolve4(`db-x-shop-x-dev-0.db-x-shop-x-dev.team-dev.svc.${domain}`)).toEqual(['10.1.0.10']);
  });

  test('answers SRV questions with names of the tenant', async () => {
    const web = await dns.resolver.resolveSrv('_http._tcp.redis.shop.svc.cluster.local');
    expect(web.map(({ name, port }) => `${name}:${port}`)).toEqual(['redis.shop.svc.cluster.local:80']);
    const pods = await dns.resolver.resolveSrv('_pg._tcp.db.shop.svc.cluster.local');
    expect(pods.map(({ name }) => name).sort()).toEqual(['db-0.db.shop.svc.cluster.local', 'db-1.db.shop.svc.cluster.local']);
  });

  test.each([
    `redis-x-shop-x-other.team-other.svc.${domain}`,
    `other-control-plane.cp-x-other-x-team-other.svc.${domain}`,
    `kube-dns.kube-system.svc.${domain}`,
    'redis-x-shop-x-other.team-other.svc.cluster.local',
    'redis.lab.svc.cluster.local',
    'db-0.redis.shop.svc.cluster.local',
    'cluster.local',
    'nowhere.example.com',
  ])('does not know %s', async (name) => {
    await expect(dns.resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('does not know the host’s API by its own name', async () => {
    const answer = dns.resolver.resolve4(`kubernetes.default.svc.${domain}`);
    if (domain === 'cluster.local') expect(await answer).toEqual(['10.2.0.1']);
    else await expect(answer).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('does not tell whose an address is', async () => {
    expect(await host.resolver.reverse('10.9.9.9')).toHaveLength(1);
    await expect(dns.resolver.reverse('10.9.9.9')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('takes up rules for live names while it runs', async () => {
    const name = 'late.shop.svc.cluster.local';
    await expect(dns.resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    writeFileSync(
      join(live, 'live.rules'),
      `rewrite stop {\n    name exact ${name}. late-x-shop-x-dev.team-dev.svc.${domain}.\n    answer auto\n}\n`,
    );
    let addresses: string[] = [];
    for (let attempt = 0; attempt < 40 && addresses.length === 0; attempt += 1) {
      await sleep(500);
      addresses = await dns.resolver.resolve4(name).catch(() => []);
    }
    expect(addresses).toEqual(['10.0.0.3']);
    expect(await dns.resolver.resolve4('redis.shop.svc.cluster.local')).toEqual(['10.0.0.1']);
  });
});
