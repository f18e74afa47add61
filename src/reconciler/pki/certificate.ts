import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

export interface CertificateRequest {
  readonly use: 'authority' | 'client';
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly publicKey: KeyObject;
  /** milliseconds since 1970; whole seconds are written */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Who signs; DER. Without a certificate, the one that is made is its own. */
export interface Signer {
  readonly certificate?: Buffer;
  readonly key: KeyObject;
}

/** Makes an X.509 v3 certificate (RFC 5280). @returns PEM */
export function signCertificate(request: CertificateRequest, signer: Signer): string {
  const issuer = signer.certificate === undefined ? undefined : AsnConvert.parse(signer.certificate, Certificate).tbsCertificate;
  const subject = nameOf(request);
  const subjectPublicKeyInfo = publicKeyInfo(request.publicKey);
  const signature = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature,
    issuer: issuer?.subject ?? subject,
    validity: new Validity({ notBefore: new Date(request.notBefore), notAfter: new Date(request.notAfter) }),
    subject,
    subjectPublicKeyInfo,
    extensions: new Extensions([...usesOf(request.use), ...keyIdentifiers(subjectPublicKeyInfo, issuer)]),
  });
  const signed = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer.key);
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm: signature, signatureValue: bytes(signed) });
  const base64 = Buffer.from(AsnConvert.serialize(certificate)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${(base64.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

function nameOf({ commonName, organizations }: CertificateRequest): Name {
  const fields = [...organizations.map((organization) => [ORGANIZATION, organization] as const), [COMMON_NAME, commonName] as const];
  return new Name(
    fields.map(([type, utf8String]) => {
      return new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) })]);
    }),
  );
}

/** 126 random bits: the first is clear, so that the number is positive, and the second set, so that it has no shorter form. */
function serialNumber(): ArrayBuffer {
  const number = randomBytes(16);
  number[0] = ((number[0] ?? 0) & 0x3f) | 0x40;
  return bytes(number);
}

function publicKeyInfo(key: KeyObject): SubjectPublicKeyInfo {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);
}

function usesOf(use: CertificateRequest['use']): readonly Extension[] {
  if (use === 'authority') {
    return [
      // it signs certificates, and no other authority
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
    ];
  }
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_clientAuth]), false),
  ];
}

/** k3s makes its certificates anew where their authority's identifier is another than they say, so an authority has one. */
function keyIdentifiers(subject: SubjectPublicKeyInfo, issuer: TBSCertificate | undefined): readonly Extension[] {
  // RFC 7093, method 1
  const own = createHash('sha256').update(Buffer.from(subject.subjectPublicKey)).digest().subarray(0, 20);
  const found = issuer?.extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier);
  const signers = found === undefined ? undefined : AsnConvert.parse(found.extnValue, SubjectKeyIdentifier);
  return [
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(bytes(own)), false),
    ...(signers === undefined
      ? []
      : [extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(signers.buffer) }), false)]),
  ];
}

function extension(extnID: string, value: object, critical: boolean): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** Small buffers of Node share one. */
function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
