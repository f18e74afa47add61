import { resolve } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { shownPath } from '../package/shown-path.ts';
import { onDisk } from '../render/on-disk.ts';
import { initPackage } from './init-package.ts';
import { initRoot } from './init-root.ts';
import type { Level } from './platform-there.ts';
import { tenantNamespace } from './tenant-namespace.ts';

export interface InitOptions extends SharedFlags {
  readonly tenant: string;
  readonly namespace?: string;
  readonly platform?: string;
  readonly level?: Level;
}

/** Makes a package, or a tenant in the one that is there, and says what was made, as it would be typed from here. */
export async function runInit(dir: string, options: InitOptions, io: CliIo): Promise<void> {
  const { tenant, level } = options;
  const namespace = tenantNamespace(tenant, options.namespace);
  const platform = options.platform === undefined ? {} : { platform: resolve(io.cwd, options.platform) };
  const root = initRoot(dir, io, { quiet: options.quiet === true, ...platform });
  const flags = { folder: root, ...platform, tenant, namespace, ...(level !== undefined && { level }) };
  const { made, used } = await initPackage(flags, io.signal);
  if (options.quiet === true) return;
  const shown = (path: string): string => shownPath(io.cwd, onDisk(path, { root, ...platform }).file);
  const next = [
    'tenantplane render',
    ...(root === resolve(io.cwd) ? [] : [shellWord(shownPath(io.cwd, root))]),
    ...(options.platform === undefined ? [] : [`--platform ${shellWord(options.platform)}`]),
  ];
  const lines = [
    ...made.map((path) => `made ${shown(path)}`),
    ...used.map(({ kind, name, path }) => `uses ${kind} ${name} of ${shown(path)}`),
    '',
    `next: ${next.join(' ')}`,
  ];
  io.stdout.write(`${lines.join('\n')}\n`);
}
