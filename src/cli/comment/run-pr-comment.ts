import { appendFileSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import { COMMENT_BUDGET, commentText, SUMMARY_BUDGET } from '../../report/comment/comment.ts';
import { readReview } from '../../report/comment/read-review.ts';
import { repoPaths } from '../answer/repo-path.ts';
import { EXIT, systemWords, TenantplaneError } from '../errors.ts';
import type { CliContext, CliIo, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { PLATFORM } from '../render/load-package.ts';
import { onDisk } from '../render/on-disk.ts';
import type { ConfigFlags } from '../render/render-config.ts';
import { type ReviewedVersions, reviewVersions } from '../review/review-versions.ts';

export interface CommentFlags extends ConfigFlags, SharedFlags {
  readonly words: readonly string[];
  /** a document of `diff -o json`, `-` for stdin, instead of two versions */
  readonly from?: string;
  readonly platform?: string;
  readonly budget?: number;
  readonly link?: string;
  /** the same, with more room, is added to this file */
  readonly stepSummary?: string;
}

/** Names in a list: a comment is read, a summary is searched. */
const NAMES = { comment: 20, summary: 200 } as const;

/** Prints the comment of a pull request. @returns the exit code */
export async function runPrComment(flags: CommentFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const { review, root } =
    flags.from === undefined ? await reviewVersions({ ...flags, cwd: io.cwd }, io) : await fromDocument(flags.from, flags.words, io);
  const repoPath = repoPaths(io.cwd);
  const options = {
    // of a file in it, since a repository that is the package lies in no repository
    package: posix.dirname(repoPath(join(root, 'file'))),
    ...(flags.from === undefined && { command: diffCommand(flags, io.cwd) }),
    // a document does not say where the platform's package is
    pathOf: (path: string) =>
      path.startsWith(PLATFORM) && flags.platform === undefined ? path : repoPath(onDisk(path, { ...flags, root }).file),
    ...(flags.link !== undefined && { link: flags.link }),
  };
  if (flags.stepSummary !== undefined) {
    addTo(resolve(io.cwd, flags.stepSummary), commentText(review, { ...options, budget: SUMMARY_BUDGET, names: NAMES.summary }));
  }
  io.stdout.write(commentText(review, { ...options, budget: flags.budget ?? COMMENT_BUDGET, names: NAMES.comment }));
  return EXIT.done;
}

/** The same question, to be asked by hand. The words name the package already. */
function diffCommand(flags: CommentFlags, cwd: string): string {
  const words = flags.words.map((word) => (word === '-' ? word : shellWord(word)));
  return ['tenantplane diff', ...words].join(' ') + packageWords(cwd, { ...flags, root: cwd });
}

async function fromDocument(
  file: string,
  [folder = '.', ...rest]: readonly string[],
  io: CliIo,
): Promise<Pick<ReviewedVersions, 'review' | 'root'>> {
  if (rest.length > 0) {
    throw new TenantplaneError('usage', `With --from there is nothing to compare: ${rest.join(' ')}.`, {
      hint: 'Name the folder of the package, or nothing.',
    });
  }
  const text = file === '-' ? await io.readStdin() : readText(resolve(io.cwd, file), file);
  const review = readReview(parsed(text, file));
  if (review === undefined) {
    throw new TenantplaneError('input', `${file} is no document of tenantplane diff -o json.`, {
      hint: 'Make one: tenantplane diff A..B -o json > diff.json.',
    });
  }
  return { review, root: resolve(io.cwd, folder) };
}

function readText(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TenantplaneError('input', `Cannot read ${shown}: ${systemWords(error)}.`, {
      hint: 'Name a file that is there.',
      cause: error,
    });
  }
}

function parsed(text: string, shown: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TenantplaneError('input', `${shown} is not JSON: ${systemWords(error)}.`, {
      hint: 'Make one: tenantplane diff A..B -o json > diff.json.',
      cause: error,
    });
  }
}

function addTo(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw new TenantplaneError('write-failed', `Cannot write the step summary ${path}: ${systemWords(error)}.`, {
      hint: 'Name a file in a folder that exists and can be written.',
      cause: error,
    });
  }
}
