import type { BindAddress } from '../http/bind-address.ts';
import { probeRoutes } from '../http/probes.ts';
import { type Routes, type Serving, serveHttp } from '../http/serve-http.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** What a process is at, as probes and metrics say it. */
export type Phase = 'starting' | 'standing by' | 'leading' | 'ended';

export interface Addresses {
  readonly metricsAddress: BindAddress | 'none';
  readonly probeAddress: BindAddress | 'none';
}

export interface Served {
  readonly metrics: Metrics;
  readonly log: Log;
  /** kinds of which no list has come yet */
  missing(): readonly string[];
  phase(): Phase;
  readonly signal: AbortSignal;
}

/** Metrics and probes, at an address each or both at one. */
export async function serveProcess({ metricsAddress, probeAddress }: Addresses, served: Served): Promise<{ stop(): void }> {
  const { metrics, log, missing, phase, signal } = served;
  const probes = probeRoutes(
    {
      shutdown: () => (signal.aborted || phase() === 'ended' ? 'the process ends' : undefined),
      caches: () => missing()[0],
    },
    phase,
  );
  const scrape: Routes = {
    '/metrics': async () => {
      const { type, text } = await metrics.scrape();
      return { code: 200, type, text };
    },
  };
  const onError = (error: unknown): void => log.error('a probe or a scrape failed', { failure: String(error) });
  const wanted: (readonly [what: string, address: BindAddress | 'none', routes: Routes])[] =
    JSON.stringify(metricsAddress) === JSON.stringify(probeAddress) && (probeAddress === 'none' || probeAddress.port !== 0)
      ? [['metrics and probes', metricsAddress, { ...scrape, ...probes }]]
      : [
          ['metrics', metricsAddress, scrape],
          ['probes', probeAddress, probes],
        ];
  const serving: Serving[] = [];
  const stop = (): void => {
    for (const each of serving) each.stop();
  };
  try {
    for (const [what, address, routes] of wanted) {
      if (address === 'none') continue;
      const made = await serveHttp(routes, address, onError);
      serving.push(made);
      log.info(`serving ${what}`, { address: made.address });
    }
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}
