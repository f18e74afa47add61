import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GitFacts } from './repository-checks.ts';

const call = promisify(execFile);

/** Asks git about a tree; reads only. @param files of the tree, relative to it */
export async function askGit(tree: string, files: readonly string[], signal: AbortSignal): Promise<GitFacts> {
  const git = async (words: readonly string[], codes: readonly number[] = []): Promise<string | undefined> => {
    try {
      return (await call('git', ['--no-optional-locks', '-C', tree, ...words], { signal, encoding: 'utf8' })).stdout;
    } catch (error) {
      if (signal.aborted) throw error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return typeof code === 'number' && codes.includes(code) ? '' : undefined;
    }
  };
  if ((await git(['rev-parse', '--is-inside-work-tree']))?.trim() !== 'true')
    return { inRepository: false, ignored: [], convertsLineEnds: false };
  const [first] = files;
  // one of each folder is enough: an ignore rule that hits single files of ours would be a strange one
  const samples = [...new Map(files.map((path) => [path.slice(0, path.lastIndexOf('/')), path])).values()].slice(0, 500);
  const ignored = samples.length === 0 ? '' : await git(['check-ignore', '--no-index', '--', ...samples], [1]);
  const eol = first === undefined ? '' : await git(['ls-files', '--eol', '--cached', '--others', '--', first]);
  return {
    inRepository: true,
    ignored: (ignored ?? '')
      .split('\n')
      .filter(Boolean)
      .map((path) => join(tree, path)),
    convertsLineEnds: /\bw\/(crlf|mixed)\b/.test(eol ?? '') || (await wouldConvert(git, eol ?? '')),
  };
}

/** A file that was just rendered has our line ends; the next checkout would change them. */
async function wouldConvert(
  git: (words: readonly string[], codes?: readonly number[]) => Promise<string | undefined>,
  eol: string,
): Promise<boolean> {
  const attributes = /\battr\/(.*?)\t/.exec(eol)?.[1]?.trim() ?? '';
  if (attributes.includes('-text') || /eol=lf/.test(attributes)) return false;
  if (/eol=crlf/.test(attributes)) return true;
  const [auto, native] = [await git(['config', 'core.autocrlf'], [1]), await git(['config', 'core.eol'], [1])];
  return auto?.trim() === 'true' || (attributes.includes('text') && native?.trim() === 'crlf');
}
