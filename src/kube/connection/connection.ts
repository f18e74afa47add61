/** How an API server is reached, and as whom. Plain data and PEM texts: nothing here is a path or a program. */
export interface Connection {
  /** `https://host:port`, with the path that a proxy of many clusters may want */
  readonly server: string;
  /** PEM; the roots that Node knows where there is none */
  readonly authority?: string;
  /** the name that the server's certificate has to hold, where that is not the address */
  readonly serverName?: string;
  /** an http or https proxy on the way, with its credentials where it wants some */
  readonly proxy?: string;
  readonly credentials: CredentialSource;
  readonly impersonate?: Impersonation;
}

export interface Credentials {
  readonly token?: string;
  /** PEM, both or none */
  readonly certificate?: string;
  readonly key?: string;
}

/** Who is asking may change while a client lives: tokens are rotated, certificates are made anew. */
export interface CredentialSource {
  /** @throws CredentialsError where there are none to be had */
  current(signal: AbortSignal): Promise<Credentials>;
  /** Tells that the server refused these. @returns whether asking for them again may bring others */
  refused(credentials: Credentials): boolean;
}

export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
}

export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

export function fixedCredentials(credentials: Credentials): CredentialSource {
  return { current: async () => credentials, refused: () => false };
}
