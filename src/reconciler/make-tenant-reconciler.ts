import { KUBERNETES_RELEASES } from '../core/controlplane/kubernetes-versions.ts';
import { type BoundaryReport, opens } from '../core/isolation/verify/boundary-report.ts';
import { boundaryToApply } from '../core/isolation/verify/boundary-to-apply.ts';
import type { KnownHost } from '../core/isolation/verify/known-host.ts';
import { stringAt } from '../core/kube/json.ts';
import { nameOf, namespaceOf } from '../core/kube/object.ts';
import { boundaryVerifier } from './boundary/boundary-verifier.ts';
import { gatherBoundary } from './boundary/gather.ts';
import { trustTeller } from './boundary/trust-teller.ts';
import { tenantConnection } from './pki/tenant-connection.ts';
import type { MakeReconciler } from './reconcile.ts';
import { boundaryState, boundaryWork } from './tenant/boundary-state.ts';
import { tellPass } from './tenant/tell-pass.ts';
import { tenantReconciler } from './tenant/tenant-reconciler.ts';

/** What `tenantplane reconciler` does for each tenant, from the parts of the process. */
export const makeTenantReconciler: MakeReconciler = (tools, { facts, trusted = {}, releases = KUBERNETES_RELEASES }) => {
  const { transport, events, view, clock, holds, metrics, tracer, onTenantRequest } = tools;
  // whom the render trusts stands in no object of the host, and in no HostFacts; those of `facts` are defaults
  const { trustedWriters: _writers, trustedGroups: _groups, ...known } = facts;
  const host: KnownHost = { ...known, ...trusted };
  const tellTrusted = trustTeller(tools.log);
  const verifier = boundaryVerifier(view, host);
  return tenantReconciler({
    transport,
    events,
    view,
    clock,
    facts,
    releases,
    holds,
    onTenantRequest,
    boundary: (config) => {
      const report = verifier.verify(config);
      tellTrusted(report.trusted);
      const tenant = { namespace: namespaceOf(config.tenantCluster) ?? '', name: nameOf(config.tenantCluster) };
      for (const [control, enforced] of controlsOf(report))
        metrics.set(
          'tenantplane_isolation_control_enforced',
          { tenant_namespace: tenant.namespace, tenant: tenant.name, control },
          enforced ? 1 : 0,
        );
      if (stringAt(config.tenantCluster, 'spec', 'delivery') !== 'controller') return boundaryState(report);
      const delivery = boundaryToApply({ ...config, facts: host, live: gatherBoundary(view, config.tenantCluster) });
      return boundaryState(report, boundaryWork(delivery, view));
    },
    connection: ({ authorities, address, serverName, as }) => tenantConnection({ authorities, podIP: address, serverName, clock, as }),
    forget: (tenantCluster) => verifier.forget(tenantCluster),
    step: (name, work) => tracer.startActiveSpan(name, (span) => work().finally(() => span.end())),
    onPass: (pass) => tellPass(pass, tools),
  });
};

function controlsOf({ rows }: BoundaryReport): ReadonlyMap<string, boolean> {
  const controls = new Map<string, boolean>();
  for (const row of rows) controls.set(row.control, (controls.get(row.control) ?? true) && !opens(row));
  return controls;
}
