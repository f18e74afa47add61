import { digest } from '../identity/digest.ts';

/** Who signs what of a tenant's control plane. Each tenant has its own: of a shared one, a tenant's client would be let in by another's server. */
export type AuthorityId = 'server-ca' | 'client-ca' | 'request-header-ca' | 'etcd-server-ca' | 'etcd-peer-ca';

export interface Authority {
  readonly id: AuthorityId;
  /** paths below `server/tls` of k3s' data folder, where it takes what lies there at its first start (docs.k3s.io/cli/certificate) */
  readonly certificateFile: string;
  readonly keyFile: string;
}

export const AUTHORITIES: readonly Authority[] = [
  // the certificate that the API server shows
  authority('server-ca', 'server-ca'),
  // clients: people, the reconciler, and the controllers of k3s itself
  authority('client-ca', 'client-ca'),
  // the API server where it calls aggregated ones in somebody's name
  authority('request-header-ca', 'request-header-ca'),
  // k3s makes them for every datastore, so they are there for every one: a tenant may move to etcd
  authority('etcd-server-ca', 'etcd/server-ca'),
  authority('etcd-peer-ca', 'etcd/peer-ca'),
];

function authority(id: AuthorityId, path: string): Authority {
  return { id, certificateFile: `${path}.crt`, keyFile: `${path}.key` };
}

/** The key by which tokens of ServiceAccounts are signed. It has no certificate. */
export const SERVICE_ACCOUNT_KEY_FILE = 'service.key';

/** Every file of them, and the key under which the Secret holds it. */
export const AUTHORITY_FILES: readonly { readonly file: string; readonly secretKey: string }[] = [
  ...AUTHORITIES.flatMap(({ certificateFile, keyFile }) => [certificateFile, keyFile]),
  SERVICE_ACCOUNT_KEY_FILE,
].map((file) => ({ file, secretKey: secretKey(file) }));

/** A key of a Secret holds no slash. */
export function secretKey(file: string): string {
  return file.replaceAll('/', '.');
}

/** What X.520 leaves a name (ub-common-name). */
const LONGEST = 64;

/** Names the tenant, so that somebody who reads a certificate knows whose it is. */
export function authorityCommonName({ name, namespace }: { readonly name: string; readonly namespace: string }, id: AuthorityId): string {
  const plain = `${id} ${namespace}/${name}`;
  return plain.length <= LONGEST ? plain : `${id} ${digest([namespace, name])}`;
}
