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

  it.each([
    ['ClusterIP', 'service.beta.kubernetes.io/aws-load-balancer-internal'],
    ['Ingress', 'example.com/owner'],
    ['LoadBalancer', 'prometheus.io/scrape'],
  ] as const)('is for the record where it does not: %s %s', (kind, key) => {
    expect(translated(kind, key).notes).toContain('AnnotationBlocked');
    expect(translated(kind, key).notes).not.toContain('AnnotationMissed');
  });

  it('is not mentioned where the profile lets it through', () => {
    const { notes } = translated('Ingress', 'cert-manager.io/cluster-issuer', ['cert-manager.io/*']);
    expect(notes.filter((note) => note.startsWith('Annotation'))).toEqual([]);
  });
});
