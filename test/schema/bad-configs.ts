import { BAD_VALUES, type BadConfig } from './bad-values.ts';
import { functionObject, tenantCluster } from './manifests.ts';

export const BAD_CONFIGS: readonly BadConfig[] = [
  // what is it
  {
    name: 'a kind that is misspelt',
    object: { ...tenantCluster(), kind: 'TenantClsuter' },
    problems: ['/kind Enum: kind is "TenantClsuter", which is no kind of tenantplane. Did you mean TenantCluster?'],
    ours: true,
  },
  {
    name: 'a kind that is none of ours',
    object: { ...tenantCluster(), kind: 'Gadget' },
    problems: [
      '/kind Enum: kind is "Gadget", which is no kind of tenantplane. Use one of TenantCluster, IsolationProfile, SyncPolicy, SyncDecision, RenderTenant, RenderSync, RenderIsolation, ValidateTenant, HostFacts.',
    ],
    ours: true,
  },
  {
    name: 'no kind',
    object: { apiVersion: 'tenantplane.io/v1alpha1' },
    problems: [
      '/kind Enum: kind is null, which is no kind of tenantplane. Use one of TenantCluster, IsolationProfile, SyncPolicy, SyncDecision, RenderTenant, RenderSync, RenderIsolation, ValidateTenant, HostFacts.',
    ],
    ours: true,
  },
  {
    name: 'another version',
    object: { ...tenantCluster(), apiVersion: 'tenantplane.io/v1' },
    problems: [
      '/apiVersion Enum: apiVersion of TenantCluster is "tenantplane.io/v1", but must be tenantplane.io/v1alpha1. Write apiVersion: tenantplane.io/v1alpha1.',
    ],
    ours: true,
  },
  {
    name: 'a function’s kind in the wrong group',
    object: { ...functionObject('RenderTenant'), apiVersion: 'tenantplane.io/v1alpha1' },
    problems: [
      '/apiVersion Enum: apiVersion of RenderTenant is "tenantplane.io/v1alpha1", but must be fn.tenantplane.io/v1alpha1. Write apiVersion: fn.tenantplane.io/v1alpha1.',
    ],
    ours: true,
  },
  // metadata
  {
    name: 'no name',
    object: { ...tenantCluster(), metadata: { namespace: 'team-dev' } },
    problems: ['/metadata/name Required: metadata.name is missing. Set it: name of the object.'],
    ours: true,
  },
  {
    name: 'a name that is a number',
    object: tenantCluster({}, { name: 12 }),
    problems: ['/metadata/name Type: metadata.name is a number (12), but must be a string. Quote it: "12".'],
    ours: true,
  },
  {
    name: 'a name in capitals',
    object: tenantCluster({}, { name: 'Dev' }),
    problems: [
      '/metadata/name Pattern: metadata.name is "Dev", but must be a DNS name (lower case letters, digits, "-" and ".", at most 253). Use lower case letters, digits, "-" and ".", each part beginning and ending with a letter or digit.',
    ],
    ours: true,
  },
  {
    name: 'an annotation that is a boolean',
    object: tenantCluster({}, { annotations: { 'example.com/on': true } }),
    problems: [
      '/metadata/annotations/example.com~1on Type: metadata.annotations["example.com/on"] is a boolean (true), but must be a string. Quote it: "true".',
    ],
    ours: true,
  },
  {
    name: 'misspelt annotations',
    object: tenantCluster({}, { anotations: {} }),
    problems: ['/metadata/anotations UnknownField: metadata has no field "anotations". Did you mean annotations?'],
    ours: true,
  },
  // structure
  {
    name: 'no spec',
    object: { ...tenantCluster(), spec: null },
    problems: ['/spec Required: spec is missing. Set it: what the platform team wants for this tenant.'],
  },
  {
    name: 'a spec that is a list',
    object: { ...tenantCluster(), spec: [] },
    problems: [
      '/spec Type: spec is a list ([]), but must be a map. Write a map; its fields are mode, kubernetesVersion, isolationProfileRef, syncPolicyRef, controlPlane or others.',
    ],
  },
  {
    name: 'a field beside spec',
    object: { ...tenantCluster(), speck: {} },
    problems: ['/speck UnknownField: the object has no field "speck". Did you mean spec?'],
  },
  {
    name: 'no references',
    object: { ...tenantCluster(), spec: {} },
    problems: [
      '/spec/isolationProfileRef Required: spec.isolationProfileRef is missing. Set it: the security boundary of this tenant.',
      '/spec/syncPolicyRef Required: spec.syncPolicyRef is missing. Set it: which kinds cross the boundary, and in which direction.',
    ],
  },
  {
    name: 'a reference that is a bare name',
    object: tenantCluster({ syncPolicyRef: 'default' }),
    problems: [
      '/spec/syncPolicyRef Type: spec.syncPolicyRef is a string ("default"), but must be a map. Write a map; its fields are name.',
    ],
  },
  {
    name: 'a reference without a name',
    object: tenantCluster({ syncPolicyRef: {} }),
    problems: ['/spec/syncPolicyRef/name Required: spec.syncPolicyRef.name is missing. Set it: name of a SyncPolicy.'],
  },
  {
    name: 'a misspelt field',
    object: tenantCluster({ controlPlane: { replicsa: 1 } }),
    problems: ['/spec/controlPlane/replicsa UnknownField: spec.controlPlane has no field "replicsa". Did you mean replicas?'],
  },
  {
    name: 'a field in the wrong letter case',
    object: tenantCluster({ networking: { podCidr: '10.0.0.0/8' } }),
    problems: ['/spec/networking/podCidr UnknownField: spec.networking has no field "podCidr". Did you mean podCIDR?'],
  },
  {
    name: 'a field in the wrong place',
    object: tenantCluster({ egressPolicy: 'unrestricted' }),
    problems: [
      '/spec/egressPolicy UnknownField: spec has no field "egressPolicy". A field of that name is at spec.networking.egressPolicy.',
    ],
  },
  {
    name: 'a field that is nowhere',
    object: tenantCluster({ volumes: { quota: '1Gi' } }),
    problems: ['/spec/volumes/quota UnknownField: spec.volumes has no field "quota". Remove it. Known fields here: prune.'],
  },
  {
    name: 'a field called __proto__',
    object: tenantCluster({ migration: JSON.parse('{"__proto__": {"allowModeChange": true}}') }),
    problems: [
      '/spec/migration/__proto__ UnknownField: spec.migration has no field "__proto__". Remove it. Known fields here: allowModeChange, replaceImmutable, confirmRenameFrom.',
    ],
  },
  {
    name: 'a field called constructor, which every object inherits',
    object: tenantCluster({ constructor: 1 }),
    problems: [
      '/spec/constructor UnknownField: spec has no field "constructor". Remove it. Known fields here: mode, kubernetesVersion, isolationProfileRef, syncPolicyRef, controlPlane, networking, migration, resources, expects, delivery, nodePool, secrets, volumes.',
    ],
  },
  ...BAD_VALUES,
  // functions
  {
    name: 'a function’s fields beside spec',
    object: { ...functionObject('RenderTenant'), output: { shards: 2 } },
    problems: ['/output UnknownField: the object has no field "output". A field of that name is at spec.output.'],
    ours: true,
  },
  {
    name: 'output of a function that writes nothing',
    object: functionObject('ValidateTenant', { output: {} }),
    problems: [
      '/spec/output UnknownField: spec has no field "output". Remove it. Known fields here: tenant, host, allowEmpty, maxDeletions, package, failOn.',
    ],
    ours: true,
  },
  {
    name: 'a tenant of a function without its namespace',
    object: functionObject('RenderSync', { tenant: { name: 'dev' } }),
    problems: ['/spec/tenant/namespace Required: spec.tenant.namespace is missing. Set it: namespace of the TenantCluster.'],
    ours: true,
  },
  {
    name: 'a host version that YAML made a number of',
    object: functionObject('RenderTenant', { host: { version: 1.34 } }),
    problems: [
      '/spec/host/version Type: spec.host.version is a number (1.34), but must be a string. Write it quoted with two digits after "1.", such as "1.34": YAML reads an unquoted 1.30 as the number 1.3.',
    ],
    ours: true,
  },
];
