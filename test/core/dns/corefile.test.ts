import { describe, expect, test } from 'vitest';
import { corefile } from '../../../src/core/dns/corefile.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { projected, service, subject, tenantContext } from '../isolation/tenant.ts';

const pair = (object: KubeObject) => ({ subject: subject(object), host: projected(ctx, object) });
const set: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'shop' },
  spec: { serviceName: 'db' },
};

const ctx = tenantContext({
  tenant: { dns: 'server', dnsServiceIP: '10.96.0.53' },
  host: { clusterDomain: 'host.example' },
  subjects: [subject(set)],
});

describe('the Corefile', () => {
  test('asks the host for host names and answers with the tenant’s', () => {
    expect(corefile(ctx, [service('redis', 'shop'), service('db', 'shop', { clusterIP: 'None' })].map(pair))).toBe(String.raw`.:1053 {
    errors
    health :8080
    ready :8181
    reload
    loadbalance
    cache 5
    rewrite stop {
        name regex ^((?:_[^.]+\._[^.]+\.)?)kubernetes\.default\.svc\.cluster\.local\.$ {1}dev-control-plane.cp-x-dev-x-team-dev.svc.host.example.
        answer name ^(.*\.)?dev-control-plane\.cp-x-dev-x-team-dev\.svc\.host\.example\.$ {1}kubernetes.default.svc.cluster.local.
        answer value ^(.*\.)?dev-control-plane\.cp-x-dev-x-team-dev\.svc\.host\.example\.$ {1}kubernetes.default.svc.cluster.local.
    }
    rewrite stop {
        name regex ^db-(\d+)\.db\.shop\.svc\.cluster\.local\.$ db-x-shop-x-dev-{1}.db-x-shop-x-dev.team-dev.svc.host.example.
        answer name ^db-x-shop-x-dev-(\d+)\.(?:db-x-shop-x-dev\.team-dev\.svc\.host\.example\.|db\.shop\.svc\.cluster\.local\.)$ db-{1}.db.shop.svc.cluster.local.
    }
    rewrite stop {
        name regex ^((?:_[^.]+\._[^.]+\.)?)db\.shop\.svc\.cluster\.local\.$ {1}db-x-shop-x-dev.team-dev.svc.host.example.
        answer name ^(.*\.)?db-x-shop-x-dev\.team-dev\.svc\.host\.example\.$ {1}db.shop.svc.cluster.local.
        answer name ^db-x-shop-x-dev-(\d+)\.(?:db-x-shop-x-dev\.team-dev\.svc\.host\.example\.|db\.shop\.svc\.cluster\.local\.)$ db-{1}.db.shop.svc.cluster.local.
        answer value ^(.*\.)?db-x-shop-x-dev\.team-dev\.svc\.host\.example\.$ {1}db.shop.svc.cluster.local.
        answer value ^db-x-shop-x-dev-(\d+)\.(?:db-x-shop-x-dev\.team-dev\.svc\.host\.example\.|db\.shop\.svc\.cluster\.local\.)$ db-{1}.db.shop.svc.cluster.local.
    }
    rewrite stop {
        name regex ^([^._][^.]*)\.db\.shop\.svc\.cluster\.local\.$ {1}.db-x-shop-x-dev.team-dev.svc.host.example.
        answer name ^(.*\.)?db-x-shop-x-dev\.team-dev\.svc\.host\.example\.$ {1}db.shop.svc.cluster.local.
    }
    rewrite stop {
        name regex ^((?:_[^.]+\._[^.]+\.)?)redis\.shop\.svc\.cluster\.local\.$ {1}redis-x-shop-x-dev.team-dev.svc.host.example.
        answer name ^(.*\.)?redis-x-shop-x-dev\.team-dev\.svc\.host\.example\.$ {1}redis.shop.svc.cluster.local.
        answer value ^(.*\.)?redis-x-shop-x-dev\.team-dev\.svc\.host\.example\.$ {1}redis.shop.svc.cluster.local.
    }
    rewrite stop {
        name regex ^(.+)\.team-dev\.svc\.host\.example\.$ {1}.team-dev.svc.host.example.
    }
    import /etc/live-names/*.rules
    rewrite stop name regex ^(.*\.)?cluster\.local\.$ closed.invalid.
    rewrite stop name regex ^(.*\.)?host\.example\.$ closed.invalid.
    rewrite stop name regex ^(.*\.)?in-addr\.arpa\.$ closed.invalid.
    rewrite stop name regex ^(.*\.)?ip6\.arpa\.$ closed.invalid.
    template ANY ANY invalid {
        rcode NXDOMAIN
    }
    forward . /etc/resolv.conf
}
`);
  });

  test('knows the pods of an Indexed Job by name, of the Service that it names as subdomain', () => {
    const job = (name: string, completionMode: string, subdomain: string, namespace = 'shop'): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace },
      spec: { completions: 3, completionMode, template: { spec: { subdomain } } },
    });
    const jobs = [
      job('train', 'Indexed', 'ring'),
      job('plain', 'NonIndexed', 'ring'),
      job('other', 'Indexed', 'db'),
      job('far', 'Indexed', 'ring', 'lab'),
    ];
    const withJobs = tenantContext({
      tenant: { dns: 'server', dnsServiceIP: '10.96.0.53' },
      host: { clusterDomain: 'host.example' },
      subjects: jobs.map(subject),
    });
    const ring = service('ring', 'shop', { clusterIP: 'None' });
    const lines = corefile(withJobs, [{ subject: subject(ring), host: projected(withJobs, ring) }]).split('\n');
    expect(lines.filter((line) => line.includes('(\\d+)') && line.includes(' name regex ')).map((line) => line.trim())).toEqual([
      String.raw`name regex ^train-(\d+)\.ring\.shop\.svc\.cluster\.local\.$ train-x-shop-x-dev-{1}.ring-x-shop-x-dev.team-dev.svc.host.example.`,
    ]);
    expect(lines.map((line) => line.trim())).toContain(
      String.raw`answer name ^train-x-shop-x-dev-(\d+)\.(?:ring-x-shop-x-dev\.team-dev\.svc\.host\.example\.|ring\.shop\.svc\.cluster\.local\.)$ train-{1}.ring.shop.svc.cluster.local.`,
    );
  });

  test('is the same whatever the order of objects', () => {
    const all = [service('a', 'shop'), service('b', 'lab'), service('c', 'shop')].map(pair);
    expect(corefile(ctx, [...all].reverse())).toBe(corefile(ctx, all));
  });

  test('has one set of rules a Service, whatever else of that name is projected', () => {
    const web = service('web', 'shop');
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: {} };
    expect(corefile(ctx, [web, deployment].map(pair))).toBe(corefile(ctx, [web].map(pair)));
  });

  test('takes in no name that means something in its syntax', () => {
    const hostile = [service('a {\n import /etc/shadow\n}', 'shop'), service('b', 'x }')];
    expect(corefile(ctx, hostile.map(pair))).toBe(corefile(ctx, []));
  });
});
