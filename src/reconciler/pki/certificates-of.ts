import { X509Certificate } from 'node:crypto';

export interface CertificateFacts {
  /** `O=tenantplane:admins, CN=tenantplane:admin` */
  readonly subject: string;
  /** milliseconds since 1970 */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** What PEM says of the certificates in it; of a text without one that can be read, nothing. */
export function certificatesOf(pem: string): readonly CertificateFacts[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap((block) => {
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(block);
    } catch {
      return [];
    }
    const { subject, validFrom, validTo } = certificate;
    return [{ subject: subject.split('\n').join(', '), notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) }];
  });
}
