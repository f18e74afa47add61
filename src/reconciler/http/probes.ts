import type { Reply, Routes } from './serve-http.ts';

/** What keeps a process from being ready, by name; `undefined` where nothing does. */
export type Checks = Readonly<Record<string, () => string | undefined>>;

/**
 * `/healthz`: the event loop turns, or nobody would answer; kubelet restarts what does not. `/readyz`: each check, as API servers list theirs.
 * @param about said where all is well: `leading` or `standing by`
 */
export function probeRoutes(checks: Checks, about: () => string): Routes {
  return {
    '/healthz': () => ({ code: 200, text: 'ok\n' }),
    '/readyz': () => ready(checks, about),
  };
}

function ready(checks: Checks, about: () => string): Reply {
  const found = Object.entries(checks).map(([name, check]) => ({ name, why: check() }));
  const failed = found.filter(({ why }) => why !== undefined);
  const lines = found.map(({ name, why }) => (why === undefined ? `[+]${name} ok` : `[-]${name} ${why}`));
  return failed.length === 0
    ? { code: 200, text: `${lines.join('\n')}\nok: ${about()}\n` }
    : { code: 503, text: `${lines.join('\n')}\nnot ready\n` };
}
