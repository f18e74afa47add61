import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { AdmissionCase } from './case.ts';
import { A, is, NOT_SENT, OWN } from './variation.ts';

const namespace = (labels: JsonObject, annotations: JsonObject = {}): AdmissionCase['object'] => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'ns-test', labels, annotations },
});
const ROLE = { 'tenantplane.io/role': 'workload' } as const;
const PSA = { 'pod-security.kubernetes.io/enforce': 'restricted' } as const;
const relabel = (name: string, before: AdmissionCase['object'], object: AdmissionCase['object'], rules: readonly string[]): AdmissionCase =>
  is(name, object, rules, { by: 'namespace-editor', operation: 'UPDATE', before });
const BARE: AdmissionCase['object'] = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bare-deleted' } };
/** Namespaces of tenants and of others, changed and deleted, one clause at a time. */
export const NAMESPACE_VARIATIONS: readonly AdmissionCase[] = [
  relabel(
    'nothing of ours on a namespace changes',
    namespace({ ...ROLE, ...PSA }, { ...OWN }),
    namespace({ ...ROLE, ...PSA, ...A }, { ...OWN, ...A }),
    [],
  ),
  relabel('a harmless label is removed', namespace({ ...ROLE, ...A }, { ...OWN, ...A }), namespace({ ...ROLE }, { ...OWN }), []),
  relabel('an annotation of ours is added', namespace({ ...ROLE }, { ...A }), namespace({ ...ROLE }, { ...A, ...OWN }), ['nsu']),
  relabel(
    'an annotation of ours is changed',
    namespace({ ...ROLE }, { ...A, ...OWN }),
    namespace({ ...ROLE }, { ...A, 'tenantplane.io/x': 'b' }),
    ['nsu'],
  ),
  relabel('an annotation of ours is removed', namespace({ ...ROLE }, { ...A, ...OWN }), namespace({ ...ROLE }, { ...A }), ['nsu']),
  relabel('Pod Security is removed', namespace({ ...ROLE, ...PSA }), namespace({ ...ROLE }), ['nsu']),
  relabel('Pod Security is added', namespace({ ...ROLE }), namespace({ ...ROLE, ...PSA }), ['nsu']),
  relabel('role and Pod Security are removed together', namespace({ ...ROLE, ...PSA }), namespace({ ...A }), ['nsu']),
  relabel(
    'Pod Security of the host’s own namespace is raised',
    namespace({ ...A, ...PSA }),
    namespace({ ...A, 'pod-security.kubernetes.io/enforce': 'baseline' }),
    [],
  ),
  relabel('Pod Security of the host’s own namespace is removed', namespace({ ...A, ...PSA }), namespace({ ...A }), []),
  relabel('all labels of the host’s own namespace are removed', namespace({ ...A }, { ...A }), namespace({}, {}), []),
  is('a namespace of the host’s own is deleted', namespace({ ...A }), [], {
    by: 'namespace-editor',
    operation: 'DELETE',
    before: namespace({ ...A }),
  }),
  is('a namespace without labels is deleted', BARE, [], { by: 'namespace-editor', operation: 'DELETE', before: BARE }),
  is('a namespace without labels', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bare-test' } }, [], {
    by: 'namespace-editor',
  }),
  is('a namespace without metadata', { apiVersion: 'v1', kind: 'Namespace' }, [], { by: 'namespace-editor', since: NOT_SENT }),
  is('a namespace without metadata, changed', { apiVersion: 'v1', kind: 'Namespace' }, [], {
    by: 'namespace-editor',
    since: NOT_SENT,
    operation: 'UPDATE',
    before: { apiVersion: 'v1', kind: 'Namespace' },
  }),
];
