import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Spans on their way out. OpenTelemetry's own queue drops what is too much without saying how much that was. */
export interface SpanQueue extends SpanProcessor {
  dropped(): number;
}

export interface SpanQueueOptions {
  /** spans that wait; more are dropped */
  readonly most?: number;
  /** spans in one request */
  readonly batch?: number;
  /** milliseconds between two requests, unless a batch is full before */
  readonly every?: number;
  /** milliseconds that the last ones get, when the process ends */
  readonly last?: number;
}

export function spanQueue(exporter: SpanExporter, options: SpanQueueOptions = {}): SpanQueue {
  const { most = 8192, batch = 512, every = 5_000, last = 5_000 } = options;
  let waiting: ReadableSpan[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;
  let scheduled = false;

  function later(): void {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      void send();
    }, every).unref();
  }

  /** One request at a time, until nothing waits. */
  function send(): Promise<void> {
    if (waiting.length > 0) sending ??= sendAll();
    return sending ?? Promise.resolve();
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, batch);
      waiting = waiting.slice(spans.length);
      if (!(await exported(spans))) dropped += spans.length;
    }
    // in the step of the last look: what comes after it is another request's
    sending = undefined;
  }

  function exported(spans: ReadableSpan[]): Promise<boolean> {
    return new Promise((resolve) => {
      try {
        exporter.export(spans, ({ code }) => resolve(code === 0));
      } catch {
        resolve(false); // telemetry never ends a pass
      }
    });
  }

  async function flush(): Promise<void> {
    const enough = new Promise<void>((resolve) => setTimeout(resolve, last).unref());
    await Promise.race([send(), enough]);
  }

  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (waiting.length >= most) {
        dropped += 1;
        return;
      }
      waiting.push(span);
      if (waiting.length >= batch) void send();
      else later();
    },
    forceFlush: flush,
    shutdown: async () => {
      await flush();
      await exporter.shutdown();
    },
    dropped: () => dropped,
  };
}
