/**
 * Marks what is tried before a release, and by whoever touches what it is of, but not for each change that lands: older Kubernetes, and
 * later parts of a life of which a landing tries the first.
 */
export const RELEASE = {
  name: 'release',
  description: 'not for each landing: `.ci/run --release` and `npm run test:e2e` run it',
} as const;

/** Where a test runs: some are smaller for a landing. */
export type Scope = 'landing' | 'release';

export function scopeOf(tagsFilter: readonly string[] | undefined): Scope {
  return tagsFilter?.includes(`!${RELEASE.name}`) === true ? 'landing' : 'release';
}
