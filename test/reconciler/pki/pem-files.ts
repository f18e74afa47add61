import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What openssl says of texts, which it gets as files: `{name}` in an argument stands for the file of that text. */
export function openssl(
  args: readonly string[],
  texts: Readonly<Record<string, string>>,
): { readonly status: number; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-pki-'));
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text, { mode: 0o600 });
    const placed = args.map((arg) => arg.replace(/^\{(.+)\}$/, (_, name: string) => join(folder, name)));
    const { status, stdout, stderr, error } = spawnSync('openssl', placed, { encoding: 'utf8' });
    if (error !== undefined) throw error;
    return { status: status ?? -1, said: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
