import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { devPackage, planFiles, previousOf, profile, tenant } from '../support/observe.ts';
import { type Case, cases, decisionsOf } from './case.ts';
import { service } from './pods.ts';

const WEB = 'selector: {app: web}\nports: [{port: 80}]';
const ingress = (spec: string, metadata = ''): string =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i${metadata === '' ? '' : `, ${metadata}`}}\nspec:\n${spec.replace(/^/gm, '  ')}\n`;
const rule = (host: string, path = '/', type = 'Prefix'): string =>
  `rules: [{host: ${JSON.stringify(host)}, http: {paths: [{path: ${JSON.stringify(path)}, pathType: ${type}, backend: {service: {name: web, port: {number: 80}}}}]}}]`;
const INGRESS = {
  profile: '  allow: {ingressClasses: [nginx], ingressHostSuffixes: ["{tenant}.example.com"]}\n',
  beside: service(WEB, 'web'),
};
const HOST = 'a.dev.example.com';

const INGRESSES: readonly Case[] = [
  ...(
    [
      ['a tenant claims a host of another', 'other.example.com'],
      ['a suffix is compared as text, not label by label', 'evildev.example.com'],
      ['an Ingress without a host answers for every host', ''],
      ['a wildcard claims the hosts of others', '*.example.com'],
      ['a wildcard claims what is not yet there', `*.${HOST}`],
    ] as const
  ).map(
    ([wrong, host]): Case => ({
      id: 'T-I2 E38',
      refs: 'vcluster#2698, kyverno restrict-ingress-wildcard',
      wrong,
      ...INGRESS,
      input: ingress(rule(host)),
      refused: 'IngressHostBlocked',
      pointer: 'spec.rules[0].host',
    }),
  ),
  {
    id: 'T-I2',
    refs: 'vcluster#2698',
    wrong: 'only the rules are checked, and the certificate claims a host of another',
    ...INGRESS,
    input: ingress(`${rule(HOST)}\ntls: [{hosts: [other.example.com], secretName: t}]`),
    refused: 'IngressHostBlocked',
  },
  {
    id: 'T-I2',
    refs: 'kyverno restrict-ingress-classes',
    wrong: 'the old annotation picks a class that the field could not',
    ...INGRESS,
    input: ingress(rule(HOST), 'annotations: {kubernetes.io/ingress.class: internal-admin}'),
    refused: 'IngressClassBlocked',
  },
  {
    id: 'T-I2',
    refs: 'kyverno restrict-ingress-classes',
    wrong: 'an Ingress without a class goes to whatever controller takes those',
    ...INGRESS,
    input: ingress(rule(HOST)),
    fields: { 'spec ingressClassName': 'nginx' },
  },
  {
    id: 'T-I2',
    refs: 'default backend of the whole controller',
    wrong: 'a default backend answers for the hosts of everyone',
    ...INGRESS,
    input: ingress('defaultBackend: {service: {name: web, port: {number: 80}}}'),
    refused: 'IngressHostBlocked',
  },
  {
    id: 'T-I1',
    refs: 'CVE-2021-25742, CVE-2023-5043, CVE-2025-1974',
    wrong: 'an annotation writes into the configuration of the controller',
    ...INGRESS,
    input: ingress(
      rule(HOST),
      'annotations: {nginx.ingress.kubernetes.io/configuration-snippet: "return 200;", nginx.ingress.kubernetes.io/server-snippet: x, nginx.ingress.kubernetes.io/auth-url: "http://x"}',
    ),
    fields: {
      'metadata annotations nginx.ingress.kubernetes.io/configuration-snippet': undefined,
      'metadata annotations nginx.ingress.kubernetes.io/server-snippet': undefined,
      'metadata annotations nginx.ingress.kubernetes.io/auth-url': undefined,
    },
    notes: ['AnnotationMissed'],
  },
  ...['/a;proxy_pass', '/a\nb', '/a{2}', '/a/../b', '//a', '/"'].map(
    (path): Case => ({
      id: 'T-I1',
      refs: 'CVE-2021-25745, CVE-2026-1580, CVE-2026-24512',
      wrong: `path ${JSON.stringify(path)} is configuration to the controller`,
      ...INGRESS,
      input: ingress(rule(HOST, path)),
      refused: 'IngressPathBlocked',
    }),
  ),
  {
    id: 'T-I1',
    refs: 'CVE-2021-25745',
    wrong: 'a path type that each controller reads as it likes goes to the host',
    ...INGRESS,
    input: ingress(rule(HOST, '/a', 'ImplementationSpecific')),
    fields: { 'spec rules 0 http paths 0 pathType': 'Prefix' },
  },
  {
    id: 'T-I3',
    refs: 'CVE-2025-24513, vcluster#351',
    wrong: 'a certificate or password file of the host is served by name',
    beside: INGRESS.beside,
    profile:
      '  allow: {ingressClasses: [nginx], ingressHostSuffixes: ["{tenant}.example.com"], annotations: [nginx.ingress.kubernetes.io/auth-secret]}\n',
    input: ingress(
      `${rule(HOST)}\ntls: [{hosts: [${HOST}], secretName: host-cert}]`,
      'annotations: {nginx.ingress.kubernetes.io/auth-secret: kube-system/admin-users}',
    ),
    fields: {
      'spec tls 0 secretName': 'host-cert-x-default-x-dev',
      'metadata annotations nginx.ingress.kubernetes.io/auth-secret': expect.stringMatching(/^team-dev\/admin-users-x-kube-system-x-dev$/),
      'spec rules 0 http paths 0 backend service name': 'web-x-default-x-dev',
    },
  },
];

describe('an Ingress', () => cases(INGRESSES));

describe('a host that two tenants claim', () => {
  const HOSTS = profile('restricted', 'restricted', '  allow: {ingressClasses: [nginx], ingressHostSuffixes: [example.com]}\n');
  const dev = { ...devPackage({ 'i.yaml': ingress(rule('www.example.com')), 's.yaml': INGRESS.beside }, { profile: HOSTS }) };
  const both = {
    ...dev,
    'tenants/b/tenant.yaml': tenant('b'),
    'tenants/b/objects/i.yaml': ingress(rule('www.example.com')),
    'tenants/b/objects/s.yaml': INGRESS.beside,
  };
  const claims = (result: Plan): string[] =>
    decisionsOf(result)
      .filter(({ source }) => source?.kind === 'Ingress')
      .map(({ tenant: of, action, reason }) => `${of.name} ${action} ${reason}`)
      .sort();

  it('T-I2 vcluster#2698: the newcomer takes the traffic of the tenant that has it', () => {
    const old = previousOf(planFiles(dev));
    expect(claims(planFiles(both, {}, old))).toEqual(['b Skip IngressHostTaken', 'dev Create PolicyMatched']);
  });

  it('T-I2 vcluster#2698: of two that come at once, the order of files decides', () => {
    expect(claims(planFiles(both))).toEqual(['b Skip IngressHostTaken', 'dev Skip IngressHostTaken']);
  });
});
