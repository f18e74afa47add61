const HOUR = 3_600_000;

/** How long what we sign is good for, in hours. Nothing revokes a certificate in Kubernetes, so those of clients are short. */
export const LIFE_HOURS: Readonly<Record<'authority' | 'reconciler' | 'bootstrap', number>> = {
  // ten years, as k3s makes them: nothing renews an authority
  authority: 10 * 365 * 24,
  // kept in memory only
  reconciler: 24,
  // as long as it takes to say who may do what in a new tenant
  bootstrap: 0.25,
};

/** Clocks differ: what is made now is good a little earlier. */
export const BACKDATED: number = HOUR / 12;

/** When one that ends is renewed: two thirds into its life, in milliseconds since 1970, as its ends are. */
export function renewAt(notBefore: number, notAfter: number): number {
  return notBefore + Math.floor(((notAfter - notBefore) * 2) / 3);
}

/** How long before their end k3s renews its own certificates, and at a start only: 120 days, 90 in releases before May 2025. */
const K3S_RENEWS: number = 90 * 24 * HOUR;

/** When k3s has to be started again, so that it renews its certificates: they live for 365 days, and any earlier it would not. */
export function restartAt(notBefore: number, notAfter: number): number {
  return Math.max(renewAt(notBefore, notAfter), notAfter - K3S_RENEWS);
}

/**
 * When a server that was started then has to be started again, whatever certificate it shows: that one alone it renews while it runs
 * (`WrapExpiration` of rancher/dynamiclistener). Those that its own parts know each other by have no more than `K3S_RENEWS` left for
 * certain, since a start leaves alone what lasts longer.
 */
export function serverRestartAt(startedAt: number): number {
  return renewAt(startedAt, startedAt + K3S_RENEWS);
}
