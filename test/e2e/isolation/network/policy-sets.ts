import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';

/** A tenant's pods and policies, by chance; what stands in its Namespaces is fixed, so that selectors of them often meet. */
export interface PolicySet {
  readonly level: 'baseline' | 'restricted' | 'sandboxed';
  readonly egressPolicy: 'allow-same-tenant' | 'unrestricted';
  readonly pods: readonly TenantPod[];
  readonly policies: readonly { readonly namespace: string; readonly spec: JsonObject }[];
}

export interface TenantPod {
  readonly namespace: string;
  readonly labels: Record<string, string>;
  readonly ports: readonly JsonObject[];
}

/** Labels of the tenant's namespaces; the last one has no Namespace object, so all that it has is its name. */
export const NAMESPACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  front: { team: 'x', env: 'live' },
  back: { team: 'y' },
  idle: {},
  undeclared: {},
};
export const UNDECLARED = 'undeclared';

// Often the same key, so that selectors meet pods. One key is owned by a tool of the host and is re-keyed; of two the values are names.
const KEYS = ['app', 'app', 'app', 'tier', 'tier', 'zone', 'app.kubernetes.io/instance', 'job-name', 'statefulset.kubernetes.io/pod-name'];
// One value often, so that policies and pods meet; an empty one is a value, too.
const VALUES = ['a', 'a', 'a', 'a', 'b', ''];

const labels = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES), { maxKeys: 3 });

const expression = (keys: readonly string[], values: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    fc
      .record({
        key: fc.constantFrom(...keys),
        operator: fc.constantFrom('In', 'NotIn'),
        values: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3, size: 'max' }),
      })
      .map((each): JsonObject => ({ ...each })),
    fc
      .record({ key: fc.constantFrom(...keys), operator: fc.constantFrom('Exists', 'DoesNotExist') })
      .map((each): JsonObject => ({ ...each })),
  );

const selector = (matching: fc.Arbitrary<Record<string, string>>, expressions: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<JsonObject>({}) },
    { weight: 3, arbitrary: matching.map((matchLabels): JsonObject => ({ matchLabels })) },
    {
      weight: 4,
      arbitrary: fc
        .record(
          { matchLabels: matching, matchExpressions: fc.array(expressions, { minLength: 1, maxLength: 3, size: 'max' }) },
          { requiredKeys: ['matchExpressions'] },
        )
        .map((each): JsonObject => ({ ...each })),
    },
  );

const podSelector = selector(labels, expression(KEYS, VALUES));
const NAME = 'kubernetes.io/metadata.name';
const namespaceSelector = selector(
  fc.constantFrom<Record<string, string>>(
    { team: 'x' },
    { team: 'y' },
    { env: 'live' },
    { [NAME]: 'back' },
    { [NAME]: UNDECLARED },
    { [NAME]: 'kube-system' },
  ),
  fc.oneof(expression(['team', 'env'], ['x', 'y', 'live']), expression([NAME], Object.keys(NAMESPACES))),
);

const peer = fc
  .oneof(fc.record({ podSelector }), fc.record({ namespaceSelector }), fc.record({ podSelector, namespaceSelector }))
  .map((each): JsonObject => ({ ...each }));

const port = fc.constantFrom<JsonObject>(
  { port: 8080 },
  { port: 9000, protocol: 'TCP' },
  { port: 'http' },
  { port: 'dns', protocol: 'UDP' },
  { port: 8000, endPort: 8080 },
  { port: 8080, endPort: 9000, protocol: 'TCP' },
  { protocol: 'UDP' },
  { protocol: 'TCP' },
);

/** Ranges around the addresses that pods have, and those of nobody; exceptions lie inside, as the API server wants them. */
const block = fc.constantFrom<JsonObject>(
  { cidr: '10.244.0.0/29' },
  { cidr: '10.244.0.0/24', except: ['10.244.0.2/32', '10.244.0.4/31'] },
  { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '198.51.100.0/25'] },
  { cidr: '198.51.100.0/24' },
  { cidr: '::/0', except: ['2001:db8::/64'] },
  { cidr: '2001:db8::/32', except: ['2001:db8:0:1::/64'] },
);
const peerOrBlock = fc.oneof({ weight: 3, arbitrary: peer }, { weight: 2, arbitrary: block.map((ipBlock): JsonObject => ({ ipBlock })) });
const anyPort = fc.oneof(
  { weight: 3, arbitrary: port },
  fc.constantFrom<JsonObject>({ protocol: 'SCTP' }, { port: 8080, protocol: 'SCTP' }),
);

interface RuleParts {
  readonly peer: fc.Arbitrary<JsonObject>;
  readonly port: fc.Arbitrary<JsonObject>;
}
const LABELS_ONLY: RuleParts = { peer, port };

const rules = (field: 'from' | 'to', parts: RuleParts = LABELS_ONLY): fc.Arbitrary<JsonObject[]> =>
  fc.array(
    fc
      .record({
        peers: fc.array(parts.peer, { maxLength: 3, size: 'max' }),
        missing: fc.boolean(),
        ports: fc.array(parts.port, { maxLength: 2, size: 'max' }),
      })
      .map(({ peers, missing, ports }): JsonObject => {
        const list: Json[] = [...peers];
        return { ...(!(missing && list.length === 0) && { [field]: list }), ...(ports.length > 0 && { ports }) };
      }),
    { maxLength: 2, size: 'max' },
  );

const policy = (parts: RuleParts): fc.Arbitrary<PolicySet['policies'][number]> =>
  fc
    .record({
      namespace: fc.constantFrom('front', 'front', 'back', UNDECLARED),
      podSelector,
      types: fc.constantFrom<Json[] | undefined>(undefined, ['Ingress'], ['Egress'], ['Ingress', 'Egress']),
      ingress: fc.option(rules('from', parts), { nil: undefined }),
      egress: fc.option(rules('to', parts), { nil: undefined }),
    })
    .map(({ namespace, podSelector, types, ingress, egress }) => ({
      namespace,
      spec: {
        podSelector,
        ...(types !== undefined && { policyTypes: types }),
        ...(ingress !== undefined && { ingress }),
        ...(egress !== undefined && { egress }),
      },
    }));

const pod: fc.Arbitrary<TenantPod> = fc.record({
  namespace: fc.constantFrom('front', 'front', 'front', ...Object.keys(NAMESPACES)),
  labels,
  // the same name for another number at another pod
  ports: fc.constantFrom<JsonObject[]>(
    [{ name: 'http', containerPort: 8080 }],
    [
      { name: 'http', containerPort: 9000 },
      { name: 'dns', containerPort: 8080, protocol: 'UDP' },
    ],
    [],
  ),
});

const surroundings = fc.constantFrom<Pick<PolicySet, 'level' | 'egressPolicy'>>(
  { level: 'baseline', egressPolicy: 'allow-same-tenant' },
  { level: 'baseline', egressPolicy: 'unrestricted' },
  { level: 'restricted', egressPolicy: 'allow-same-tenant' },
  { level: 'restricted', egressPolicy: 'unrestricted' },
  { level: 'sandboxed', egressPolicy: 'allow-same-tenant' },
);

const setsOf = (parts: RuleParts): fc.Arbitrary<PolicySet> =>
  fc
    .record({
      chosen: surroundings,
      pods: fc.array(pod, { minLength: 3, maxLength: 6, size: 'max' }),
      policies: fc.array(policy(parts), { minLength: 1, maxLength: 5, size: 'max' }),
    })
    .map(({ chosen, pods, policies }) => ({ ...chosen, pods, policies }));

export const policySets: fc.Arbitrary<PolicySet> = setsOf(LABELS_ONLY);

/** With ranges of addresses and with SCTP, which the host does not take over as they are: for what policies mean, not for what we make of them. */
export const widerSets: fc.Arbitrary<PolicySet> = setsOf({ peer: peerOrBlock, port: anyPort });

/** Policies with no key in common, most of which select a pod: the pods that they leave take more selectors than are rendered. */
export const crowdedSets: fc.Arbitrary<PolicySet> = fc
  .record({
    chosen: surroundings,
    pods: fc.array(pod, { minLength: 4, maxLength: 6, size: 'max' }),
    policies: fc.array(fc.record({ ingress: rules('from'), egress: rules('to') }), { minLength: 7, maxLength: 9, size: 'max' }),
  })
  .map(({ chosen, pods, policies }) => {
    const own = (index: number): Record<string, string> => ({ [`key-${index}`]: 'a', [`other-${index}`]: 'a' });
    return {
      ...chosen,
      pods: pods.map((each, index) =>
        index % 2 === 0 ? each : { ...each, namespace: 'front', labels: { ...each.labels, ...own(index) } },
      ),
      policies: policies.map(({ ingress, egress }, index) => ({
        namespace: 'front',
        spec: { podSelector: { matchLabels: own(index) }, policyTypes: ['Ingress', 'Egress'], ingress, egress },
      })),
    };
  });
