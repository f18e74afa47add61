import { context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { activeContext } from './active-context.ts';
import { resourceAttributes } from './resource-attributes.ts';
import { spanQueue } from './span-queue.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** Sends spans by OTLP over HTTP to where OpenTelemetry's own variables say. Loaded only then: it is most of what the reconciler would weigh. */
export function startExport({ env, version, instance }: TracingOptions): Tracing {
  const queue = spanQueue(new OTLPTraceExporter());
  const attributes = { ...resourceAttributes(env), 'service.version': version, 'service.instance.id': instance };
  const provider = new TracerProvider({ resource: resourceFromAttributes(attributes), spanProcessors: [queue] });
  context.setGlobalContextManager(activeContext());
  trace.setGlobalTracerProvider(provider);
  return { tracer: provider.getTracer('tenantplane', version), dropped: () => queue.dropped(), flush: () => queue.forceFlush() };
}
