import { type ChildProcess, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildTool } from '../../bed/build-tool.ts';

export interface DnsServer {
  readonly port: number;
  readonly resolver: Resolver;
  stop(): Promise<void>;
}

/** Starts a real CoreDNS on loopback and waits until it answers at all. */
export async function startCoreDns(port: number, corefile: string, files: Readonly<Record<string, string>> = {}): Promise<DnsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-dns-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'Corefile'), corefile);
  const server = spawn(await buildTool('coredns'), ['-conf', 'Corefile'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const stop = async (): Promise<void> => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null) break;
    if (await answers(resolver)) return { port, resolver, stop };
    await sleep(100);
  }
  await stop();
  throw new Error(`CoreDNS does not answer on port ${port}:\n${output}`);
}

async function answers(resolver: Resolver): Promise<boolean> {
  try {
    await resolver.resolve4('ready.invalid');
    return true;
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}
