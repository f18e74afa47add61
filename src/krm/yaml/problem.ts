/** Why a text is no legal input, before it is known which file it stands in. */
export interface Problem {
  readonly kind: 'syntax' | 'too-large' | 'warning';
  /** what and why, one sentence without a full stop */
  readonly what: string;
  /** what to do about it */
  readonly remedy: string;
  /** offset in the text that was read */
  readonly offset: number;
  /** of `too-large`: the size and the limit, in words */
  readonly size?: string;
  readonly limit?: string;
}
