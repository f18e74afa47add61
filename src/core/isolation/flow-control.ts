import { KEY, MANAGED_BY } from '../identity/metadata.ts';
import type { JsonObject } from '../kube/json.ts';
import type { HostFacts, ProfileSettings } from '../plan/settings.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata, profileCause } from './compiled-object.ts';
import { RECONCILER } from './reconciler.ts';

type Fairness = NonNullable<ProfileSettings['apiFairness']>;

/**
 * What a level of fairness gives (API Priority and Fairness, KEP-1040): a share of the API server's seats beside the 245 shares
 * of the stock levels, how much of it others may borrow and it may borrow of others, and how requests wait.
 */
interface Level {
  readonly shares: number;
  readonly lendable: number;
  readonly borrowing: number;
  readonly queuing: { readonly queues: number; readonly handSize: number; readonly queueLengthLimit: number };
  /** below 9000, where `service-accounts` catches all accounts; above 900, where the system's own flows end */
  readonly precedence: number;
}

const LEVELS: Readonly<Record<Fairness, Level>> = {
  tenant: {
    shares: 20,
    lendable: 50,
    borrowing: 100,
    queuing: { queues: 64, handSize: 4, queueLengthLimit: 50 },
    precedence: 2100,
  },
  'tenant-strict': {
    shares: 5,
    lendable: 0,
    borrowing: 0,
    queuing: { queues: 16, handSize: 2, queueLengthLimit: 20 },
    precedence: 2000,
  },
};

/** v1 came with Kubernetes 1.29; v1beta3 served 1.26 to 1.31. */
function apiVersionOf(host: HostFacts): string {
  return `flowcontrol.apiserver.k8s.io/${host.minor !== undefined && host.minor < 29 ? 'v1beta3' : 'v1'}`;
}

function levelName(fairness: Fairness): string {
  return `${OWN_PREFIX}${fairness}`;
}

/** The priority level that the tenants of one kind of fairness share; each tenant is a flow of its own in it. */
export function compilePriorityLevel(profile: ProfileSettings, host: HostFacts): CompiledObject[] {
  const fairness = profile.apiFairness;
  if (fairness === undefined) return [];
  const level = LEVELS[fairness];
  return [
    {
      object: {
        apiVersion: apiVersionOf(host),
        kind: 'PriorityLevelConfiguration',
        metadata: { name: levelName(fairness), labels: { [KEY.managedBy]: MANAGED_BY, [KEY.role]: 'isolation' } },
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: level.shares,
            lendablePercent: level.lendable,
            borrowingLimitPercent: level.borrowing,
            limitResponse: { type: 'Queue', queuing: { ...level.queuing } },
          },
        },
      },
      control: 'apiFairness',
      cause: `IsolationProfile/${profile.name}#apiFairness`,
      tree: 'platform',
      notes: [],
    },
  ];
}

/**
 * The requests that are made for one tenant: the reconciler's in its two namespaces, and those of any account that lives there.
 * One schema a tenant, so that a new tenant changes no other tenant's file.
 */
export function compileFlowSchema(ctx: TenantContext): CompiledObject[] {
  const fairness = ctx.profile.apiFairness;
  if (fairness === undefined) return [];
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  const anything: JsonObject = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const { precedence } = LEVELS[fairness];
  const group = (name: string): JsonObject => ({ kind: 'Group', group: { name: `system:serviceaccounts:${name}` } });
  return [
    {
      object: {
        apiVersion: apiVersionOf(ctx.host),
        kind: 'FlowSchema',
        metadata: ownMetadata(ctx, `${OWN_PREFIX}${namespace}`, undefined, 'isolation'),
        spec: {
          priorityLevelConfiguration: { name: levelName(fairness) },
          matchingPrecedence: precedence,
          distinguisherMethod: { type: 'ByNamespace' },
          rules: [
            {
              subjects: [{ kind: 'ServiceAccount', serviceAccount: { ...RECONCILER } }],
              resourceRules: [{ ...anything, namespaces: [controlPlaneNamespace, namespace].sort() }],
            },
            {
              subjects: [controlPlaneNamespace, namespace].sort().map(group),
              resourceRules: [{ ...anything, namespaces: ['*'], clusterScope: true }],
              nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
            },
          ],
        },
      },
      control: 'apiFairness',
      cause: profileCause(ctx, 'apiFairness'),
      tree: 'platform',
      notes: [],
    },
  ];
}
