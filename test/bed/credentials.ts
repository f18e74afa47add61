import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an API server and its clients know each other by. Elliptic curves: an RSA key takes up to a second to make. */
export interface Credentials {
  /** paths; the server's own certificate, which is its own authority unless the suite brought another */
  readonly certificate: string;
  readonly key: string;
  /** path; who signs clients */
  readonly clientAuthority: string;
  readonly tokens: string;
  readonly serviceAccountKey: string;
  /** PEM, for whoever has to trust the server */
  readonly authority: string;
  readonly adminToken: string;
}

/** Writes them into the cluster's folder. */
export function makeCredentials(folder: string): Credentials {
  const file = (name: string): string => join(folder, name);
  const credentials = {
    certificate: file('server.crt'),
    key: file('server.key'),
    // an authority as well, so that a suite can sign clients' with the key beside it
    clientAuthority: file('server.crt'),
    tokens: file('tokens.csv'),
    serviceAccountKey: file('sa.key'),
  };
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  const subject = ['-subj', '/CN=tenantplane-bed', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  // Node makes keys, not certificates
  const made = spawnSync('openssl', [...args, ...subject, '-keyout', credentials.key, '-out', credentials.certificate], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`openssl makes no certificate: ${made.error?.message ?? made.stderr}`);
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  });
  const adminToken = randomBytes(16).toString('hex');
  writeFileSync(credentials.serviceAccountKey, privateKey, { mode: 0o600 });
  writeFileSync(credentials.tokens, `${adminToken},admin,admin,system:masters\n`, { mode: 0o600 });
  return { ...credentials, authority: readFileSync(credentials.certificate, 'utf8'), adminToken };
}

/** Whom a client is seen as: admission, flow control and authorization see no difference to one who signed in under that name. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Writes a kubeconfig: JSON, which is YAML. */
export function writeKubeconfig(path: string, url: string, { authority, adminToken }: Credentials, identity?: Identity): string {
  const impersonation = identity === undefined ? {} : { as: identity.user, 'as-groups': identity.groups };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bed', cluster: { server: url, 'certificate-authority-data': Buffer.from(authority).toString('base64') } }],
    users: [{ name: 'bed', user: { token: adminToken, ...impersonation } }],
    contexts: [{ name: 'bed', context: { cluster: 'bed', user: 'bed', namespace: 'default' } }],
    'current-context': 'bed',
  };
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return path;
}
