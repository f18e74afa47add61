import { levelDefaults } from '../../src/core/isolation/levels.ts';
import { clone } from '../../src/core/kube/json.ts';
import { kindRow } from '../../src/core/kube/kinds.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { createContext } from '../../src/core/plan/context.ts';
import type { HostFacts, PolicyEntry, ProfileSettings, TenantSettings } from '../../src/core/plan/settings.ts';
import type { Subject, TenantContext } from '../../src/core/plan/tenant-context.ts';
import { commonSteps } from '../../src/core/translate/common-steps.ts';
import { createEdit, type Edit, type Refusal } from '../../src/core/translate/edit.ts';
import type { KindTranslation } from '../../src/core/translate/translation.ts';

export interface Overrides {
  readonly tenant?: Partial<TenantSettings>;
  readonly profile?: Partial<Omit<ProfileSettings, 'allow'>>;
  readonly allow?: Partial<ProfileSettings['allow']>;
  readonly host?: Partial<HostFacts>;
  readonly entries?: readonly PolicyEntry[];
  /** everything that the tenant has */
  readonly objects?: readonly KubeObject[];
  /** the same as subjects, for a test that says where they stand */
  readonly subjects?: readonly Subject[];
}

/** Tenant `dev` in host namespace `team-dev`, with the defaults of level `restricted` (or the level given) and no opt-ins. */
export function testContext(overrides: Overrides = {}): TenantContext {
  const { apiFairness, ...level } = levelDefaults(overrides.profile?.level ?? 'restricted');
  return createContext({
    tenant: {
      name: 'dev',
      namespace: 'team-dev',
      controlPlaneNamespace: 'team-dev-control-plane',
      mode: 'shared',
      profile: 'restricted',
      policy: 'default',
      egressPolicy: 'deny-by-default',
      dns: 'aliases',
      clusterDomain: 'cluster.local',
      ingressHostSuffixes: [],
      renderSecrets: 'none',
      pruneVolumes: false,
      replaceImmutable: false,
      expects: [],
      resources: {},
      controlPlane: { replicas: 1, loadBalancer: false, datastore: 'sqlite' },
      delivery: 'git',
      ...overrides.tenant,
    },
    profile: {
      name: 'restricted',
      level: 'restricted',
      completePodSecurity: 'seccomp',
      userNamespaces: 'off',
      statedControls: [],
      ...level,
      ...(apiFairness !== undefined && { apiFairness }),
      allow: {
        daemonSets: false,
        selectorlessServices: false,
        endpoints: false,
        serviceTypes: [],
        loadBalancerClasses: [],
        ingressClasses: [],
        storageClasses: [],
        csiDrivers: [],
        extendedResources: [],
        imageVolumes: false,
        tolerations: [],
        annotations: [],
        externalMetrics: false,
        gatewayNamespaces: [],
        priorityClasses: [],
        secretStores: [],
        seccompProfiles: [],
        externalNames: [],
        ...overrides.allow,
      },
      quota: {},
      network: { hostCIDRs: [], dnsPeers: [] },
      ...overrides.profile,
    },
    policy: { name: 'default', conflictPolicy: 'manual', recordDecisions: true, entries: overrides.entries ?? [] },
    host: {
      clusterDomain: 'cluster.local',
      serviceCIDRs: [],
      trustedWriters: [],
      trustedGroups: [],
      runtimeTolerations: new Map(),
      ...overrides.host,
    },
    subjects: overrides.subjects ?? (overrides.objects ?? []).map(testSubject),
    covered: () => true,
    sound: () => true,
  });
}

export function testSubject(object: KubeObject): Subject {
  const key = kindKey(apiVersionOf(object), kindOf(object));
  const row = kindRow(key) ?? {
    kind: kindOf(object),
    group: key.slice(kindOf(object).length + 1),
    versions: [],
    plural: '',
    scope: 'Namespaced',
    role: 'projected',
    nameLimit: 63,
    dots: true,
  };
  return {
    object,
    row,
    key,
    name: nameOf(object),
    virtualNamespace: namespaceOf(object) ?? 'default',
    source: { path: 'objects/app.yaml', document: 0 },
  };
}

export interface Translated {
  readonly edit: Edit;
  /** of checks first, then of steps */
  readonly refusals: readonly Refusal[];
}

/** Runs a kind's checks, then (whatever they said) common steps and its own, as the planner would. */
export function translateKind(translation: KindTranslation | undefined, object: KubeObject, ctx: TenantContext): Translated {
  if (translation === undefined) throw new Error(`no translation of ${kindOf(object)}`);
  const subject =
    ctx.find(kindKey(apiVersionOf(object), kindOf(object)), namespaceOf(object) ?? 'default', nameOf(object)) ?? testSubject(object);
  const refusals = (translation.checks ?? []).flatMap((check) => check.run(subject, ctx) ?? []);
  const edit = createEdit(clone(object), subject.key === 'Secret');
  for (const step of [...commonSteps, ...(translation.steps ?? [])]) step(edit, subject, ctx);
  return { edit, refusals: [...refusals, ...edit.refusals] };
}
