import { SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Log } from '../log/log.ts';
import type { Outcome, TenantReconciler } from '../reconcile.ts';

/** A pass as a span of its own, in which what it logs and does is put, and a line of the log. */
export function tracedPass(reconciler: TenantReconciler, tracer: Tracer, log: Log): TenantReconciler['reconcile'] {
  return (key, signal) => {
    const [namespace = '', name = ''] = key.split('/');
    const attributes = { 'tenantplane.tenant.namespace': namespace, 'tenantplane.tenant.name': name };
    return tracer.startActiveSpan('tenantplane.reconcile', { attributes }, async (span) => {
      try {
        const outcome: Outcome = await reconciler.reconcile(key, signal);
        const { result, failure, requeueAfter } = outcome;
        span.setAttribute('tenantplane.result', result);
        if (result !== 'success') {
          span.setAttribute('error.type', result);
          span.setStatus({ code: SpanStatusCode.ERROR, ...(failure !== undefined && { message: failure }) });
        }
        log[result === 'success' ? 'debug' : 'warn']('pass ended', {
          tenant: key,
          result,
          failure,
          ...(requeueAfter !== undefined && { requeue_seconds: requeueAfter / 1000 }),
        });
        return outcome;
      } catch (error) {
        const told = signal.aborted && error === signal.reason;
        span.setAttribute('error.type', told ? 'aborted' : 'panic');
        span.setStatus({ code: SpanStatusCode.ERROR });
        const fields = { tenant: key, failure: error instanceof Error ? error.message : String(error) };
        if (told) log.warn('pass was told to end', fields);
        else log.error('pass threw: a defect', { ...fields, ...(error instanceof Error && { stack: error.stack }) });
        throw error;
      } finally {
        span.end();
      }
    });
  };
}
