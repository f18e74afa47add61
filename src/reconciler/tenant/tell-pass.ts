import { wasReady } from '../../core/controlplane/lifecycle/observation.ts';
import { transitionsOf } from '../../core/controlplane/lifecycle/status.ts';
import { stringAt } from '../../core/kube/json.ts';
import { nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { ReconcilerTools } from '../reconcile.ts';
import type { Pass } from './tenant-reconciler.ts';

/** What a pass decided and did, as lines of the log, as metrics, and as a span for each decision. Nothing is said of a pass that found everything as it was. */
export function tellPass({ observation, decision, done, failure }: Pass, { log, metrics, clock, tracer }: ReconcilerTools): void {
  const { tenantCluster } = observation;
  const [namespace, name] = [namespaceOf(tenantCluster) ?? '', nameOf(tenantCluster)];
  const labels = { tenant_namespace: namespace, tenant: name };
  const about = log.with({ tenant: `${namespace}/${name}` });
  for (const action of done) about.info('done', { action });
  for (const { type, reason, message } of transitionsOf(tenantCluster, decision.found)) {
    about[type === 'Warning' ? 'warn' : 'info'](message, { reason, phase: decision.phase });
    const attributes = { 'tenantplane.tenant.namespace': namespace, 'tenantplane.tenant.name': name };
    tracer
      .startSpan('tenantplane.decision', {
        attributes: { ...attributes, 'tenantplane.decision.reason': reason, 'tenantplane.phase': decision.phase },
      })
      .end();
  }
  if (failure !== undefined) about.warn('an action failed', { failure });
  for (const { name: certificate, notAfter } of decision.certificates)
    metrics.set('tenantplane_certificate_expiry_timestamp_seconds', { ...labels, certificate }, notAfter / 1000);
  if (failure === undefined) metrics.set('tenantplane_last_success_timestamp_seconds', labels, clock.wall() / 1000);
  const made = Date.parse(stringAt(tenantCluster, 'metadata', 'creationTimestamp') ?? '');
  // the status has no version before that: an upgrade is no first time
  if (decision.kubernetesVersion !== undefined && !wasReady(observation))
    metrics.observe('tenantplane_provision_duration_seconds', {}, (clock.wall() - made) / 1000);
}
