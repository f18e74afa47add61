import { X509Certificate } from 'node:crypto';
import { describe, type Json, type JsonObject, own } from '../../core/kube/json.ts';
import { type Connection, type Credentials, fixedCredentials } from './connection.ts';
import { addressProblem, chooseContext, type Read, type Refusal } from './kubeconfig.ts';

/**
 * Reads the kubeconfig of a tenant's control plane: an address, a CA, and a token or a client certificate, all in the text itself. Whoever
 * writes a tenant's Secret must not be able to start a program here, to read a file of the reconciler, or to have it
 * talk to something unproven.
 * @param config the parsed document
 */
export function readTenantKubeconfig(config: Json | undefined): Read<Connection> {
  const chosen = chooseContext(config);
  if ('refusals' in chosen) return chosen;
  const { cluster, user, clusterPath, userPath } = chosen.value;
  const refusals: Refusal[] = [...refusedFields(cluster, CLUSTER, clusterPath), ...refusedFields(user, USER, userPath)];
  const read = (map: JsonObject, path: string) => (field: string, decode: (text: string) => string | undefined) => {
    const value = own(map, field);
    if (value === undefined || value === null || value === '') return undefined;
    const text = typeof value === 'string' ? decode(value) : undefined;
    if (text === undefined) refusals.push({ path: `${path}.${field}`, why: WANTED[field] ?? `a string is wanted, not ${describe(value)}` });
    return text;
  };
  const [ofCluster, ofUser] = [read(cluster, clusterPath), read(user, userPath)];
  const server = ofCluster('server', (text) => text);
  const problem = server === undefined ? 'it is missing' : addressProblem(server);
  if (problem !== undefined) refusals.push({ path: `${clusterPath}.server`, why: problem });
  const authority = ofCluster('certificate-authority-data', certificates);
  const serverName = ofCluster('tls-server-name', (text) => text);
  const token = ofUser('token', (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined));
  const [certificate, key] = [ofUser('client-certificate-data', certificates), ofUser('client-key-data', privateKey)];
  if (own(cluster, 'certificate-authority-data') === undefined) {
    refusals.push({ path: `${clusterPath}.certificate-authority-data`, why: 'it is missing: a tenant’s server has a CA of its own' });
  }
  if ((own(user, 'client-certificate-data') === undefined) !== (own(user, 'client-key-data') === undefined)) {
    refusals.push({ path: userPath, why: 'client-certificate-data and client-key-data come together' });
  }
  if (own(user, 'token') === undefined && own(user, 'client-certificate-data') === undefined) {
    refusals.push({ path: userPath, why: 'it holds neither a token nor a client certificate' });
  }
  if (refusals.length > 0 || server === undefined || authority === undefined) return { refusals };
  const credentials: Credentials = {
    ...(token !== undefined && { token }),
    ...(certificate !== undefined && key !== undefined && { certificate, key }),
  };
  return {
    value: { server, authority, ...(serverName !== undefined && { serverName }), credentials: fixedCredentials(credentials) },
  };
}

const FILE = 'it names a file of whoever reads it; put the content into the field that ends in -data';
const WORD = 'passwords are no longer a way into an API server';

/** Each field that is known, and why it is refused where it is; a field that is not here is refused as unknown. */
const CLUSTER: Readonly<Record<string, string | undefined>> = {
  server: undefined,
  'certificate-authority-data': undefined,
  'tls-server-name': undefined,
  'certificate-authority': FILE,
  'insecure-skip-tls-verify': 'anybody on the way could answer in the server’s place',
  'proxy-url': 'a tenant does not choose what its traffic goes through',
  'disable-compression': undefined,
  extensions: undefined,
};
const USER: Readonly<Record<string, string | undefined>> = {
  token: undefined,
  'client-certificate-data': undefined,
  'client-key-data': undefined,
  'client-certificate': FILE,
  'client-key': FILE,
  tokenFile: 'it names a file of whoever reads it; put the token into token',
  exec: 'it would start a program of the tenant’s choice here',
  'auth-provider': 'it would have credentials fetched from where the tenant says',
  username: WORD,
  password: WORD,
  as: 'the reconciler is nobody else’s',
  'as-groups': 'the reconciler is nobody else’s',
  'as-uid': 'the reconciler is nobody else’s',
  'as-user-extra': 'the reconciler is nobody else’s',
  extensions: undefined,
};

function refusedFields(map: JsonObject, known: Readonly<Record<string, string | undefined>>, path: string): Refusal[] {
  return Object.entries(map).flatMap(([field, value]) => {
    const why = Object.hasOwn(known, field) ? known[field] : 'it is no field that is known';
    // what says nothing is no reason to refuse: tools write empty fields
    return why === undefined || value === undefined || value === null || value === false || value === ''
      ? []
      : [{ path: `${path}.${field}`, why }];
  });
}

const WANTED: Readonly<Record<string, string>> = {
  'certificate-authority-data': 'certificates in PEM are wanted, in base64',
  'client-certificate-data': 'a certificate in PEM is wanted, in base64',
  'client-key-data': 'a private key in PEM is wanted, in base64',
  token: 'a token is one word of printable characters',
};

/** PEM, where every block of it is a certificate that can be read. */
function certificates(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return undefined;
  try {
    for (const block of blocks) new X509Certificate(block);
    return text;
  } catch {
    return undefined;
  }
}

function privateKey(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/.test(text) ? text : undefined;
}
