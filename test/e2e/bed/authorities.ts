import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The files that k3s takes, by their path below `server/tls`. */
export type Authorities = Readonly<Record<string, string>>;

const NAMES = ['server-ca', 'client-ca', 'request-header-ca', 'etcd/server-ca', 'etcd/peer-ca'];

export function makeAuthorities(): Authorities {
  return inFolder((folder) => {
    const files: Record<string, string> = {};
    for (const name of NAMES) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${file}.key`];
      openssl(['req', '-x509', ...key, '-days', '3650', '-subj', `/CN=${name.replace('/', '-')}`, '-out', `${file}.crt`]);
      for (const end of ['crt', 'key']) files[`${name}.${end}`] = readFileSync(`${file}.${end}`, 'utf8');
    }
    openssl(['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', join(folder, 'service.key')]);
    return { ...files, 'service.key': readFileSync(join(folder, 'service.key'), 'utf8') };
  });
}

/** A certificate and key for a client, signed by one of them. */
export function signClient(authorities: Authorities, authority: string, subject: string): { certificate: string; key: string } {
  return inFolder((folder) => {
    const file = (name: string): string => join(folder, name);
    for (const end of ['crt', 'key']) writeFileSync(file(`ca.${end}`), authorities[`${authority}.${end}`] ?? '');
    openssl(['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', file('key')]);
    openssl(['req', '-new', '-key', file('key'), '-subj', subject, '-out', file('request')]);
    const signer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial'];
    openssl(['x509', '-req', '-in', file('request'), ...signer, '-days', '1', '-out', file('crt')]);
    return { certificate: readFileSync(file('crt'), 'utf8'), key: readFileSync(file('key'), 'utf8') };
  });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-authorities-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openssl(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${error?.message ?? stderr}`);
}
