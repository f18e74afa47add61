import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/core/kube/json.ts';
import type { Overrides } from '../../context.ts';
import { make, run } from './kind.ts';

const SLICE = 'EndpointSlice.discovery.k8s.io';
const OPEN: Overrides = { allow: { endpoints: true } };
const slice = (endpoints: Json, labels = {}, addressType = 'IPv4') => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'db-1', namespace: 'default', labels },
  addressType,
  endpoints,
  ports: [{ port: 5432 }],
});
const endpoints = (ip: string, more = {}) =>
  make('v1', 'Endpoints', 'db', { subsets: [{ addresses: [{ ip, ...more }], ports: [{ port: 5432 }] }] });

describe('endpoints made by hand', () => {
  it('are refused without an opt-in (CVE-2021-25740)', () => {
    expect(run('Endpoints', endpoints('10.0.0.5')).refused).toEqual(['OptInNeeded']);
    expect(run(SLICE, slice([{ addresses: ['10.0.0.5'] }])).refused).toEqual(['OptInNeeded']);
    expect(run('Endpoints', endpoints('10.0.0.5'), OPEN).refused).toEqual([]);
    expect(run(SLICE, slice([{ addresses: ['10.0.0.5'] }]), OPEN).refused).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '239.1.1.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    'fe80::1',
    'ff02::1',
    '::',
    '::ffff:127.0.0.1',
    'fd00:ec2::254',
    '::ffff:8.8.8.8',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
  ])('do not lead a node to itself or its own link: %s (CVE-2021-25737)', (ip) => {
    expect(run('Endpoints', endpoints(ip), OPEN).refused).toEqual(['EndpointAddressBlocked']);
    expect(run(SLICE, slice([{ addresses: [ip] }]), OPEN).refused).toEqual(['EndpointAddressBlocked']);
  });

  it('look at addresses that are not ready too', () => {
    const object = make('v1', 'Endpoints', 'db', { subsets: [{ notReadyAddresses: [{ ip: '127.0.0.1' }] }] });
    expect(run('Endpoints', object, OPEN).refused).toEqual(['EndpointAddressBlocked']);
  });

  it.each(['', 'x', '127.1', '0x7f.0.0.1', '10.0.0.0/8', '010.0.0.1'])('take %j for no address', (ip) => {
    expect(run('Endpoints', endpoints(ip), OPEN).refused).toEqual(['ObjectMalformed']);
  });

  it('do not follow names that an ExternalName may not', () => {
    const named = slice([{ addresses: ['metadata.google.internal'] }], {}, 'FQDN');
    expect(run(SLICE, named, OPEN).refused).toEqual(['ExternalNameBlocked']);
    expect(run(SLICE, named, { allow: { endpoints: true, externalNames: ['google.internal'] } }).refused).toEqual([]);
  });

  it('are left to the controller that makes them', () => {
    for (const controller of ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']) {
      expect(run(SLICE, slice([], { 'endpointslice.kubernetes.io/managed-by': controller }), OPEN).refused).toEqual([
        'ControlPlaneInfrastructure',
      ]);
    }
    const signed = endpoints('10.0.0.5');
    signed['metadata'] = { name: 'db', namespace: 'default', labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } };
    expect(run('Endpoints', signed, OPEN).refused).toEqual(['ControlPlaneInfrastructure']);
    const selecting = make('v1', 'Service', 'db', { spec: { selector: { app: 'db' } } });
    expect(run('Endpoints', endpoints('10.0.0.5'), { ...OPEN, objects: [selecting] }).refused).toEqual(['ControlPlaneInfrastructure']);
  });

  it('follow the Service’s host name, cut where it is cut', () => {
    const name = 'a'.repeat(60);
    const result = run(SLICE, slice([], { 'kubernetes.io/service-name': name }), OPEN);
    const label = result.host('metadata', 'labels', 'kubernetes.io/service-name');
    expect(label).toMatch(/^a+-[a-z2-7]{12}$/);
    expect(String(label).length).toBeLessThanOrEqual(63);
    expect(result.references).toEqual([`Service default/${name}`]);
    expect(run('Endpoints', endpoints('10.0.0.5'), OPEN).host('metadata', 'name')).toBe('db-x-default-x-dev');
  });

  it('name us as their manager, so that no controller of the host collects them', () => {
    expect(run(SLICE, slice([]), OPEN).host('metadata', 'labels', 'endpointslice.kubernetes.io/managed-by')).toBe('tenantplane');
  });

  it('name pods as on the host and nothing else', () => {
    const pod = make('v1', 'Pod', 'db-0');
    const target = { kind: 'Pod', name: 'db-0', namespace: 'default', uid: 'u', resourceVersion: '1' };
    const known = { ...OPEN, objects: [pod, make('v1', 'Pod', 'db-0', {}, 'other')] };
    expect(run(SLICE, slice([{ addresses: ['10.0.0.5'], nodeName: 'n1', targetRef: target }]), known).host('endpoints', 0)).toEqual({
      addresses: ['10.0.0.5'],
      targetRef: { kind: 'Pod', name: 'db-0-x-default-x-dev', namespace: 'team-dev' },
    });
    expect(
      run('Endpoints', endpoints('10.0.0.5', { nodeName: 'n1', targetRef: target }), known).host('subsets', 0, 'addresses', 0),
    ).toEqual({
      ip: '10.0.0.5',
      targetRef: { kind: 'Pod', name: 'db-0-x-default-x-dev', namespace: 'team-dev' },
    });
    for (const other of [
      { ...target, name: 'x' },
      { ...target, kind: 'Node' },
      { ...target, namespace: 'other' },
    ]) {
      expect(run(SLICE, slice([{ addresses: ['10.0.0.5'], targetRef: other }]), known).host('endpoints', 0)).toEqual({
        addresses: ['10.0.0.5'],
      });
    }
  });
});
