/** The last line of a reconciler that is to be started again. */
export const LEASE_LOST = 'the lease was lost: another process may lead now';
