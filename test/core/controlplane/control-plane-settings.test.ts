import { describe, expect, test } from 'vitest';
import { settingsOf } from './tenant-clusters.ts';

describe('settings of a control plane', () => {
  test('have every default', () => {
    expect(settingsOf()).toEqual({
      tenant: { name: 'dev', namespace: 'team-dev' },
      namespace: 'cp-x-dev-x-team-dev',
      mode: 'shared',
      replicas: 1,
      datastore: { type: 'sqlite' },
      storage: { size: '1Gi', onDelete: 'Delete' },
      expose: { loadBalancer: false, annotations: {} },
      extraTLSSANs: [],
      resources: { requests: { cpu: '100m', memory: '512Mi' }, limits: { cpu: '1', memory: '2Gi' } },
      clusterDomain: 'host.example',
    });
  });

  test('are what the TenantCluster says', () => {
    const controlPlane = {
      replicas: 2,
      datastore: { type: 'postgres', secretRef: { name: 'database' } },
      storage: { className: 'fast', size: 2, onDelete: 'Retain' },
      expose: { loadBalancer: true, annotations: { 'example.com/internal': 'true' } },
      extraTLSSANs: ['dev.example.com'],
    };
    expect(
      settingsOf({ mode: 'dedicated', controlPlane, networking: { podCIDR: '10.1.0.0/16', serviceCIDR: '10.2.0.0/16' } }, ['10.96.0.0/12']),
    ).toMatchObject({
      mode: 'dedicated',
      replicas: 2,
      datastore: { type: 'postgres', secret: { name: 'database', key: 'endpoint' } },
      storage: { className: 'fast', size: '2', onDelete: 'Retain' },
      expose: { loadBalancer: true, annotations: { 'example.com/internal': 'true' } },
      extraTLSSANs: ['dev.example.com'],
      podCIDR: '10.1.0.0/16',
      serviceCIDR: '10.2.0.0/16',
    });
  });

  test('have the host’s service ranges where the tenant names none', () => {
    expect(settingsOf({}, ['10.96.0.0/12', 'fd00:96::/112']).serviceCIDR).toBe('10.96.0.0/12,fd00:96::/112');
    expect(settingsOf({ networking: { serviceCIDR: '' } }, ['10.96.0.0/12']).serviceCIDR).toBe('10.96.0.0/12');
  });
});
