import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/plan-types.ts';
import { devPackage, type Files, planFiles, profile, treeOf } from '../../support/observe.ts';

const facts = (spec: string): string => `apiVersion: fn.tenantplane.io/v1alpha1\nkind: HostFacts\nmetadata: {name: host}\nspec: ${spec}\n`;
const sandboxed = devPackage(
  {},
  {
    profile: profile('restricted', 'sandboxed', '  allow: {storageClasses: [fast], ingressClasses: [nginx], priorityClasses: [low]}\n'),
  },
);

function said(files: Files, spec?: string): string[] {
  const plan = planFiles(spec === undefined ? files : { ...files, 'facts.yaml': facts(spec) });
  return plan.findings
    .map(({ reason, message }) => `${reason}: ${message}`)
    .filter((text) => /HostLacks|HostFieldUnknown|Backstop/.test(text));
}

describe('facts of the host', () => {
  it('unknown are said, one by one', () => {
    expect(said(sandboxed)).toEqual([
      'HostFieldUnknown: Whether RuntimeClass kata-qemu exists depends on runtimeClasses, which is not known here.',
      'HostFieldUnknown: Whether StorageClass fast exists depends on storageClasses, which is not known here.',
      'HostFieldUnknown: Whether IngressClass nginx exists depends on ingressClasses, which is not known here.',
      'HostFieldUnknown: Whether PriorityClass low exists depends on priorityClasses, which is not known here.',
    ]);
  });

  it('that hold what the profile names need no word', () => {
    const all = '{runtimeClasses: [kata-qemu], storageClasses: [fast], ingressClasses: [nginx], priorityClasses: [low]}';
    expect(said(sandboxed, all)).toEqual([]);
  });

  it('that lack it are warned of', () => {
    expect(said(sandboxed, '{runtimeClasses: [], storageClasses: [slow], ingressClasses: [nginx], priorityClasses: [low]}')).toEqual([
      'HostLacks: RuntimeClass kata-qemu, which IsolationProfile restricted names, is not on the host by its HostFacts: the API server would refuse every pod.',
      'HostLacks: StorageClass fast, which IsolationProfile restricted names, is not on the host by its HostFacts: claims that name it would wait for ever.',
    ]);
  });

  it('of a host that does not serve what the policy projects', () => {
    const [text] = said(devPackage({}), '{apiVersions: [v1]}');
    expect(text).toMatch(/^HostLacks: API version \S+, of which SyncPolicy \S+ projects \w+, is not on the host/);
  });

  it('of a host without admission policies', () => {
    expect(said(devPackage({}), '{version: v1.29.4}')).toEqual([
      'BackstopUnavailable: The host serves no ValidatingAdmissionPolicy v1; IsolationProfile restricted is enforced by the render only.',
    ]);
  });

  it('give the version that Pod Security is enforced at, unless the config gives another', () => {
    const version = (plan: Plan): string | undefined => /enforce-version: (\S+)/.exec([...treeOf(plan).values()].join(''))?.[1];
    const known = { ...devPackage({}), 'facts.yaml': facts('{version: v1.33.1}') };
    expect(version(planFiles(known, { host: {} }))).toBe('v1.33');
    expect(version(planFiles(known, { host: { version: '1.31' } }))).toBe('v1.31');
  });

  it('that hold tolerations of the runtime class let its pods have them, and no others', () => {
    const policies = (spec: string): string =>
      [...treeOf(planFiles({ ...sandboxed, 'facts.yaml': facts(spec) }))]
        .filter(([path]) => path.includes('policy.admissionregistration.k8s.io_tenantplane-restricted-pods'))
        .map(([, text]) => text)
        .join('');
    const taint = (runtimeClass: string): string =>
      `{runtimeTolerations: [{runtimeClass: ${runtimeClass}, key: sandbox, operator: Exists}]}`;
    expect(policies(taint('kata-qemu'))).toContain("'sandbox'");
    expect(policies(taint('gvisor'))).not.toContain("'sandbox'");
  });

  it('that say that the network plugin ignores policies make them not enforced', () => {
    const controls = (spec: string): string[] =>
      (planFiles({ ...devPackage({}), 'facts.yaml': facts(spec) }).tenants[0]?.controls ?? [])
        .filter(({ notEnforced }) => notEnforced !== undefined)
        .map(({ field }) => field);
    expect(controls('{networkPolicies: enforced}')).toEqual([]);
    expect(controls('{networkPolicies: ignored}')).toEqual(['controls.defaultDenyNetworkPolicy', 'networking.egressPolicy']);
  });

  it.each<[string, Files]>([
    ['that are not legal', { 'facts.yaml': facts('{version: latest}') }],
    ['that make a class of the system the default', { 'facts.yaml': facts('{defaultPriorityClass: system-node-critical}') }],
    ['of two hosts', { 'facts.yaml': facts('{}'), 'more/facts.yaml': facts('{}') }],
  ])('%s stop the render', (_, more) => {
    expect(planFiles({ ...devPackage({}), ...more }).stopped).toBe(true);
  });

  it('are the platform’s to state: a tenant’s own freeze the tenant', () => {
    const plan = planFiles(devPackage({ 'facts.yaml': facts('{version: v1.34.0}') }));
    expect(plan.tenants[0]?.frozen).toContain('facts.yaml');
  });
});
