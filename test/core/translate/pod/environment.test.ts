import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { container, environment, first, pod, podSpec, render, renderUnchecked, workload } from '../../pods.ts';

const HOST = 'dev-control-plane.team-dev-control-plane.svc.cluster.local';
const rendered = (env: Json | undefined, fields: JsonObject = {}, ctx = testContext()) =>
  render(pod(podSpec({ containers: [container({ ...(env !== undefined && { env }), ...fields })] })), ctx);
const names = (spec: JsonObject): string[] => [...environment(first(spec)).keys()];

describe('the API that containers see', () => {
  it('is the tenant’s, since the kubelet would fill in the host’s', () => {
    const env = environment(first(rendered(undefined).spec));
    expect([...env]).toEqual([
      ['KUBERNETES_SERVICE_HOST', HOST],
      ['KUBERNETES_SERVICE_PORT', '6443'],
      ['KUBERNETES_SERVICE_PORT_HTTPS', '6443'],
    ]);
  });

  it('is stamped in init containers too', () => {
    const { spec } = render(pod(podSpec({ initContainers: [container({ name: 'init' })] })), testContext());
    expect(environment(first(spec, 'initContainers')).get('KUBERNETES_SERVICE_HOST')).toBe(HOST);
  });

  it('has the name that every cluster has where the tenant has a DNS of its own', () => {
    const ctx = testContext({ tenant: { dns: 'server', dnsServiceIP: '10.96.0.50' } });
    expect(environment(first(rendered([], {}, ctx).spec)).get('KUBERNETES_SERVICE_HOST')).toBe('kubernetes.default.svc.cluster.local');
  });

  it('of a variable said 60,000 times has the last, unless one in between reads it', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({ name: 'A', value: String(index) }));
    expect([...environment(first(rendered(many).spec))].at(-1)).toEqual(['A', '59999']);
    const read = renderUnchecked(
      pod(podSpec({ containers: [container({ env: [...many.slice(0, 2), { name: 'B', value: 'x$(A)' }, { name: 'A', value: 'c' }] })] })),
      testContext(),
    );
    expect(read.edit.refusals.map(({ params }) => params['pointer'])).toEqual(['spec.containers[0].env[1]', 'spec.containers[0].env[0]']);
  });

  it('stands first, so that $(VAR) in the tenant’s variables works', () => {
    const { spec } = rendered([{ name: 'API', value: 'https://$(KUBERNETES_SERVICE_HOST)' }]);
    expect(names(spec)).toEqual(['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT', 'KUBERNETES_SERVICE_PORT_HTTPS', 'API']);
  });

  it('yields to a variable of that name, once', () => {
    const { spec } = rendered([
      { name: 'A', value: 'b' },
      { name: 'KUBERNETES_SERVICE_HOST', value: '1.2.3.4' },
    ]);
    expect(names(spec)).toEqual(['KUBERNETES_SERVICE_PORT', 'KUBERNETES_SERVICE_PORT_HTTPS', 'A', 'KUBERNETES_SERVICE_HOST']);
    expect(environment(first(spec)).get('KUBERNETES_SERVICE_HOST')).toBe('1.2.3.4');
  });

  it('yields to envFrom, over which env would win', () => {
    const objects = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'api' }, data: { KUBERNETES_SERVICE_HOST: '1.2.3.4', SERVICE_PORT: '1' } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'api' }, stringData: { KUBERNETES_SERVICE_PORT_HTTPS: '1' } },
    ];
    const ctx = testContext({ objects });
    const from = (source: JsonObject): string[] => names(rendered(undefined, { envFrom: [source] }, ctx).spec);
    expect(from({ configMapRef: { name: 'api' } })).toEqual(['KUBERNETES_SERVICE_PORT', 'KUBERNETES_SERVICE_PORT_HTTPS']);
    expect(from({ configMapRef: { name: 'api' }, prefix: 'KUBERNETES_' })).toEqual([
      'KUBERNETES_SERVICE_HOST',
      'KUBERNETES_SERVICE_PORT_HTTPS',
    ]);
    expect(from({ secretRef: { name: 'api' } })).toEqual(['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT']);
    expect(from({ configMapRef: { name: 'unknown' } })).toHaveLength(3);
  });

  it('is three changes in the decision, not a copy of the whole list', () => {
    const { edit } = rendered([{ name: 'A', value: 'b' }]);
    const changes = edit.changes.filter(({ path }) => path.includes('env'));
    expect(changes.map(({ op, path }) => [op, path.at(-1)])).toEqual([
      ['Add', 0],
      ['Add', 1],
      ['Add', 2],
    ]);
  });

  it('is applied whole where the tenant repeats a name: the last one counts, and server-side apply takes no two', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
      { name: 'A', value: '3' },
    ];
    expect([...environment(first(rendered(env).spec))].slice(3)).toEqual([
      ['B', '2'],
      ['A', '3'],
    ]);
    expect(names(rendered(env).spec)).toHaveLength(5);
    const read = [...env, { name: 'A', value: '$(A)' }];
    const { edit } = renderUnchecked(pod(podSpec({ containers: [container({ env: read })] })), testContext());
    expect(edit.refusals.map(({ reason }) => reason)).toContain('ObjectMalformed');
  });

  it('is a legal Service name whatever the tenant is called', () => {
    for (const name of ['1st', 'a.b', 'x'.repeat(60)]) {
      const host = environment(first(rendered([], {}, testContext({ tenant: { name } })).spec)).get('KUBERNETES_SERVICE_HOST');
      expect(String(host).split('.')[0]).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
    }
  });
});

describe('service links', () => {
  const objects = [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'redis-cart' }, spec: {} }];
  const ctx = testContext({ objects });
  const links = (fields: JsonObject, spec: JsonObject = {}) =>
    render(workload('Deployment', podSpec({ containers: [container(fields)], ...spec })), ctx);

  it('are off: they would carry the host’s names', () => {
    expect(rendered(undefined).spec['enableServiceLinks']).toBe(false);
    expect(links({}, { enableServiceLinks: true }).spec['enableServiceLinks']).toBe(false);
  });

  it('are missed by name where a container counts on one', () => {
    const note = links({ args: ['connect $(REDIS_CART_SERVICE_HOST):$REDIS_CART_SERVICE_PORT'] }).note('ServiceLinksOff');
    expect(note?.params).toEqual({ names: 'REDIS_CART_SERVICE_HOST, REDIS_CART_SERVICE_PORT' });
  });

  it('are not missed where the tenant had switched them off, sets the variable, or means no Service of its own', () => {
    const args = ['$(REDIS_CART_SERVICE_HOST)'];
    expect(links({ args }, { enableServiceLinks: false }).note('ServiceLinksOff')).toBeUndefined();
    expect(links({ args, env: [{ name: 'REDIS_CART_SERVICE_HOST', value: 'x' }] }).note('ServiceLinksOff')).toBeUndefined();
    expect(links({ args: ['$(OTHER_SERVICE_HOST)', 'PRODUCT_CATALOG_SERVICE_ADDR'] }).note('ServiceLinksOff')).toBeUndefined();
  });
});
