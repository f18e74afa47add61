import type { Decision, DecisionNote } from '../../src/core/decision/decision.ts';
import { fill, type ReasonName, reasonOf } from '../../src/core/decision/reasons.ts';
import type { Finding, HostFile, Plan, TenantPlan } from '../../src/core/plan/plan-types.ts';

/** A decision about Pod default/<name> of tenant team-dev/dev, from the registry's row. */
export function decision(reason: ReasonName, params: Record<string, string>, override: Partial<Decision> = {}): Decision {
  const row = reasonOf(reason);
  const name = params['name'] ?? 'nginx';
  return {
    tenant: { namespace: 'team-dev', name: 'dev' },
    source: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'default',
      name,
      file: { path: `tenants/dev/objects/${name}.yaml`, document: 0, line: 12 },
    },
    host: { apiVersion: 'v1', kind: 'Pod', namespace: 'team-dev', name: `${name}-x-default-x-dev`, file: `team-dev/pod_${name}.yaml` },
    flow: 'ToHost',
    action: row.disposition === 'Planned' ? 'Create' : 'Skip',
    disposition: row.disposition,
    reason,
    code: row.code,
    severity: row.severity,
    message: fill(row.message, params),
    params,
    remedy: fill(row.remedy, params),
    causes: ['SyncPolicy/default[v1/Pod]', 'IsolationProfile/restricted#blockHostPathVolumes'],
    trace: [{ rule: 'scope.system-namespace', outcome: 'NotApplicable' }],
    fields: [{ path: ['metadata', 'name'], op: 'Replace', before: name, after: `${name}-x-default-x-dev`, rule: 'rw.identity' }],
    rewrites: ['rw.identity'],
    notes: [],
    ...override,
  };
}

export function projected(name: string, override: Partial<Decision> = {}): Decision {
  return decision('PolicyMatched', { policy: 'default', entry: 'v1/Pod', kind: 'Pod', direction: 'toHost', name }, override);
}

export function refused(name: string, volume = 'cache', override: Partial<Decision> = {}): Decision {
  return decision(
    'HostPathBlocked',
    { volume, profile: 'restricted', name, cause: 'IsolationProfile/restricted blockHostPathVolumes' },
    override,
  );
}

export function noteOf(reason: ReasonName, params: Record<string, string>): DecisionNote {
  const row = reasonOf(reason);
  return {
    reason,
    params,
    code: row.code,
    severity: row.severity,
    message: fill(row.message, params),
    remedy: fill(row.remedy, params),
    path: ['spec', 'volumes', 0],
  };
}

export function fileOf(item: Decision): HostFile {
  return { path: item.host?.file ?? '', object: { apiVersion: 'v1', kind: 'Pod' }, decision: item };
}

export function tenantPlan(decisions: readonly Decision[], override: Partial<TenantPlan> = {}): TenantPlan {
  return {
    name: 'dev',
    namespace: 'team-dev',
    policy: 'default',
    profile: 'restricted',
    level: 'restricted',
    files: decisions.filter((item) => item.action === 'Create').map(fileOf),
    decisions,
    controls: [],
    ...override,
  };
}

export function planOf(tenants: readonly TenantPlan[], override: Partial<Plan> = {}): Plan {
  return { tenants, shared: [], decisions: [], findings: [], removed: [], stopped: false, ...override };
}

export function findingOf(reason: ReasonName, params: Record<string, string>, override: Partial<Finding> = {}): Finding {
  const row = reasonOf(reason);
  return {
    reason,
    code: row.code,
    severity: row.severity,
    message: fill(row.message, params),
    remedy: fill(row.remedy, params),
    source: { path: 'profiles/restricted.yaml', document: 0, line: 3 },
    ...override,
  };
}
