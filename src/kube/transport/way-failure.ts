import type { CertificateProblem, WayFailure } from '../failure.ts';

/** Codes of Node and OpenSSL for a certificate that was not taken. */
const CERTIFICATES: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  INVALID_CA: 'untrusted',
};

const WORDS: Readonly<Record<CertificateProblem, string>> = {
  expired: 'has expired',
  'not-yet-valid': 'is not valid yet',
  'wrong-name': 'is for another name',
  untrusted: 'is signed by nobody who is trusted',
  refused: 'was refused',
};

/** What an error of Node's means, between us and `server`. Its own words are left out: they may quote a header. */
export function wayFailure(error: unknown, server: string): WayFailure {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const problem = CERTIFICATES[code];
  if (problem !== undefined) return certificateFailure('server', problem, server);
  // an alert is the other side's: it says what it has against our certificate
  if (/^ERR_SSL_.*ALERT/.test(code)) return certificateFailure('client', /EXPIRED/.test(code) ? 'expired' : 'refused', server);
  return { kind: 'unreachable', code, message: `${server} cannot be reached${code === '' ? '' : ` (${code})`}.` };
}

export function certificateFailure(whose: 'server' | 'client', problem: CertificateProblem, server: string): WayFailure {
  const owner = whose === 'server' ? `The certificate of ${server}` : `The client certificate for ${server}`;
  return { kind: 'certificate', whose, problem, message: `${owner} ${WORDS[problem]}.` };
}

export function timeoutFailure(server: string, what: string, milliseconds: number): WayFailure {
  return { kind: 'timeout', message: `${server} ${what} within ${milliseconds / 1000} s.` };
}
