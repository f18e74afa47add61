import { describe, expect, it } from 'vitest';
import { CONTROL_FIELDS } from '../../../src/core/isolation/controls.ts';
import { BOUND_CONTROLS } from '../../../src/core/review/bounds.ts';
import { directionOf, LATTICES } from '../../../src/core/review/lattice.ts';

describe('lattice', () => {
  it('has a row for each control that can be declared', () => {
    expect(CONTROL_FIELDS.length).toBeGreaterThan(30);
    expect(CONTROL_FIELDS.filter((field) => LATTICES[field] === undefined && !BOUND_CONTROLS.includes(field))).toEqual([]);
  });

  it.each([
    ['controls.podSecurity', 'baseline', 'restricted', 'stronger'],
    ['controls.runtimeClassName', undefined, 'kata', 'stronger'],
    ['controls.runtimeClassName', 'gvisor', 'kata', 'different'],
    ['controls.userNamespaces', 'required', 'preferred', 'weaker'],
    ['controls.apiFairness', 'tenant', 'tenant-strict', 'stronger'],
    ['networking.egressPolicy', 'allow-same-tenant', 'unrestricted', 'weaker'],
    ['allow.daemonSets', 'false', 'true', 'weaker'],
    ['allow.serviceTypes', 'none', 'LoadBalancer', 'weaker'],
    ['allow.serviceTypes', 'LoadBalancer NodePort', 'LoadBalancer', 'stronger'],
    // one is taken and another is given: there is more than there was
    ['allow.csiDrivers', 'a', 'b', 'weaker'],
    ['network.hostCIDRs', 'none', '10.0.0.0/8', 'stronger'],
    ['allow.tolerations', 'a:Exists:*:*', 'a:Equal:b:NoSchedule', 'stronger'],
    ['allow.tolerations', 'a:*:*:*', 'a:Exists:*:*', 'different'],
    ['allow.tolerations', 'a:Equal:b:*', 'a:Equal:c:*', 'weaker'],
    ['allow.externalNames', 'example.com', 'dev.example.com', 'stronger'],
    ['allow.externalNames', 'example.com', 'otherexample.com', 'weaker'],
    ['allow.annotations', 'a.example/*', 'a.example/b', 'stronger'],
    ['network.dnsPeers', 'dns:53:', 'dns:53:app=dns', 'stronger'],
    ['network.dnsPeers', 'dns:53:', 'dns:54:', 'weaker'],
    ['controlPlane.kubeconfig.hours', '168', '24', 'stronger'],
    ['mode', 'dedicated', undefined, 'weaker'],
    ['networking.podCIDR', '10.0.0.0/8', '10.1.0.0/16', 'different'],
    ['controls.notKnownYet', undefined, 'true', 'different'],
  ] as const)('%s from %s to %s is %s', (control, before, after, direction) => {
    expect(directionOf(control, before, after)).toBe(direction);
  });

  it('turns round with its sides, in every row that has a direction', () => {
    const opposite = { stronger: 'weaker', weaker: 'stronger', different: 'different' } as const;
    for (const [field, lattice] of Object.entries(LATTICES)) {
      expect(lattice(undefined, 'x'), field).toBe(
        lattice('x', undefined) === 'different' ? 'different' : opposite[lattice('x', undefined)],
      );
    }
  });
});
