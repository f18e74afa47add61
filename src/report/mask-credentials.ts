/** What names a secret, or is one by its form, in the words of kubectl, credential plugins and API servers, and what stands in its place. */
const MASKS: readonly (readonly [secret: RegExp, shown: string])[] = [
  // a user, and a password that may hold an @ itself
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]+@/gi, '$1***@'],
  [/\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi, '$1$2***'],
  [/\b((?:\w+[-_])?(?:token|password|passwd|secret|api[-_]?key|signature))=[^\s&"',;]+/gi, '$1=***'],
  // a JSON Web Token, wherever it stands: header and payload are objects in base64
  [/\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, '***'],
  // a key as PEM, also one that is cut off; and any PEM in base64, as Secrets and kubeconfigs hold it
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***'],
  [/\bLS0tLS1CRUdJTi[\w+/=]*/g, '***'],
  // what joins nodes to a k3s server: the digest of its CA, a user and a password
  [/\bK10[0-9a-f]{64}::[^\s"']+/g, '***'],
];

/** Words of another program without the credentials that they quote. */
export function masked(text: string): string {
  return MASKS.reduce((line, [secret, shown]) => line.replace(secret, shown), text);
}
