// The one file of the core that may import node:*, for SHA-256 (architecture, layout).
import { createHash } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * SHA-256 over length-prefixed parts, so that ("ab","c") and ("a","bc") differ.
 * @returns lower-case base32, 5 bits a character; 12 characters (60 bits) by default.
 */
export function digest(parts: readonly string[], characters = 12): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part},`);
  const bytes = hash.digest();
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += ALPHABET[(value >> (bits - 5)) & 31];
      bits -= 5;
      if (text.length === characters) return text;
    }
    value &= (1 << bits) - 1;
  }
  return text;
}

/** SHA-256 in hexadecimal, for names that a template of another tool has to make as well. */
export function hexDigest(text: string, characters: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, characters);
}
