import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Wanted {
  /** `/O=team/CN=jane` */
  readonly subject: string;
  readonly expired?: boolean;
  /** who signs it; itself, if not said */
  readonly by?: Certificate;
  /** names of a server, beside those of loopback */
  readonly names?: readonly string[];
}

/** A certificate for a server on loopback or for a client. */
export function makeCertificate({ subject, expired = false, by, names = [] }: Wanted): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-certificate-'));
  const file = (name: string): string => join(folder, name);
  try {
    openssl(['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', file('key')]);
    openssl(['req', '-new', '-key', file('key'), '-subj', subject, '-out', file('request')]);
    writeFileSync(file('by.crt'), by?.certificate ?? '');
    writeFileSync(file('by.key'), by?.key ?? readFileSync(file('key')));
    writeFileSync(file('index'), '');
    writeFileSync(file('config'), CONFIG(folder, names));
    const [from, to] = expired ? ['20200101000000Z', '20200102000000Z'] : ['20200101000000Z', '20990101000000Z'];
    const signer = by === undefined ? ['-selfsign'] : ['-cert', file('by.crt')];
    const days = ['-startdate', from, '-enddate', to];
    openssl([
      'ca',
      '-batch',
      '-notext',
      '-config',
      file('config'),
      ...signer,
      '-keyfile',
      file('by.key'),
      ...days,
      '-in',
      file('request'),
      '-out',
      file('crt'),
    ]);
    return { certificate: readFileSync(file('crt'), 'latin1'), key: readFileSync(file('key'), 'latin1') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CONFIG = (folder: string, names: readonly string[]): string => `[ca]
default_ca = it
[it]
database = ${folder}/index
new_certs_dir = ${folder}
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = all
copy_extensions = none
[any]
organizationName = optional
commonName = supplied
[all]
subjectAltName = IP:127.0.0.1,DNS:localhost${names.map((name) => `,DNS:${name}`).join('')}
`;

function openssl(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${error?.message ?? stderr}`);
}
