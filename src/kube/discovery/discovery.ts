import type { Clock } from '../clock.ts';
import type { Result } from '../failure.ts';
import { sharedRun } from '../shared-run.ts';
import { objectOf } from '../transport/send-json.ts';
import type { Transport } from '../transport/transport.ts';
import { AGGREGATED, isAggregated, readAggregated } from './aggregated.ts';
import { type Discovered, type DiscoveredResource, find, mayBeUnknown, type Sought } from './discovered.ts';
import { discoverEach } from './unaggregated.ts';

/** What one server serves, asked for when it is first wanted and kept for a while. */
export interface Discovery {
  all(signal: AbortSignal): Promise<Result<Discovered>>;
  /** undefined where the server does not serve it: a kind that is new is looked for once more before that is said */
  lookUp(sought: Sought, signal: AbortSignal): Promise<Result<DiscoveredResource | undefined>>;
  /** the next one who wants to know asks the server: a CRD has changed, a path was not found */
  invalidate(): void;
}

/** Milliseconds after which what is known is asked for again; an ETag makes that cheap. */
const FRESH = 10 * 60_000;
/** Not more often than this does a kind that nobody serves lead to a question. */
const PATIENCE = 5_000;

interface Part {
  readonly etag?: string;
  readonly discovered: Discovered;
}

interface Kept {
  readonly at: number;
  readonly parts: readonly Part[];
  readonly discovered: Discovered;
}

export function discovery(transport: Transport, clock: Clock): Discovery {
  let kept: Kept | undefined;
  let stale = true;
  const ask = sharedRun((signal) => discover(transport, kept?.parts ?? [], clock, signal));

  async function current(olderThan: number, signal: AbortSignal): Promise<Result<Discovered>> {
    if (kept !== undefined && !stale && clock.now() - kept.at < olderThan) return { value: kept.discovered };
    const answer = await ask(signal);
    if ('failure' in answer) return answer;
    kept = answer.value;
    stale = false;
    return { value: kept.discovered };
  }

  return {
    all: (signal) => current(FRESH, signal),
    lookUp: async (sought, signal) => {
      const known = await current(FRESH, signal);
      if ('failure' in known) return known;
      const found = find(known.value, sought);
      if (found !== undefined) return { value: found };
      const again = await current(PATIENCE, signal);
      if ('failure' in again) return again;
      const late = find(again.value, sought);
      if (late !== undefined || !mayBeUnknown(again.value, sought)) return { value: late };
      const message = `${transport.server} cannot say now what ${sought.group} holds: the server behind it does not answer.`;
      return { failure: { kind: 'unreachable', code: 'STALE_DISCOVERY', message } };
    },
    invalidate: () => {
      stale = true;
    },
  };
}

async function discover(transport: Transport, before: readonly Part[], clock: Clock, signal: AbortSignal): Promise<Result<Kept>> {
  const at = clock.now();
  const parts: Part[] = [];
  for (const [index, path] of ['/api', '/apis'].entries()) {
    const { etag, discovered } = before[index] ?? {};
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    const answer = await transport.send({ path, accept: AGGREGATED, headers, signal });
    if ('failure' in answer) return answer;
    if (answer.value.code === 304 && discovered !== undefined) {
      parts.push({ ...(etag !== undefined && { etag }), discovered });
      continue;
    }
    const object = objectOf(answer.value.text, transport.server);
    if ('failure' in object) return object;
    if (!isAggregated(object.value)) {
      const each = await discoverEach(transport, signal);
      return 'failure' in each ? each : { value: { at, parts: [], discovered: each.value } };
    }
    const next = answer.value.header('etag');
    parts.push({ ...(next !== undefined && { etag: next }), discovered: readAggregated(object.value) });
  }
  return { value: { at, parts, discovered: joined(parts.map(({ discovered }) => discovered)) } };
}

function joined(parts: readonly Discovered[]): Discovered {
  return {
    resources: parts.flatMap(({ resources }) => resources),
    apiVersions: parts.flatMap(({ apiVersions }) => apiVersions),
    unknown: parts.flatMap(({ unknown }) => unknown),
  };
}
