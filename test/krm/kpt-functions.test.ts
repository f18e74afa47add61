import { Console } from 'node:console';
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import type { KptFunc, KubernetesObject, Configs as SdkConfigs } from 'kpt-functions';
import { describe, expect, test } from 'vitest';
import { renderSync, renderTenant, validateTenant } from '../../src/krm/kpt-functions.ts';

// The package replaces the global console while it loads, and the test runner's has no constructor to do that with.
Object.assign(console, { Console });
const { Configs } = await import('kpt-functions');

// The real package of that name. Its functions are typed by a class; ours must fit without an import of it.
const functions: Readonly<Record<string, KptFunc>> = { renderTenant, renderSync, validateTenant };

const FILES = ['platform/policy.yaml', 'platform/profile.yaml', 'tenants/dev/tenant.yaml', 'tenants/dev/objects/greeter.yaml'];
function sources(): KubernetesObject[] {
  return FILES.flatMap((path) => {
    const text = readFileSync(new URL(`../../functions/render-tenant/example/${path}`, import.meta.url), 'utf8');
    return (loadAll(text) as KubernetesObject[]).map((object, index) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { 'internal.config.kubernetes.io/path': path, 'internal.config.kubernetes.io/index': String(index) },
      },
    }));
  });
}
const names = (configs: SdkConfigs): string[] => configs.getAll().map(({ kind, metadata }) => `${kind}/${metadata.name}`);

describe('under the npm SDK', () => {
  test('render-tenant inserts the tree beside the sources, and a second run changes nothing', async () => {
    const configs = new Configs(sources());
    await functions['renderTenant']?.(configs);
    expect(names(configs)).toContain('ConfigMap/greeting-x-default-x-dev');
    expect(names(configs)).toContain('ConfigMap/greeting');
    expect(names(configs).filter((name) => name.startsWith('TenantCluster/'))).toHaveLength(1);
    expect(configs.getResults().filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(configs.getResults().find(({ severity }) => severity === 'warn')).toMatchObject({
      tags: { code: 'TP3004' },
      resourceRef: { namespace: 'default' },
    });
    const before = JSON.stringify(configs.getAll());
    await functions['renderTenant']?.(configs);
    expect(JSON.stringify(configs.getAll())).toBe(before);
  });

  test('an object whose source is gone is deleted', async () => {
    const configs = new Configs(sources());
    await functions['renderTenant']?.(configs);
    configs.delete(...configs.getAll().filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'greeting'));
    await functions['renderTenant']?.(configs);
    expect(names(configs)).not.toContain('ConfigMap/greeting-x-default-x-dev');
  });

  test('validate-tenant reports and changes nothing; a refusal is an error there', async () => {
    const configs = new Configs(sources());
    const before = JSON.stringify(configs.getAll());
    await functions['validateTenant']?.(configs);
    expect(JSON.stringify(configs.getAll())).toBe(before);
    expect(
      configs
        .getResults()
        .filter(({ severity }) => severity === 'error')
        .map(({ tags }) => tags?.['code']),
    ).toEqual(['TP3004']);
  });

  test('render-sync, and a ConfigMap as config; a wrong config is an error result', async () => {
    const config = (data: Record<string, string>): KubernetesObject =>
      ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data }) as KubernetesObject;
    const configs = new Configs(sources(), config({ 'output.shards': '2' }));
    await functions['renderSync']?.(configs);
    const paths = configs.getAll().map(({ metadata }) => metadata.annotations?.['internal.config.kubernetes.io/path']);
    expect(paths.filter((path) => path?.startsWith('host/team-dev/shard-0'))).toHaveLength(2);
    const wrong = new Configs(sources(), config({ failsOn: 'never' }));
    await functions['renderSync']?.(wrong);
    expect(wrong.getResults()).toMatchObject([{ severity: 'error', message: expect.stringContaining('failsOn') }]);
  });

  test('each has a usage text', () => {
    for (const one of Object.values(functions)) expect(one.usage).toMatch(/Config: /);
  });
});
