/** The authorities of a tenant cannot be used as they are. The message names files, never what they hold. */
export class AuthoritiesError extends Error {
  override readonly name = 'AuthoritiesError';
}
