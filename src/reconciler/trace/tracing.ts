import { isSpanContextValid, type Tracer, trace } from '@opentelemetry/api';
import type { Fields } from '../log/log.ts';

/** Spans, if somebody wants them. */
export interface Tracing {
  readonly tracer: Tracer;
  /** spans that were left out, or could not be sent, since the process began */
  dropped(): number;
  /** sends what waits, for a few seconds at most */
  flush(): Promise<void>;
}

export interface TracingOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly instance: string;
}

/** OpenTelemetry's own variables: nothing is sent, and nothing of it loaded, unless one of these says where to. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { env, version } = options;
  const wanted = ENDPOINTS.some((name) => (env[name] ?? '') !== '') && env['OTEL_SDK_DISABLED'] !== 'true';
  // without a provider each span of the API is one that does nothing
  if (!wanted) return { tracer: trace.getTracer('tenantplane', version), dropped: () => 0, flush: async () => undefined };
  const { startExport } = await import('./export.ts');
  return startExport(options);
}

/** The span under way, as the log has it. */
export function currentTrace(): Fields {
  const context = trace.getActiveSpan()?.spanContext();
  return context === undefined || !isSpanContextValid(context) ? {} : { trace_id: context.traceId, span_id: context.spanId };
}
