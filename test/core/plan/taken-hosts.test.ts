import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { decisionsOf } from '../../../src/report/tally.ts';
import { devPackage, type Files, planFiles, previousOf, profile, tenant } from '../../support/observe.ts';

const workload = (kind: string, name: string, more = ''): string =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n  ${more}\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n      securityContext: {runAsNonRoot: true}\n      containers: [{name: c, image: a:1, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]\n`;
const ingress = (name: string, host: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}}\nspec: {rules: [{host: ${host}, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}\n`;
const GATE = profile('restricted', 'restricted', '  allow: {ingressClasses: [nginx], ingressHostSuffixes: [example.com]}\n');

describe('Ingress hosts over the fleet', () => {
  const two: Files = {
    ...devPackage({ 'i.yaml': ingress('a', 'shop.example.com') }, { profile: GATE }),
    'tenants/b/tenant.yaml': tenant('b'),
    'tenants/b/objects/i.yaml': ingress('b', 'shop.example.com'),
  };
  const taken = (result: Plan): string[] =>
    decisionsOf(result)
      .filter(({ reason }) => reason === 'IngressHostTaken')
      .map(({ source }) => source?.name ?? '');

  it('go to nobody where two tenants claim one at once', () => {
    expect(taken(planFiles(two)).sort()).toEqual(['a', 'b']);
  });

  const DNS = profile(
    'restricted',
    'restricted',
    `  allow:
    ingressClasses: [nginx]
    ingressHostSuffixes: [example.com]
    serviceTypes: [LoadBalancer]
    annotations: ['external-dns.alpha.kubernetes.io/*']
`,
  );
  const service = (name: string, host: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, annotations: {external-dns.alpha.kubernetes.io/hostname: ${host}}}\nspec: {type: LoadBalancer, selector: {app: a}, ports: [{port: 80}]}\n`;
  const pods = (name: string, host: string): string =>
    workload('Deployment', name).replace(
      'metadata: {labels:',
      `metadata: {annotations: {external-dns.alpha.kubernetes.io/hostname: ${host}}, labels:`,
    );

  // an external-dns record of a Service leads callers to it just as an Ingress would
  it.each([
    ['a Service', service('b', 'shop.example.com')],
    ['the pods of a workload', pods('b', 'shop.example.com')],
  ])('are no annotation’s to take: %s', (_, late) => {
    const first = devPackage({ 'i.yaml': ingress('a', 'shop.example.com') }, { profile: DNS });
    const both: Files = { ...first, 'tenants/b/tenant.yaml': tenant('b'), 'tenants/b/objects/s.yaml': late };
    expect(taken(planFiles(both)).sort()).toEqual(['a', 'b']);
    expect(taken(planFiles(both, {}, previousOf(planFiles(first))))).toEqual(['b']);
    // and the other way round
    const { 'tenants/dev/objects/i.yaml': _ingress, ...other } = both;
    expect(taken(planFiles(both, {}, previousOf(planFiles(other))))).toEqual(['a']);
  });

  it('stay with the incumbent', () => {
    const { 'tenants/b/objects/i.yaml': _late, ...first } = two;
    expect(taken(planFiles(two, {}, previousOf(planFiles(first))))).toEqual(['b']);
  });

  it('may be repeated by one tenant', () => {
    const files = devPackage({ 'i.yaml': ingress('a', 'shop.example.com'), 'j.yaml': ingress('b', 'shop.example.com') }, { profile: GATE });
    expect(taken(planFiles(files))).toEqual([]);
  });
});
