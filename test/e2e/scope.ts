/**
 * Marks what is tried before a release, and by whoever touches what it is of, but not for each change that lands: further Kubernetes
 * versions of what the newest one shows, and later parts of a life of which a landing tries the first.
 */
export const RELEASE = {
  name: 'release',
  description: 'not for each landing: `.ci/run --release` and `npm run test:e2e` run it',
} as const;

/** How many tenants the fleets have that real delivery tools bring up: those of examples/fleet, or some of them. */
export const FLEET = { release: 50, landing: 10 } as const;

/** Whether tests marked so are left out. */
export function isLanding(tagsFilter: readonly string[] | undefined): boolean {
  return tagsFilter?.includes(`!${RELEASE.name}`) === true;
}
