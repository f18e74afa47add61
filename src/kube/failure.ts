import type { JsonObject } from '../core/kube/json.ts';

/** What an API server, or the way to it, has against a request. Expected, so it is a value; what was aborted is thrown. */
export type Failure = StatusFailure | WayFailure;

/** The server's own answer: a Status, as far as it sent one. */
export interface StatusFailure {
  readonly kind: 'status';
  readonly code: number;
  /** `NotFound`, `Conflict`, `Expired` …; empty where something else than an API server answered */
  readonly reason: string;
  readonly message: string;
  readonly details: JsonObject;
  readonly retryAfterSeconds?: number;
}

/** Everything that kept an answer from arriving, or from being one. */
export type WayFailure =
  | { readonly kind: 'unreachable'; readonly code: string; readonly message: string }
  | { readonly kind: 'timeout'; readonly message: string }
  | { readonly kind: 'certificate'; readonly whose: 'server' | 'client'; readonly problem: CertificateProblem; readonly message: string }
  /** the token or certificate to ask with could not be had */
  | { readonly kind: 'credentials'; readonly message: string }
  | { readonly kind: 'too-large'; readonly limit: number; readonly message: string }
  | { readonly kind: 'malformed'; readonly message: string };

export type CertificateProblem = 'expired' | 'not-yet-valid' | 'untrusted' | 'wrong-name' | 'refused';

export type Result<T> = { readonly value: T } | { readonly failure: Failure };

export function failed(failure: Failure): { readonly failure: Failure } {
  return { failure };
}

/** The server answered with a Status of this reason. */
export function isReason(failure: Failure, reason: string): failure is StatusFailure {
  return failure.kind === 'status' && failure.reason === reason;
}

/** The version that was asked for is no longer kept: of a watch, or of a list that is read in pages. */
export function isExpired(failure: Failure): boolean {
  return failure.kind === 'status' && (failure.code === 410 || failure.reason === 'Expired' || failure.reason === 'Gone');
}

/** Whether it says something of the server as a whole, and not of this one request. */
export function isOfServer(failure: Failure): boolean {
  switch (failure.kind) {
    case 'status':
      return failure.code === 429 || failure.code >= 500;
    case 'unreachable':
    case 'timeout':
    case 'certificate':
    case 'credentials':
      return true;
    case 'too-large':
    case 'malformed':
      return false;
  }
}
