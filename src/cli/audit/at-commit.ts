import { posix } from 'node:path';
import { HOST_FOLDER } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import type { TextStyle } from '../../report/text.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import { packageStyle } from '../render/package-style.ts';
import { planLoaded } from '../render/plan-package.ts';
import type { Progress } from '../render/progress.ts';
import { differenceInMemory } from '../render/tree-in-memory.ts';
import { type Git, openGit } from '../review/git.ts';
import { isAtCommit, loadSide } from '../review/load-side.ts';
import { evidenceOf, needPlan, type VerifyPlanFlags } from './gather-evidence.ts';
import type { Evidence } from './verification.ts';

/** The same evidence of a commit, read as blobs: the working tree and the index are neither looked at nor touched. */
export async function atCommit(
  flags: VerifyPlanFlags,
  ref: string,
  io: CliIo,
  talk: Progress,
): Promise<{ readonly evidence: Evidence; readonly style: TextStyle }> {
  if (flags.tree !== undefined) {
    throw new TenantplaneError('usage', '--tree names a folder on the disk, and --commit looks at none.', {
      hint: 'The tree of a commit is host/ in its package; leave one of the two out.',
    });
  }
  const { root, platform } = flags;
  const git = openGit(io.cwd, io.env);
  talk.say('reading');
  const side = await loadSide({ kind: 'ref', ref }, { root, ...(platform !== undefined && { platform }), read: readDocuments, io });
  const { loaded, treePaths } = side;
  const commit = git.commit(ref);
  const folder = git.pathOf(root);
  needTreeHere(git, commit, posix.join(folder, HOST_FOLDER), ref);
  const planned = await planLoaded(loaded, flags, io, talk);
  needPlan(planned, packageWords(io.cwd, flags));
  talk.say('comparing');
  const style = packageStyle(planned, io, flags);
  const evidence = await evidenceOf(
    planned,
    {
      difference: differenceInMemory(planned.plan, { root: planned.tree, texts: loaded.host, paths: treePaths }),
      ledgers: ledgersAt(git, commit, posix.join(folder, '.tenantplane')),
      git: { known: true, commit, changed: [] },
      // a config that is named lies on the disk, whatever the commit has
      outside: flags.config !== undefined,
      ...(platform !== undefined &&
        isAtCommit(git, commit, platform, io.env) && {
          platform: { path: shownPath(io.cwd, platform), git: { known: true, commit, changed: [] } },
        }),
    },
    flags,
    io,
  );
  return { evidence, style };
}

function needTreeHere(git: Git, commit: string, tree: string, ref: string): void {
  const submodule = git.submoduleAt(commit, tree);
  if (submodule === undefined) return;
  throw new TenantplaneError('git', `The rendered tree of ${ref} lies in a submodule, ${submodule}: its files are in another repository.`, {
    hint: 'Check the commit out with its submodules, and verify the folder.',
  });
}

function ledgersAt(git: Git, commit: string, folder: string): ReadonlyMap<string, string> {
  const entries = (git.list(commit, folder) ?? []).filter(({ path, type }) => type === 'file' && /^[^/]+\.ndjson$/.test(path));
  const texts = git.blobs(entries.map(({ id }) => id));
  return new Map(entries.map(({ path }, index) => [`.tenantplane/${path}`, texts[index]?.toString('utf8') ?? '']));
}
