import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Authorities } from '../../src/reconciler/pki/make-authorities.ts';
import type { Credentials } from '../bed/credentials.ts';
import { makeCertificate } from './certificates.ts';

/** Has the bed's API server stand in for a tenant's: known by the tenant's authorities, as k3s would be, and by a name of its own. */
export function asTenantServer(authorities: Authorities, name: string): (made: Credentials, folder: string) => Credentials {
  return (made, folder) => {
    const text = (key: string): string => authorities[key] ?? '';
    const write = (file: string, content: string): string => {
      const path = join(folder, file);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    const by = { certificate: text('server-ca.crt'), key: text('server-ca.key') };
    const serving = makeCertificate({ subject: '/CN=kube-apiserver', names: [name], by });
    return {
      ...made,
      certificate: write('serving.crt', serving.certificate),
      key: write('serving.key', serving.key),
      clientAuthority: write('client-ca.crt', text('client-ca.crt')),
      serviceAccountKey: write('service.key', text('service.key')),
      authority: text('server-ca.crt'),
    };
  };
}
