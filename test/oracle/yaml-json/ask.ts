import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isObject, type Json } from '../../../src/core/kube/json.ts';

/** What kubectl made of one text: a value in which numbers are `n:<digits>` and strings `s:<text>`, or an error. */
export interface Answer {
  readonly value?: Json;
  readonly null?: boolean;
  readonly error?: string;
}

const FOLDER: string = fileURLToPath(new URL('.', import.meta.url));

/** Asks the Go program. Builds it on the way, so the first call takes some seconds. */
export function askKubectl(texts: readonly string[]): readonly Answer[] {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' };
  const ran = spawnSync('go', ['run', '.'], { cwd: FOLDER, input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 512e6, env });
  if (ran.error !== undefined || ran.status !== 0) throw new Error(`go run failed: ${ran.error?.message ?? ran.stderr}`);
  return JSON.parse(ran.stdout);
}

/** A value of ours in the oracle's spelling. */
export function marked(value: Json | undefined): Json {
  if (typeof value === 'string') return `s:${value}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `n:${Object.is(value, -0) ? '-0' : value}`;
  if (Array.isArray(value)) return value.map(marked);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, marked(item)]));
}
