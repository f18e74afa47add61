import { AUTHORITIES, secretKey } from '../../core/controlplane/authorities.ts';
import type { Lifetime } from '../../core/controlplane/lifecycle/observation.ts';
import { certificatesOf } from '../pki/certificates-of.ts';
import type { Authorities } from '../pki/make-authorities.ts';

/** How long each authority lasts, by the name that people know it by. */
export function authorityLifetimes(authorities: Authorities): readonly Lifetime[] {
  return AUTHORITIES.flatMap(({ id, certificateFile }) => {
    const [certificate] = certificatesOf(authorities[secretKey(certificateFile)] ?? '');
    return certificate === undefined ? [] : [{ name: id, notBefore: certificate.notBefore, notAfter: certificate.notAfter }];
  });
}
