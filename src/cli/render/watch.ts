import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { visible } from '../../report/escape.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { CliContext } from '../io.ts';
import { type RenderFlags, runRender } from './run-render.ts';

/** Editors write a file in several steps, and Git many files at once: wait until it is quiet. */
const QUIET_MS = 200;

/**
 * Renders, then again after each change of the package or the platform's, until the signal is aborted. A render that fails
 * is told and does not end the watch.
 */
export async function watchRender(flags: RenderFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const changes = changeSource([flags.root, ...(flags.platform === undefined ? [] : [flags.platform])], flags.tree, io.signal);
  try {
    for (;;) {
      await attempt(flags, context);
      if (flags.quiet !== true) io.stderr.write('watching for changes (Ctrl-C ends it)\n');
      if (!(await changes.next())) return EXIT.interrupted;
    }
  } finally {
    changes.close();
  }
}

async function attempt(flags: RenderFlags, context: CliContext): Promise<void> {
  try {
    await runRender(flags, context);
  } catch (error) {
    if (!(error instanceof TenantplaneError) || error.code === 'interrupted') throw error;
    context.io.stderr.write(`error: ${visible(error.message)}\n${error.hint === '' ? '' : `  try: ${visible(error.hint)}\n`}`);
  }
}

interface ChangeSource {
  /** resolves after the next quiet moment that follows a change; false once the signal is aborted */
  next(): Promise<boolean>;
  close(): void;
}

function changeSource(folders: readonly string[], tree: string | undefined, signal: AbortSignal): ChangeSource {
  let changed = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: ((go: boolean) => void) | undefined;
  const settle = (): void => {
    changed = true;
    const waiting = wake;
    wake = undefined;
    if (waiting !== undefined) {
      changed = false;
      waiting(true);
    }
  };
  const watchers: FSWatcher[] = folders.map((folder) => {
    const ignored = ignores(folder, tree);
    return watch(folder, { recursive: true }, (_, name) => {
      if (name !== null && ignored(name)) return;
      clearTimeout(timer);
      timer = setTimeout(settle, QUIET_MS);
    });
  });
  const stop = (): void => wake?.(false);
  signal.addEventListener('abort', stop, { once: true });
  return {
    next() {
      if (signal.aborted) return Promise.resolve(false);
      if (changed) {
        changed = false;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    close() {
      signal.removeEventListener('abort', stop);
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** What a render itself writes, and what it does not read, is no change. */
function ignores(folder: string, tree: string | undefined): (name: string) => boolean {
  const rendered = tree === undefined ? 'host' : relative(folder, tree);
  const work = `.${basename(rendered)}-`;
  return (name) => {
    const steps = name.split(/[\\/]/);
    if (name === rendered || name.startsWith(`${rendered}/`)) return true;
    if (steps.some((step) => step.startsWith('.') || step === 'node_modules')) return true;
    return dirname(name) === dirname(rendered) && basename(name).startsWith(work);
  };
}
