/** What names a secret in the words of kubectl and of credential plugins, and what stands in its place. */
const MASKS: readonly (readonly [secret: RegExp, shown: string])[] = [
  // a user, and a password that may hold an @ itself
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]+@/gi, '$1***@'],
  [/\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi, '$1$2***'],
  [/\b((?:\w+[-_])?(?:token|password|passwd|secret|api[-_]?key|signature))=[^\s&"',;]+/gi, '$1=***'],
  // a JSON Web Token, wherever it stands: header and payload are objects in base64
  [/\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, '***'],
];

/** Words of another program without the credentials that they quote. */
export function masked(text: string): string {
  return MASKS.reduce((line, [secret, shown]) => line.replace(secret, shown), text);
}
