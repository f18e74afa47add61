import { stringAt } from '../kube/json.ts';
import { apiVersionOf, groupOf, type KubeObject, kindOf } from '../kube/object.ts';
import { hasKey, INGRESS_KEYS, LOAD_BALANCER_KEYS } from './controller-annotations.ts';

interface Missed {
  readonly kinds: readonly string[];
  readonly names: (key: string) => boolean;
  readonly effect: string;
  /** the Service's type without which the annotation says nothing */
  readonly type?: string;
}

/** Annotations that do the work of their object: without them it is there, and does something else than was asked for. */
const MISSED: readonly Missed[] = [
  {
    kinds: ['Ingress'],
    names: (key) => /^(cert-manager\.io\/(cluster-)?issuer(-kind|-group)?|kubernetes\.io\/tls-acme)$/.test(key),
    effect: 'no certificate is made for its TLS Secrets',
  },
  {
    kinds: ['Ingress', 'Service'],
    names: (key) => /^external-dns\.alpha\.kubernetes\.io\/(internal-)?hostname$/.test(key),
    effect: 'no DNS record is made for it',
  },
  {
    kinds: ['Ingress'],
    names: (key) => /^([a-z0-9-]+\.)?ingress\.kubernetes\.io\//.test(key) || hasKey(INGRESS_KEYS, key),
    effect: 'the controller serves it with its defaults: no authentication, rewriting or limit that this asks for',
  },
  {
    kinds: ['Service'],
    names: (key) => hasKey(LOAD_BALANCER_KEYS, key),
    effect: 'a load balancer is made with the defaults of the cloud, which may be open to the internet',
    type: 'LoadBalancer',
  },
];

/** What an object does no more without an annotation; undefined where it does without. */
export function missedEffect(object: KubeObject, key: string): string | undefined {
  const group = groupOf(apiVersionOf(object));
  if (group !== '' && group !== 'networking.k8s.io') return undefined;
  return MISSED.find(
    ({ kinds, names, type }) =>
      kinds.includes(kindOf(object)) && names(key) && (type === undefined || stringAt(object, 'spec', 'type') === type),
  )?.effect;
}
