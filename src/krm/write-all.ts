import { closeSync, openSync, writeSync } from 'node:fs';

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Pieces are gathered to about this many characters before they are written. */
const BATCH = 1 << 18;

/**
 * Writes a text whole, to a descriptor or a file. A pipe takes 64 KiB at a time and a non-blocking one says EAGAIN when it is
 * full; `process.stdout.write` before an exit loses the rest (Node issue 19218), and kpt then deletes what is missing.
 * @returns false where the reader has gone away
 */
export function writeAll(target: number | string, pieces: readonly string[]): boolean {
  const descriptor = typeof target === 'number' ? target : openSync(target, 'w');
  try {
    let batch = '';
    for (const piece of pieces) {
      batch += piece;
      if (batch.length < BATCH) continue;
      if (!writeBytes(descriptor, Buffer.from(batch))) return false;
      batch = '';
    }
    return writeBytes(descriptor, Buffer.from(batch));
  } finally {
    if (typeof target === 'string') closeSync(descriptor);
  }
}

function writeBytes(descriptor: number, bytes: Buffer): boolean {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(PAUSE, 0, 0, 2);
    }
  }
  return true;
}
