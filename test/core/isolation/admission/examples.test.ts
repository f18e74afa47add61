import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEY } from '../../../../src/core/identity/metadata.ts';
import { kindRow } from '../../../../src/core/kube/kinds.ts';
import { labelsOf, nameOf, namespaceOf } from '../../../../src/core/kube/object.ts';
import { pod, REQUESTERS } from '../../../support/admission-cases/case.ts';
import { exampleAdmission } from '../../../support/admission-examples.ts';
import { verdictsOf } from '../../../support/admission-policy.ts';
import { EXAMPLES, PACKAGES, renderPackage } from '../../../support/example.ts';
import { keyOf } from '../../../support/host-tree.ts';

describe('what we render, and what Kubernetes makes of it, is admitted', () => {
  it.each(PACKAGES)('examples/%s', async (path) => {
    const { policies, namespaces, creations } = exampleAdmission(await renderPackage(join(EXAMPLES, path)));
    expect(policies.length).toBeGreaterThan(20);
    const byName = new Map(namespaces.map((namespace) => [nameOf(namespace), namespace]));
    for (const namespace of namespaces) {
      const request = { operation: 'CREATE', group: '', resource: 'namespaces', object: namespace, ...REQUESTERS.argocd } as const;
      expect(verdictsOf(policies, request)).toEqual([]);
    }
    const refused = creations.flatMap(({ name, object, by }) => {
      const key = keyOf(object);
      const namespace = byName.get(namespaceOf(object) ?? '');
      const [, ...group] = key.split('.');
      const resource = kindRow(key)?.plural ?? `${key.split('.')[0]?.toLowerCase()}s`;
      const request = {
        operation: 'CREATE',
        group: group.join('.'),
        resource,
        object,
        ...REQUESTERS[by],
        ...(namespace && { namespace }),
      } as const;
      return verdictsOf(policies, request).map(({ message }) => `${name}: ${message}`);
    });
    expect(refused).toEqual([]);
    // and they are looked at: another pod is refused in each of these namespaces
    const hostile = {
      operation: 'CREATE',
      group: '',
      resource: 'pods',
      object: pod({ nodeName: 'node-1' }),
      ...REQUESTERS.argocd,
    } as const;
    for (const namespace of namespaces.filter((each) => labelsOf(each).get(KEY.role) === 'workload')) {
      expect(verdictsOf(policies, { ...hostile, namespace }).map(({ rule }) => rule)).toContain('node');
    }
    expect(creations.length).toBeGreaterThan(0);
  });
});
