import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { blocksOf } from '../../docs/markdown.ts';
import { ROOT } from '../workspace.ts';
import type { TenantHost } from './tenant-host.ts';

const BLOCKS = new Map(
  blocksOf(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'))
    .filter(({ language, info }) => language === 'sh' && info !== '')
    .map(({ info, lines }) => [info, lines.join('\n')]),
);

function block(name: string): string {
  return BLOCKS.get(name) ?? expect.fail(`docs/operations.md has no block ${name}`);
}

export interface Page {
  /** runs blocks of the page as they stand */
  run(...names: readonly string[]): Promise<void>;
}

/** docs/operations.md, for a tenant; `variables` are those that its text tells people to set. */
export function operationsPage(host: TenantHost, tenant: string, folder: string, variables: Readonly<Record<string, string>>): Page {
  const set = { NAME: tenant, NS: `team-${tenant}`, CP: `cp-x-${tenant}-x-team-${tenant}`, ...variables };
  // by the environment: what bash says is in a report, and one of them may be a database with its password
  const assignments = Object.keys(set).map((name) => `${name}=$PAGE_${name}`);
  return {
    run: async (...names) => {
      const tools = await Promise.all((['kubectl', 'etcdctl'] as const).map(async (tool) => dirname(await buildTool(tool))));
      const child = spawn('bash', ['-euvo', 'pipefail', '-c', [block('names'), ...assignments, ...names.map(block)].join('\n')], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`PAGE_${name}`, value])),
          HOME: folder,
          KUBECONFIG: host.cluster.kubeconfig,
          PATH: [...tools, process.env['PATH']].join(delimiter),
        },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code, said).toBe(0);
    },
  };
}
