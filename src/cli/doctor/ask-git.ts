import { execFile } from 'node:child_process';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Place, repositoryOf, stepsOf } from './repository.ts';
import type { GitFacts } from './repository-checks.ts';

const call = promisify(execFile);

/** Asks git about a tree; reads only. @param folder to ask in: the tree, or the package where there is none yet @param files of the tree, relative to it */
export async function askGit(folder: string, tree: string, files: readonly string[], signal: AbortSignal): Promise<GitFacts> {
  const git = async (words: readonly string[], codes: readonly number[] = []): Promise<string | undefined> => {
    try {
      return (await call('git', ['--no-optional-locks', '-C', folder, ...words], { signal, encoding: 'utf8' })).stdout;
    } catch (error) {
      if (signal.aborted) throw error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return typeof code === 'number' && codes.includes(code) ? '' : undefined;
    }
  };
  if ((await git(['rev-parse', '--is-inside-work-tree']))?.trim() !== 'true')
    return { inRepository: false, ignored: [], convertsLineEnds: false, place: { repositories: [] } };
  const [first] = files;
  // one of each folder is enough: an ignore rule that hits single files of ours would be a strange one
  const samples = [...new Map(files.map((path) => [path.slice(0, path.lastIndexOf('/')), path])).values()].slice(0, 500);
  const ignored = samples.length === 0 ? '' : await git(['check-ignore', '--no-index', '--', ...samples], [1]);
  const eol = first === undefined ? '' : await git(['ls-files', '--eol', '--cached', '--others', '--', first]);
  const cdup = await git(['rev-parse', '--show-cdup']);
  return {
    inRepository: true,
    ...(cdup !== undefined && { top: join(folder, cdup.trim()) }),
    ignored: (ignored ?? '')
      .split('\n')
      .filter(Boolean)
      .map((path) => join(tree, path)),
    convertsLineEnds: /\bw\/(crlf|mixed)\b/.test(eol ?? '') || (await wouldConvert(git, eol ?? '')),
    place: placeOf((await git(['remote', '-v'])) ?? '', await git(['rev-parse', '--show-prefix']), relative(folder, tree)),
  };
}

/** A remote in a folder of this machine says nothing: an applier reads from elsewhere. */
const NO_REMOTE = /^(\/|\.|file:)/;

function placeOf(remotes: string, prefix: string | undefined, below: string): Place {
  const urls = [...remotes.matchAll(/\t(.+) \((?:fetch|push)\)/g)].map(([, url = '']) => url).filter((url) => !NO_REMOTE.test(url));
  return {
    repositories: [...new Set(urls.map(repositoryOf))],
    ...(prefix !== undefined && { treePath: stepsOf(`${prefix.trimEnd()}/${below}`).join('/') }),
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
