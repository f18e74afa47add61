import { execFileSync } from 'node:child_process';

/**
 * Folder with the source of a module that the `go.mod` in `family` pins, downloaded if it is not there: what is built is kept longer than
 * Go keeps sources, and the source may be asked for before anything is built.
 */
export function moduleFolder(family: string, module: string): string {
  const downloaded = execFileSync('go', ['mod', 'download', '-json', module], { cwd: family, encoding: 'utf8' });
  return (JSON.parse(downloaded) as { readonly Dir: string }).Dir;
}
