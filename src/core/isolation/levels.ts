import type { ContainerLimits, Level, ProfileSettings } from '../plan/settings.ts';

/** What a level means where the profile's controls say nothing (product rules, "Isolation"). */
export interface LevelDefaults
  extends Pick<
    ProfileSettings,
    'podSecurity' | 'defaultDeny' | 'requireResourceRequests' | 'runtimeClassName' | 'blockHostPath' | 'blockPrivileged'
  > {
  /** how the host's API server shares itself out; baseline promises nothing */
  readonly apiFairness?: 'tenant' | 'tenant-strict';
  readonly limits: ContainerLimits;
}

/**
 * One set of container defaults for all levels: a pod of defaulted size then costs the same everywhere, and `default` stays
 * within the tightest ratio below. Minima only keep out requests of nothing, which would make a quota of requests void.
 */
const DEFAULT_REQUEST = { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '256Mi' } as const;
const DEFAULT_LIMIT = { cpu: '500m', memory: '512Mi', 'ephemeral-storage': '1Gi' } as const;
const MIN = { cpu: '1m', memory: '4Mi' } as const;

/**
 * Ratios bound overcommitment. They are wide enough for what people really write (a sidecar of 10m that may burst to 200m);
 * sandboxed is tighter on memory, since a virtual machine does not give back what it once took.
 */
const LIMITS: Readonly<Record<Level, ContainerLimits>> = {
  baseline: {
    defaultRequest: DEFAULT_REQUEST,
    default: DEFAULT_LIMIT,
    min: MIN,
    max: { cpu: '8', memory: '16Gi', 'ephemeral-storage': '50Gi' },
    maxLimitRequestRatio: { cpu: '50', memory: '16' },
  },
  restricted: {
    defaultRequest: DEFAULT_REQUEST,
    default: DEFAULT_LIMIT,
    min: MIN,
    max: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '20Gi' },
    maxLimitRequestRatio: { cpu: '20', memory: '8' },
  },
  sandboxed: {
    defaultRequest: DEFAULT_REQUEST,
    default: DEFAULT_LIMIT,
    min: MIN,
    max: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '20Gi' },
    maxLimitRequestRatio: { cpu: '20', memory: '4' },
  },
};

const LEVELS: Readonly<Record<Level, LevelDefaults>> = {
  baseline: {
    podSecurity: 'baseline',
    defaultDeny: false,
    requireResourceRequests: true,
    blockHostPath: false,
    blockPrivileged: false,
    limits: LIMITS.baseline,
  },
  restricted: {
    podSecurity: 'restricted',
    defaultDeny: true,
    requireResourceRequests: true,
    blockHostPath: true,
    blockPrivileged: true,
    apiFairness: 'tenant',
    limits: LIMITS.restricted,
  },
  sandboxed: {
    podSecurity: 'restricted',
    defaultDeny: true,
    requireResourceRequests: true,
    runtimeClassName: 'kata-qemu',
    blockHostPath: true,
    blockPrivileged: true,
    apiFairness: 'tenant-strict',
    limits: LIMITS.sandboxed,
  },
};

export function levelDefaults(level: Level): LevelDefaults {
  return LEVELS[level];
}
