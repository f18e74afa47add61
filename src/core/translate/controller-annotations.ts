/**
 * Annotations by which controllers of load balancers and of Ingresses are told what to do, by who reads them. A pattern ends with `*`
 * or is the whole key. From the reference of each; a cloud that is not here has most likely a key of `service.beta.kubernetes.io/*`,
 * which no other than clouds ever used.
 */
export const LOAD_BALANCER_KEYS: Readonly<Record<string, readonly string[]>> = {
  // AWS, Azure, Alibaba, Baidu, DigitalOcean, Exoscale, Linode, OpenStack, Oracle, OVH, Scaleway, UpCloud, Volcengine, Vultr
  'a cloud provider': ['service.beta.kubernetes.io/*'],
  AWS: ['service.kubernetes.io/aws-*', 'service.k8s.aws/*'],
  Azure: ['service.kubernetes.io/azure-*'],
  Google: ['cloud.google.com/*', 'networking.gke.io/*'],
  IBM: ['service.kubernetes.io/ibm-*'],
  Tencent: [
    'service.kubernetes.io/qcloud-*',
    'service.kubernetes.io/tke-*',
    'service.kubernetes.io/loadbalance-id',
    'service.cloud.tencent.com/*',
  ],
  Huawei: ['kubernetes.io/elb.*'],
  Hetzner: ['load-balancer.hetzner.cloud/*'],
  OVH: ['loadbalancer.ovhcloud.com/*'],
  OpenStack: ['loadbalancer.openstack.org/*'],
  DigitalOcean: ['kubernetes.digitalocean.com/*'],
  Oracle: ['oci.oraclecloud.com/*', 'oci-network-load-balancer.oraclecloud.com/*'],
  Civo: ['kubernetes.civo.com/*'],
  Yandex: ['yandex.cloud/*'],
  STACKIT: ['lb.stackit.cloud/*'],
  MetalLB: ['metallb.io/*', 'metallb.universe.tf/*'],
  'kube-vip': ['kube-vip.io/*'],
  Cilium: ['lbipam.cilium.io/*', 'io.cilium/*', 'service.cilium.io/*'],
  Calico: ['projectcalico.org/*'],
  Antrea: ['service.antrea.io/*'],
  PureLB: ['purelb.io/*'],
  LoxiLB: ['loxilb.io/*'],
  OpenELB: ['eip.openelb.kubesphere.io/*', 'lb.kubesphere.io/*'],
  ServiceLB: ['svccontroller.k3s.cattle.io/*'],
  Avi: ['ako.vmware.com/*', 'aviinfrasetting.ako.vmware.com/*'],
  Tailscale: ['tailscale.com/*'],
};

/** All but those of the pattern that most controllers follow, `NAME.ingress.kubernetes.io/`. */
export const INGRESS_KEYS: Readonly<Record<string, readonly string[]>> = {
  Google: [
    'networking.gke.io/*',
    'cloud.google.com/*',
    'ingress.gcp.kubernetes.io/*',
    'kubernetes.io/ingress.global-static-ip-name',
    'kubernetes.io/ingress.regional-static-ip-name',
    'kubernetes.io/ingress.allow-http',
  ],
  Azure: ['alb.networking.azure.io/*'],
  IBM: ['ingress.bluemix.net/*'],
  Tencent: ['kubernetes.io/ingress.qcloud-*', 'kubernetes.io/ingress.http-rules', 'ingress.cloud.tencent.com/*'],
  Huawei: ['kubernetes.io/elb.*'],
  Oracle: ['oci-native-ingress.oraclecloud.com/*'],
  Yandex: ['ingress.alb.yc.io/*'],
  Cilium: ['ingress.cilium.io/*'],
  'NGINX (F5)': ['nginx.org/*', 'nginx.com/*', 'appprotect.f5.com/*', 'virtual-server.f5.com/*'],
  HAProxy: ['haproxy.org/*', 'haproxy.com/*', 'haproxy-ingress.github.io/*'],
  Kong: ['konghq.com/*'],
  Contour: ['projectcontour.io/*'],
  APISIX: ['k8s.apisix.apache.org/*'],
  Higress: ['higress.io/*'],
  Skipper: ['zalando.org/*'],
  Citrix: ['ingress.citrix.com/*'],
  Pomerium: ['ingress.pomerium.io/*'],
  Emissary: ['getambassador.io/*'],
  ngrok: ['k8s.ngrok.com/*'],
  Avi: ['ako.vmware.com/*', 'aviinfrasetting.ako.vmware.com/*'],
  Tailscale: ['tailscale.com/*'],
};

/** Whether one of the patterns of a table names the key. */
export function hasKey(table: Readonly<Record<string, readonly string[]>>, key: string): boolean {
  return Object.values(table).some((patterns) =>
    patterns.some((pattern) => (pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern)),
  );
}
