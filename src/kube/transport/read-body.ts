import { failed, type Result } from '../failure.ts';
import type { Head } from './exchange.ts';
import { timeoutFailure, wayFailure } from './way-failure.ts';

export interface BodyLimits {
  readonly most: number;
  readonly within: number;
  /** for messages */
  readonly server: string;
  readonly signal: AbortSignal;
}

/**
 * Reads an answer's body to its end; one that is larger or slower than allowed is not kept.
 * @throws the signal's reason
 */
export async function readBody(head: Head, { most, within, server, signal }: BodyLimits): Promise<Result<string>> {
  const chunks: Buffer[] = [];
  let [size, late] = [0, false];
  const timer = setTimeout(() => {
    late = true;
    head.end(new Error('the answer took too long'));
  }, within);
  try {
    for await (const chunk of head.response as AsyncIterable<Buffer>) {
      size += chunk.length;
      // leaving the loop closes the connection
      if (size > most) return failed({ kind: 'too-large', limit: most, message: `The answer of ${server} is larger than ${most} bytes.` });
      chunks.push(chunk);
    }
    return { value: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    signal.throwIfAborted();
    return failed(late ? timeoutFailure(server, 'did not end its answer', within) : wayFailure(error, server));
  } finally {
    clearTimeout(timer);
    head.end();
  }
}
