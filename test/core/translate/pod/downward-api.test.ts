import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { container, environment, first, pod, podSpec, render, workload } from '../../pods.ts';

const ctx = testContext();
const variable = (fieldPath: string) => ({ name: 'V', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });
const spec = (fieldPath: string): JsonObject =>
  podSpec({
    containers: [container({ env: [variable(fieldPath)] })],
    volumes: [
      { name: 'a', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath } }] } },
      { name: 'b', projected: { sources: [{ downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath } }] } }] } },
    ],
  });
const inEnv = (rendered: JsonObject) => environment(first(rendered)).get('V');
const inVolumes = (rendered: JsonObject): string[] =>
  [...JSON.stringify(rendered['volumes']).matchAll(/"fieldPath":"([^"]*)"/g)].map(([, path]) => path ?? '');

describe('the downward API', () => {
  it('shows the virtual namespace, in env and in volumes, for every kind', () => {
    const host = "metadata.labels['tenantplane.io/virtual-namespace']";
    for (const object of [pod(spec('metadata.namespace')), workload('Deployment', spec('metadata.namespace'))]) {
      const { spec: rendered } = render(object, ctx);
      expect(inEnv(rendered)).toMatchObject({ fieldRef: { fieldPath: host } });
      expect(inVolumes(rendered)).toEqual([host, host]);
    }
  });

  it('shows the tenant’s name of a pod of its own, and the host’s of one that a controller names', () => {
    const own = "metadata.annotations['tenantplane.io/virtual-name']";
    expect(inVolumes(render(pod(spec('metadata.name')), ctx).spec)).toEqual([own, own]);
    const deployed = render(workload('Deployment', spec('metadata.name')), ctx);
    expect(inEnv(deployed.spec)).toMatchObject({ fieldRef: { fieldPath: 'metadata.name' } });
    expect(deployed.note('HostNetworkAlias')?.params['field']).toBe('metadata.name');
  });

  it('reads a label where it stands on the host', () => {
    const reserved = "metadata.labels['app.kubernetes.io/instance']";
    const host = "metadata.labels['t.tenantplane.io/app.kubernetes.io_instance']";
    const { spec: rendered } = render(workload('Deployment', spec(reserved)), ctx);
    expect(inEnv(rendered)).toMatchObject({ fieldRef: { fieldPath: host } });
    expect(inVolumes(rendered)).toEqual([host, host]);
    expect(inVolumes(render(pod(spec("metadata.labels['app']")), ctx).spec)).toEqual(["metadata.labels['app']", "metadata.labels['app']"]);
  });

  it('shows the value of an annotation that did not pass', () => {
    const object = pod(spec("metadata.annotations['team']"), { annotations: { team: 'blue' } });
    expect(inEnv(render(object, ctx).spec)).toBe('blue');
    const allowed = render(object, testContext({ allow: { annotations: ['team'] } }));
    expect(inEnv(allowed.spec)).toMatchObject({ fieldRef: { fieldPath: "metadata.annotations['team']" } });
  });

  it('shows none of our own annotations', () => {
    const { spec: rendered } = render(pod(spec("metadata.annotations['tenantplane.io/source-path']")), ctx);
    expect(inEnv(rendered)).toBe('');
    expect(inVolumes(rendered)).not.toContain("metadata.annotations['tenantplane.io/source-path']");
  });

  it('shows the tenant’s account', () => {
    const env = [variable('spec.serviceAccountName')];
    const shown = (fields: JsonObject) => inEnv(render(pod(podSpec({ containers: [container({ env })], ...fields })), ctx).spec);
    expect(shown({ serviceAccountName: 'web' })).toBe('web');
    expect(shown({})).toBe('default');
  });

  it('keeps what is the host’s to say, and whole maps of labels', () => {
    for (const path of ['status.podIP', 'status.hostIPs', 'spec.nodeName', 'metadata.uid'])
      expect(inEnv(render(pod(spec(path)), ctx).spec)).toMatchObject({ fieldRef: { fieldPath: path } });
    expect(inVolumes(render(pod(spec('metadata.labels')), ctx).spec)).toEqual(['metadata.labels', 'metadata.labels']);
  });

  it('keeps resource fields', () => {
    const env = [{ name: 'V', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', containerName: 'app' } } }];
    expect(inEnv(render(pod(podSpec({ containers: [container({ env })] })), ctx).spec)).toEqual(env[0]?.valueFrom);
  });
});
