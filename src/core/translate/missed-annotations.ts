import { stringAt } from '../kube/json.ts';
import { apiVersionOf, groupOf, type KubeObject, kindOf } from '../kube/object.ts';

interface Missed {
  readonly kinds: readonly string[];
  readonly keys: RegExp;
  readonly effect: string;
  /** the Service's type without which the annotation says nothing */
  readonly type?: string;
}

/** Annotations that do the work of their object: without them it is there, and does something else than was asked for. */
const MISSED: readonly Missed[] = [
  {
    kinds: ['Ingress'],
    keys: /^(cert-manager\.io\/(cluster-)?issuer(-kind|-group)?|kubernetes\.io\/tls-acme)$/,
    effect: 'no certificate is made for its TLS Secrets',
  },
  {
    kinds: ['Ingress', 'Service'],
    keys: /^external-dns\.alpha\.kubernetes\.io\/(internal-)?hostname$/,
    effect: 'no DNS record is made for it',
  },
  {
    kinds: ['Ingress'],
    keys: /^([a-z0-9-]+\.)?ingress\.kubernetes\.io\/|^haproxy-ingress\.github\.io\//,
    effect: 'the controller serves it with its defaults: no authentication, rewriting or limit that this asks for',
  },
  {
    kinds: ['Service'],
    keys: /^(service\.beta\.kubernetes\.io|cloud\.google\.com|networking\.gke\.io)\/.*load-balancer|^service\.(beta\.)?kubernetes\.io\/(aws|azure|oci|do)-/,
    effect: 'a load balancer is made with the defaults of the cloud, which may be open to the internet',
    type: 'LoadBalancer',
  },
];

/** What an object does no more without an annotation; undefined where it does without. */
export function missedEffect(object: KubeObject, key: string): string | undefined {
  const group = groupOf(apiVersionOf(object));
  if (group !== '' && group !== 'networking.k8s.io') return undefined;
  return MISSED.find(
    ({ kinds, keys, type }) =>
      kinds.includes(kindOf(object)) && keys.test(key) && (type === undefined || stringAt(object, 'spec', 'type') === type),
  )?.effect;
}
