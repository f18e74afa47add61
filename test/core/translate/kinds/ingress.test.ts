import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import { claimedHosts } from '../../../../src/core/translate/kinds/ingress-hosts.ts';
import type { Overrides } from '../../context.ts';
import { make, type Result, run } from './kind.ts';

const KEY = 'Ingress.networking.k8s.io';
const backend = (name = 'web') => ({ service: { name, port: { number: 80 } } });
const path = (more: JsonObject = {}) => ({ path: '/', pathType: 'Prefix', backend: backend(), ...more });
const rule = (host?: Json, paths: Json = [path()]) => ({ ...(host !== undefined && { host }), http: { paths } });
const ingress = (spec: JsonObject, annotations: JsonObject = {}) => {
  const object = make('networking.k8s.io/v1', 'Ingress', 'web', { spec });
  object['metadata'] = { name: 'web', namespace: 'default', annotations };
  return object;
};
const SETTINGS: Overrides = {
  allow: { ingressClasses: ['nginx', 'internal'] },
  tenant: { ingressHostSuffixes: ['shop.example.com', '.b.example.org'] },
};
const translate = (spec: JsonObject, annotations: JsonObject = {}, more: Overrides = {}): Result =>
  run(KEY, ingress(spec, annotations), { ...SETTINGS, ...more, allow: { ...SETTINGS.allow, ...more.allow } });
const HOST = 'a.shop.example.com';

describe('an Ingress', () => {
  it('points at the tenant’s own Services', () => {
    const result = translate({ rules: [rule(HOST)], tls: [{ hosts: [HOST], secretName: 'cert' }] });
    expect(result.refused).toEqual([]);
    expect(result.host('spec')).toEqual({
      rules: [rule(HOST, [path({ backend: backend('web-x-default-x-dev') })])],
      tls: [{ hosts: [HOST], secretName: 'cert-x-default-x-dev' }],
      ingressClassName: 'nginx',
    });
    expect(result.references).toEqual(['Service default/web', 'Secret default/cert']);
  });

  it('is refused where the profile lists no class', () => {
    expect(translate({ rules: [rule(HOST)] }, {}, { allow: { ingressClasses: [] } }).refused).toEqual(['OptInNeeded']);
  });

  describe('claims no host of others', () => {
    it.each([
      'other.example.com',
      'evilshop.example.com',
      'example.com',
      'a.shop.example.com.evil.net',
      '*.shop.example.com',
      '*',
      'A.shop.example.com',
      'a_b.shop.example.com',
      '-a.shop.example.com',
      'a.shop.example.com.',
      '',
    ])('%j', (host) => {
      expect(translate({ rules: [rule(host)] }).refused).toEqual(['IngressHostBlocked']);
      expect(translate({ rules: [rule(HOST)], tls: [{ hosts: [HOST, host], secretName: 'c' }] }).refused).toEqual(['IngressHostBlocked']);
    });

    it.each([HOST, 'shop.example.com', 'x.y.shop.example.com', 'b.example.org', 'x.b.example.org'])('but %s is its own', (host) => {
      expect(translate({ rules: [rule(host)] }).refused).toEqual([]);
    });

    it.each<[string, JsonObject]>([
      ['a rule without a host', { rules: [rule()] }],
      ['a rule with a null host', { rules: [rule(null)] }],
      ['no rule at all', {}],
      ['an empty list of rules', { rules: [] }],
      ['a default backend alone', { defaultBackend: backend() }],
    ])('%s', (_, spec) => {
      expect(translate(spec).refused).toEqual(['IngressHostBlocked']);
    });

    it('with a null rule, which the API server reads as a rule without a host', () => {
      expect(translate({ rules: [rule(HOST), null] }).refused).toEqual(['ObjectMalformed']);
    });

    it('where no suffix is the tenant’s', () => {
      const none = { tenant: { ingressHostSuffixes: ['', '.', '*.'] } };
      expect(translate({ rules: [rule(HOST)] }, {}, none).refused).toEqual(['IngressHostBlocked']);
    });
  });

  it('answers with its default backend for its own hosts only', () => {
    const result = translate({
      defaultBackend: backend('fallback'),
      rules: [{ host: HOST }, rule('b.shop.example.com', [path({ path: '/x' })]), rule('c.shop.example.com')],
    });
    const last = path({ backend: backend('fallback-x-default-x-dev') });
    const web = backend('web-x-default-x-dev');
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'defaultBackend')).toBeUndefined();
    expect(result.host('spec', 'rules')).toEqual([
      rule(HOST, [last]),
      rule('b.shop.example.com', [path({ path: '/x', backend: web }), last]),
      rule('c.shop.example.com', [path({ backend: web })]),
    ]);
    const tls = translate({ defaultBackend: backend(), tls: [{ hosts: [HOST] }] });
    expect(tls.host('spec', 'rules')).toEqual([rule(HOST, [path({ backend: web })])]);
  });

  it('has a certificate for its own hosts only', () => {
    expect(translate({ rules: [rule(HOST)], tls: [{ secretName: 'cert' }] }).host('spec', 'tls', 0, 'hosts')).toEqual([HOST]);
  });

  describe('has a class that the profile allows', () => {
    it.each<[string, JsonObject, JsonObject, string]>([
      ['the first where none is named', {}, {}, 'nginx'],
      ['the one named', { ingressClassName: 'internal' }, {}, 'internal'],
      ['the one of the old annotation', {}, { 'kubernetes.io/ingress.class': 'internal' }, 'internal'],
    ])('%s', (_, spec, annotations, expected) => {
      const result = translate({ ...spec, rules: [rule(HOST)] }, annotations, { allow: { annotations: ['kubernetes.io/*'] } });
      expect(result.refused).toEqual([]);
      expect(result.host('spec', 'ingressClassName')).toBe(expected);
      expect(result.host('metadata', 'annotations', 'kubernetes.io/ingress.class')).toBeUndefined();
      expect(result.notes).toEqual([]);
    });

    it.each<[string, JsonObject, JsonObject]>([
      ['by field', { ingressClassName: 'public' }, {}],
      ['by annotation', {}, { 'kubernetes.io/ingress.class': 'public' }],
      ['by annotation behind an allowed field', { ingressClassName: 'nginx' }, { 'kubernetes.io/ingress.class': 'public' }],
    ])('and no other %s', (_, spec, annotations) => {
      expect(translate({ ...spec, rules: [rule(HOST)] }, annotations).refused).toEqual(['IngressClassBlocked']);
    });
  });

  describe('writes nothing into a controller’s configuration (CVE-2021-25745)', () => {
    it.each(['/a;b', '/a\nb', '/a{b}', '/a b', '/foo(/|$)(.*)', '/$1', '/a"b', "/a'b", '/é', '/%2e', 'a', '/../x', '/a/./b', '//x'])(
      '%j',
      (text) => {
        expect(translate({ rules: [rule(HOST, [path({ path: text })])] }).refused).toEqual(['IngressPathBlocked']);
      },
    );

    it.each(['/', '/a/b', '/a.b_c~d-e/', '/v1.0/x..y'])('%j is plain', (text) => {
      expect(translate({ rules: [rule(HOST, [path({ path: text })])] }).refused).toEqual([]);
    });

    it.each(['Regex', '', null, undefined, 5])('path type %j', (pathType) => {
      const odd = { path: '/', backend: backend(), ...(pathType !== undefined && { pathType }) };
      expect(translate({ rules: [rule(HOST, [odd])] }).refused).toContain('ObjectMalformed');
    });

    it('ImplementationSpecific becomes Prefix', () => {
      const paths = [path({ path: '/a', pathType: 'ImplementationSpecific' }), { pathType: 'ImplementationSpecific', backend: backend() }];
      const result = translate({ rules: [rule(HOST, paths)] });
      expect(result.refused).toEqual([]);
      expect(result.host('spec', 'rules', 0, 'http', 'paths', 0)).toMatchObject({ path: '/a', pathType: 'Prefix' });
      expect(result.host('spec', 'rules', 0, 'http', 'paths', 1)).toMatchObject({ path: '/', pathType: 'Prefix' });
    });
  });

  it('names a resource backend as on the host', () => {
    const resource = { apiGroup: 'k8s.example.com', kind: 'StorageBucket', name: 'static' };
    const result = translate({ rules: [rule(HOST, [path({ backend: { resource } })])] });
    expect(result.host('spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'resource', 'name')).toBe('static-x-default-x-dev');
    expect(result.references).toEqual(['StorageBucket.k8s.example.com default/static']);
  });

  describe('reads no Secret of the host through an annotation (CVE-2025-24513)', () => {
    const NGINX = 'nginx.ingress.kubernetes.io/';
    const open: Overrides = { allow: { annotations: [`${NGINX}*`] } };

    it.each([
      ['auth-secret', 'users', 'users-x-default-x-dev'],
      ['auth-secret', 'other/users', 'team-dev/users-x-other-x-dev'],
      ['auth-tls-secret', 'default/ca', 'team-dev/ca-x-default-x-dev'],
      ['proxy-ssl-secret', 'kube-system/ca', 'team-dev/ca-x-kube-system-x-dev'],
      ['default-backend', 'fallback', 'fallback-x-default-x-dev'],
    ])('%s: %s', (name, value, expected) => {
      const result = translate({ rules: [rule(HOST)] }, { [NGINX + name]: value }, open);
      expect(result.host('metadata', 'annotations', NGINX + name)).toBe(expected);
      expect(result.references).toHaveLength(2);
    });

    it.each(['a/b/c', '../x', 'a b', '', '/x'])('%j', (value) => {
      const result = translate({ rules: [rule(HOST)] }, { [`${NGINX}auth-secret`]: value }, open);
      expect(result.host('metadata', 'annotations', `${NGINX}auth-secret`)).toBeUndefined();
      expect(result.notes).toContain('TenantMetadataDropped');
    });

    it('which is not allowed in the first place', () => {
      const result = translate({ rules: [rule(HOST)] }, { [`${NGINX}configuration-snippet`]: 'x;' });
      expect(result.host('metadata', 'annotations')).toBeUndefined();
    });
  });
});

describe('an annotation of a controller that a wildcard would let through', () => {
  const keys = [
    'nginx.org',
    'nginx.com',
    'haproxy-ingress.github.io',
    'haproxy.org',
    'konghq.com',
    'alb.ingress.kubernetes.io',
    'zalando.org',
  ];
  const more = [
    'traefik.ingress.kubernetes.io',
    'k8s.apisix.apache.org',
    'projectcontour.io',
    'appprotect.f5.com',
    'dns.alpha.kubernetes.io',
  ];
  const open: Overrides = { allow: { annotations: [...keys, ...more].map((domain) => `${domain}/*`) } };
  const kept = (key: string, value: string, allow = open) =>
    translate({ rules: [rule(HOST)] }, { [key]: value }, allow).host('metadata', 'annotations', key);

  it.each([
    'nginx.org/server-snippets',
    'nginx.org/location-snippets',
    'haproxy-ingress.github.io/config-backend',
    'haproxy-ingress.github.io/config-frontend',
    'haproxy.org/backend-config-snippet',
    'haproxy.org/route-acl',
    'alb.ingress.kubernetes.io/actions.forward',
    'alb.ingress.kubernetes.io/conditions.web',
    'zalando.org/skipper-routes',
    'traefik.ingress.kubernetes.io/router.pathmatcher',
  ])('is raw configuration, and passes by its own name alone: %s', (key) => {
    expect(kept(key, 'x')).toBeUndefined();
    expect(kept(key, 'x', { allow: { annotations: [key] } })).toBe('x');
  });

  it.each([
    'haproxy-ingress.github.io/redirect-from',
    'konghq.com/host-aliases',
    'konghq.com/snis',
    'dns.alpha.kubernetes.io/external',
    'traefik.ingress.kubernetes.io/router.tls.domains.0.main',
  ])('claims a host: %s', (key) => {
    expect(kept(key, 'b.shop.example.com')).toBe('b.shop.example.com');
    expect(kept(key, 'victim.example.com')).toBeUndefined();
    expect(claimedHosts(ingress({}, { [key]: 'b.shop.example.com' }))).toContain('b.shop.example.com');
  });

  it.each([
    ['haproxy-ingress.github.io/auth-secret', 'team-victim/creds', 'team-dev/creds-x-team-victim-x-dev'],
    ['haproxy-ingress.github.io/auth-tls-secret', 'other/ca', 'team-dev/ca-x-other-x-dev'],
    ['haproxy-ingress.github.io/secure-crt-secret', 'crt', 'crt-x-default-x-dev'],
    ['haproxy-ingress.github.io/auth-secret', 'file:///etc/passwd', undefined],
    ['haproxy.org/server-crt', 'default/crt', 'team-dev/crt-x-default-x-dev'],
    ['nginx.org/basic-auth-secret', 'users', 'users-x-default-x-dev'],
  ])('names an object of the tenant’s: %s: %s', (key, value, host) => {
    expect(kept(key, value)).toBe(host);
  });

  it.each([
    ['traefik.ingress.kubernetes.io/router.middlewares', 'other-ns-x@kubernetescrd'],
    ['traefik.ingress.kubernetes.io/router.tls.options', 'team-dev-x@kubernetescrd'],
    ['konghq.com/plugins', 'own, other:limit'],
    ['projectcontour.io/tls-cert-namespace', 'other'],
    ['k8s.apisix.apache.org/svc-namespace', 'other'],
    ['nginx.org/policies', 'team-dev/a,other/b'],
    ['appprotect.f5.com/app-protect-policy', 'other/waf'],
    ['haproxy-ingress.github.io/auth-url', 'svc://other/auth:80/x'],
  ])('names no object of another namespace: %s: %s', (key, value) => {
    const result = translate({ rules: [rule(HOST)] }, { [key]: value }, open);
    expect(result.host('metadata', 'annotations', key)).toBeUndefined();
    expect(result.notes).toEqual(['TenantMetadataDropped']);
  });

  it.each([
    ['konghq.com/plugins', 'own, second'],
    ['nginx.org/policies', 'team-dev/a, b'],
    ['k8s.apisix.apache.org/svc-namespace', 'team-dev'],
    ['haproxy-ingress.github.io/auth-url', 'https://login.example.com/'],
  ])('may name one of its own: %s: %s', (key, value) => {
    expect(kept(key, value)).toBe(value);
  });

  it('is judged on a Service as well', () => {
    const object = make('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
    const annotations = {
      'haproxy-ingress.github.io/auth-secret': 'other/x',
      'traefik.ingress.kubernetes.io/service.serverstransport': 'a-b@kubernetescrd',
    };
    const result = run('Service', { ...object, metadata: { name: 'web', namespace: 'default', annotations } }, open);
    expect(result.host('metadata', 'annotations', 'haproxy-ingress.github.io/auth-secret')).toBe('team-dev/x-x-other-x-dev');
    expect(result.host('metadata', 'annotations', 'traefik.ingress.kubernetes.io/service.serverstransport')).toBeUndefined();
  });
});

describe('a host that an annotation claims', () => {
  const ALIAS = 'nginx.ingress.kubernetes.io/server-alias';
  const DNS = 'external-dns.alpha.kubernetes.io/hostname';
  const WWW = 'nginx.ingress.kubernetes.io/from-to-www-redirect';
  const open: Overrides = {
    allow: { annotations: ['nginx.ingress.kubernetes.io/*', 'external-dns.alpha.kubernetes.io/*', 'cert-manager.io/*'] },
  };
  const kept = (key: string, value: string, host = HOST) => {
    const result = translate({ rules: [rule(host)] }, { [key]: value }, open);
    expect(result.refused).toEqual([]);
    const found = result.host('metadata', 'annotations', key);
    expect(result.notes).toEqual(found === undefined ? ['TenantMetadataDropped'] : []);
    return found;
  };

  it.each([ALIAS, DNS, 'external-dns.alpha.kubernetes.io/internal-hostname', 'cert-manager.io/common-name', 'cert-manager.io/alt-names'])(
    'is the tenant’s own: %s',
    (key) => {
      expect(kept(key, 'b.shop.example.com')).toBe('b.shop.example.com');
      expect(kept(key, ' b.shop.example.com, x.b.example.org')).toBe(' b.shop.example.com, x.b.example.org');
      for (const value of ['login.other.example.com', 'b.shop.example.com,other.example.com', '*.shop.example.com', '~^.*$', '', ','])
        expect(kept(key, value)).toBeUndefined();
    },
  );

  it('is never a pattern', () => {
    expect(kept('nginx.ingress.kubernetes.io/server-alias-regex', 'b.shop.example.com')).toBeUndefined();
  });

  it('is the one with or without www', () => {
    const beside = { tenant: { ingressHostSuffixes: ['www.shop.example.com', 'b.example.org'] }, ...open };
    const redirect = (host: string, value = 'true') => {
      const result = translate({ rules: [rule(host)] }, { [WWW]: value }, beside);
      return result.host('metadata', 'annotations', WWW);
    };
    expect(redirect('b.example.org')).toBe('true');
    expect(redirect('www.shop.example.com')).toBeUndefined();
    expect(redirect('www.shop.example.com', 'false')).toBe('false');
  });

  it('stands on a Service too', () => {
    const service = make('v1', 'Service', 'web', { spec: { selector: { app: 'web' } } });
    service['metadata'] = { name: 'web', namespace: 'default', annotations: { [DNS]: 'other.example.com' } };
    const result = run('Service', service, { ...SETTINGS, ...open });
    expect(result.host('metadata', 'annotations')).toBeUndefined();
    expect(result.noteParams).toEqual([{ key: DNS, why: 'host other.example.com is not the tenant’s to claim' }]);
  });

  it('is no rule of the Ingress, where a default backend asks for one', () => {
    const result = translate({ defaultBackend: backend(), tls: [{ hosts: [HOST] }] }, { [ALIAS]: 'b.shop.example.com' }, open);
    expect(result.host('spec', 'rules')).toMatchObject([{ host: HOST }]);
  });

  it('counts among those that the Ingress claims', () => {
    const object = ingress({ rules: [rule('www.a.x')] }, { [ALIAS]: 'D.x, b.x', [DNS]: 'c.x', [WWW]: 'true', other: 'e.x' });
    expect(claimedHosts(object)).toEqual(['a.x', 'b.x', 'c.x', 'd.x', 'www.a.x']);
  });
});

describe('the hosts that an Ingress claims', () => {
  it('are those of rules and certificates, once each, in order', () => {
    const object = ingress({ rules: [rule('b.x'), rule('A.x'), rule(), null], tls: [{ hosts: ['b.x', 'c.x', 5] }, 'x'] });
    expect(claimedHosts(object)).toEqual(['a.x', 'b.x', 'c.x']);
  });
});
