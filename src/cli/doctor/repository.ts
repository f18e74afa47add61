/** Where a package lies in Git: undefined is what git does not say. */
export interface Place {
  /** URLs of its remotes, as `repositoryOf` writes them */
  readonly repositories: readonly string[];
  /** of the tree in its repository: `fleet/host` */
  readonly treePath?: string;
}

/** One way to write the URLs of a repository, without who asks and how: `git.example.com/x`. */
export function repositoryOf(url: string): string {
  const text = url.trim();
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:]*)(?::\d+)?\/*(.*)$/i.exec(text);
  // git@host:path; one letter before a colon would be a drive
  const short = scheme ?? /^(?:[^/@:]+@)?([^/:@]{2,}):(?!\/\/)\/*(.*)$/.exec(text);
  const whole = short === null ? text : `${(short[1] ?? '').toLowerCase()}/${short[2] ?? ''}`;
  return whole.replace(/\/+$/, '').replace(/\.git$/, '');
}

/** A URL without the token or password in it, which is not to be printed. */
export function withoutSecret(url: string): string {
  return url.replace(/^(https?:\/\/)[^/]*@/i, '$1').replace(/^([a-z+]+:\/\/[^/:@]*):[^/]*@/i, '$1@');
}

/** A path of a repository without what says nothing: `./fleet//host/` is `fleet/host`. */
export function stepsOf(path: string): readonly string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.');
}

export function under(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
