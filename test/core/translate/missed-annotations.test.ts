import { describe, expect, it } from 'vitest';
import type { Overrides } from '../context.ts';
import { make, type Result, run } from './kinds/kind.ts';

const HOST = 'a.shop.example.com';
const OPEN: Overrides = {
  allow: { ingressClasses: ['nginx'], serviceTypes: ['LoadBalancer'] },
  tenant: { ingressHostSuffixes: ['shop.example.com'] },
};

function translated(kind: 'Ingress' | 'ClusterIP' | 'LoadBalancer', key: string, annotations: readonly string[] = []): Result {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const spec =
    kind === 'Ingress'
      ? { rules: [{ host: HOST, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }], tls: [{ secretName: 'cert' }] }
      : { type: kind, selector: { app: 'web' }, ports: [{ port: 80 }] };
  const object = kind === 'Ingress' ? make('networking.k8s.io/v1', kind, 'web', { spec }) : make('v1', 'Service', 'web', { spec });
  object['metadata'] = { name: 'web', namespace: 'default', annotations: { [key]: HOST } };
  return run(kind === 'Ingress' ? 'Ingress.networking.k8s.io' : 'Service', object, { ...OPEN, allow: { ...OPEN.allow, annotations } });
}

describe('an annotation that is left out', () => {
  it.each([
    ['Ingress', 'cert-manager.io/cluster-issuer', /no certificate/],
    ['Ingress', 'kubernetes.io/tls-acme', /no certificate/],
    ['Ingress', 'nginx.ingress.kubernetes.io/auth-url', /no authentication/],
    ['Ingress', 'traefik.ingress.kubernetes.io/router.middlewares', /no authentication/],
    ['Ingress', 'external-dns.alpha.kubernetes.io/hostname', /no DNS record/],
    ['ClusterIP', 'external-dns.alpha.kubernetes.io/hostname', /no DNS record/],
    ['LoadBalancer', 'service.beta.kubernetes.io/aws-load-balancer-internal', /open to the internet/],
    ['LoadBalancer', 'networking.gke.io/load-balancer-type', /open to the internet/],
  ] as const)('is a warning where the object does something else without it: %s %s', (kind, key, effect) => {
    const result = translated(kind, key);
    expect(result.refused).toEqual([]);
    expect(result.notes).toContain('AnnotationMissed');
    expect(result.noteParams.find((params) => params['effect'] !== undefined)).toEqual({ key, effect: expect.stringMatching(effect) });
    expect(result.notes).not.toContain('AnnotationBlocked');
  });

  // a key of each from its reference
  it.each([
    ['Alibaba', 'service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type'],
    ['Antrea', 'service.antrea.io/external-ip-pool'],
    ['AWS', 'service.beta.kubernetes.io/aws-load-balancer-scheme'],
    ['Azure', 'service.beta.kubernetes.io/azure-load-balancer-internal'],
    ['Baidu', 'service.beta.kubernetes.io/cce-load-balancer-internal-vpc'],
    ['Cilium', 'lbipam.cilium.io/ips'],
    ['Cilium, as it was', 'io.cilium/lb-ipam-ips'],
    ['Civo', 'kubernetes.civo.com/firewall-id'],
    ['DigitalOcean', 'service.beta.kubernetes.io/do-loadbalancer-type'],
    ['DigitalOcean, one that is there', 'kubernetes.digitalocean.com/load-balancer-id'],
    ['Exoscale', 'service.beta.kubernetes.io/exoscale-loadbalancer-external'],
    ['Google', 'cloud.google.com/load-balancer-type'],
    ['Hetzner', 'load-balancer.hetzner.cloud/use-private-ip'],
    ['Huawei', 'kubernetes.io/elb.autocreate'],
    ['IBM', 'service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type'],
    ['kube-vip', 'kube-vip.io/loadbalancerIPs'],
    ['Linode', 'service.beta.kubernetes.io/linode-loadbalancer-firewall-id'],
    ['MetalLB', 'metallb.io/address-pool'],
    ['MetalLB, as it was', 'metallb.universe.tf/address-pool'],
    ['OpenStack', 'service.beta.kubernetes.io/openstack-internal-load-balancer'],
    ['OpenStack Octavia', 'loadbalancer.openstack.org/flavor-id'],
    ['Oracle', 'service.beta.kubernetes.io/oci-load-balancer-internal'],
    ['Oracle NLB', 'oci-network-load-balancer.oraclecloud.com/internal'],
    ['OVH', 'loadbalancer.ovhcloud.com/class'],
    ['Scaleway', 'service.beta.kubernetes.io/scw-loadbalancer-private'],
    ['Tencent', 'service.kubernetes.io/qcloud-loadbalancer-internal-subnetid'],
    ['Tencent, one that is there', 'service.kubernetes.io/loadbalance-id'],
    ['UpCloud', 'service.beta.kubernetes.io/upcloud-load-balancer-config'],
    ['Vultr', 'service.beta.kubernetes.io/vultr-loadbalancer-firewall-rules'],
    ['Yandex', 'yandex.cloud/load-balancer-type'],
  ])('of a load balancer is a warning, whoever makes it: %s', (_, key) => {
    expect(translated('LoadBalancer', key).notes).toContain('AnnotationMissed');
    expect(translated('ClusterIP', key).notes).not.toContain('AnnotationMissed');
  });

  it.each([
    ['AWS', 'alb.ingress.kubernetes.io/scheme'],
    ['Azure', 'appgw.ingress.kubernetes.io/use-private-ip'],
    ['Azure for Containers', 'alb.networking.azure.io/alb-name'],
    ['Google', 'kubernetes.io/ingress.global-static-ip-name'],
    ['Google certificates', 'networking.gke.io/managed-certificates'],
    ['HAProxy', 'haproxy.org/whitelist'],
    ['haproxy-ingress', 'haproxy-ingress.github.io/auth-url'],
    ['Huawei', 'kubernetes.io/elb.class'],
    ['IBM', 'ingress.bluemix.net/ALB-ID'],
    ['Kong', 'konghq.com/plugins'],
    ['NGINX of F5', 'nginx.org/rewrites'],
    ['OpenStack', 'octavia.ingress.kubernetes.io/internal'],
    ['Oracle', 'oci-native-ingress.oraclecloud.com/certificate-ocid'],
    ['Tencent', 'kubernetes.io/ingress.qcloud-loadbalance-id'],
    ['Yandex', 'ingress.alb.yc.io/security-groups'],
  ])('of an Ingress is a warning, whoever serves it: %s', (_, key) => {
    expect(translated('Ingress', key).notes).toContain('AnnotationMissed');
  });

  it.each([
    ['ClusterIP', 'service.beta.kubernetes.io/aws-load-balancer-internal'],
    ['Ingress', 'example.com/owner'],
    ['LoadBalancer', 'prometheus.io/scrape'],
    ['LoadBalancer', 'service.kubernetes.io/topology-mode'],
    ['Ingress', 'kubernetes.io/description'],
  ] as const)('is for the record where it does not: %s %s', (kind, key) => {
    expect(translated(kind, key).notes).toContain('AnnotationBlocked');
    expect(translated(kind, key).notes).not.toContain('AnnotationMissed');
  });

  it('is not mentioned where the profile lets it through', () => {
    const { notes } = translated('Ingress', 'cert-manager.io/cluster-issuer', ['cert-manager.io/*']);
    expect(notes.filter((note) => note.startsWith('Annotation'))).toEqual([]);
  });
});
