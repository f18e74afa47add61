import type { BoundaryInput } from '../../core/isolation/verify/boundary-input.ts';
import type { BoundaryReport } from '../../core/isolation/verify/boundary-report.ts';
import type { KnownHost } from '../../core/isolation/verify/known-host.ts';
import { verifyBoundary } from '../../core/isolation/verify/verify-boundary.ts';
import { equal, objectAt, stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type BoundaryView, gatherBoundary } from './gather.ts';

type Config = Pick<BoundaryInput, 'tenantCluster' | 'profile' | 'policy'>;

/** Verifies tenants' boundaries again and again; what has not changed since the last time is not compared anew. */
export interface BoundaryVerifier {
  /** @throws where TenantCluster, profile or policy are not legal */
  verify(config: Config): BoundaryReport;
  /** to be told of tenants that are gone */
  forget(tenantCluster: KubeObject): void;
  readonly counts: { readonly compared: number; readonly unchanged: number };
}

interface Known {
  readonly read: readonly KubeObject[];
  readonly report: BoundaryReport;
}

export function boundaryVerifier(view: BoundaryView, facts?: KnownHost): BoundaryVerifier {
  const known = new Map<string, Known>();
  const counts = { compared: 0, unchanged: 0 };
  return {
    counts,
    verify: (config) => {
      const { tenantCluster, profile, policy } = config;
      const live = gatherBoundary(view, tenantCluster);
      const read = [tenantCluster, profile, policy, ...live];
      const before = known.get(keyOf(tenantCluster));
      if (before !== undefined && sameObjects(before.read, read)) {
        counts.unchanged += 1;
        return before.report;
      }
      counts.compared += 1;
      const report = verifyBoundary({ ...config, live, ...(facts !== undefined && { facts }) });
      known.set(keyOf(tenantCluster), { read, report });
      return report;
    },
    forget: (tenantCluster) => void known.delete(keyOf(tenantCluster)),
  };
}

function keyOf(object: KubeObject): string {
  return `${namespaceOf(object) ?? ''}/${nameOf(object)}`;
}

function sameObjects(before: readonly KubeObject[], now: readonly KubeObject[]): boolean {
  return before.length === now.length && before.every((object, index) => sameObject(object, now[index]));
}

/** Versions change with each status, of quotas above all, and no status is compared. */
function sameObject(before: KubeObject, now: KubeObject | undefined): boolean {
  if (before === now) return true;
  if (now === undefined) return false;
  const [old, version] = [before, now].map((object) => stringAt(object, 'metadata', 'resourceVersion'));
  if (old !== undefined && old === version && uidOf(before) === uidOf(now)) return true;
  return equal(content(before), content(now));
}

function uidOf(object: KubeObject): string | undefined {
  return stringAt(object, 'metadata', 'uid');
}

function content({ status: _status, metadata: _metadata, ...rest }: KubeObject): KubeObject {
  const metadata = objectAt({ metadata: _metadata }, 'metadata');
  const { name = '', namespace = '', labels = {}, annotations = {} } = metadata ?? {};
  return { ...rest, metadata: { name, namespace, labels, annotations } };
}
