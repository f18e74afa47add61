import { TenantplaneError } from '../errors.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f\\:*?"<>|]/;

/** Refuses a path that could leave the tree or that some disk cannot hold. The planner makes safe ones; this is the last lock. */
export function checkTreePath(path: string): void {
  const why = fault(path);
  if (why === undefined) return;
  throw new TenantplaneError('unsafe-path', `The path ${JSON.stringify(path)} cannot be a file of the rendered tree: ${why}.`, {
    hint: 'This is a defect of tenantplane unless the path came from your configuration; please report it.',
  });
}

/** Whether a path is safe on every disk. */
export function isTreePath(path: string): boolean {
  return fault(path) === undefined;
}

function fault(path: string): string | undefined {
  if (path === '' || path.startsWith('/')) return 'it is empty or absolute';
  if (UNSAFE.test(path)) return 'it holds a character that is not allowed in file names everywhere';
  for (const step of path.split('/')) {
    if (step === '' || step === '.' || step === '..') return 'it is not normalised';
    if (Buffer.byteLength(step) > 255) return 'a part of it is longer than 255 bytes';
  }
  return undefined;
}

/**
 * Refuses paths that would be one file, or a file and a folder, on a disk that ignores case or Unicode composition.
 * @param describe says whose a path is
 */
export function checkDistinct(paths: Iterable<string>, describe: (path: string) => string): void {
  const seen = new Map<string, { readonly path: string; readonly file: string | undefined }>();
  for (const path of paths) {
    const folded = fold(path);
    const other = seen.get(folded);
    if (other !== undefined) throw collision(path, other.file ?? other.path, describe);
    seen.set(folded, { path, file: path });
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      const known = seen.get(fold(folder));
      if (known === undefined) seen.set(fold(folder), { path: folder, file: undefined });
      else if (known.file !== undefined || known.path !== folder) throw collision(path, known.file ?? known.path, describe);
      else break;
    }
  }
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function collision(a: string, b: string, describe: (path: string) => string): TenantplaneError {
  if (a === b || a.startsWith(`${b}/`)) {
    return new TenantplaneError('unsafe-path', `${describe(b)} would have to be a file and a folder at once.`, {
      hint: 'Move or rename the one that tenantplane did not render.',
    });
  }
  return new TenantplaneError(
    'unsafe-path',
    `${describe(a)} and ${describe(b)} cannot both be in the tree: on a disk that ignores case they are one.`,
    { hint: 'Move or rename the one that tenantplane did not render.' },
  );
}

/** The deepest folder that holds all paths; `''` is the tree itself. */
export function commonFolder(paths: readonly string[]): string {
  let common: readonly string[] | undefined;
  for (const path of paths) {
    const steps = path.split('/').slice(0, -1);
    if (common === undefined) common = steps;
    else {
      const until = common.findIndex((step, index) => steps[index] !== step);
      if (until >= 0) common = common.slice(0, until);
    }
  }
  return (common ?? []).join('/');
}

export function parentFolder(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
