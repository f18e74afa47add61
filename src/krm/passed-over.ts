import { objectsFolder } from '../core/plan/assign.ts';
import type { Finding } from '../core/plan/plan-types.ts';
import { finding } from './finding.ts';

const COPY = 'Put a copy in its place, or list the link in .krmignore.';

/**
 * A link to what lies in the package. It is not followed: what it points at is read where it stands, and by that place it is a tenant's or
 * not. So a link in `objects/`, or in the place of that folder, leads to no object of the tenant unless its target is one already.
 * @param target relative to the package
 * @param mayHoldObjects whether the target is a folder or a file that is read
 */
export function insideLink(path: string, target: string, mayHoldObjects: boolean): Finding {
  const source = { path, document: 0 };
  const tenant = objectsFolder(`${path}/`);
  if (tenant === undefined || !mayHoldObjects || (objectsFolder(`${target}/`) === tenant && !isHidden(target))) {
    const params = { path, why: 'a symbolic link is not followed; what it points at is read where it stands' };
    return finding('PathNotAllowed', source, { params, severity: 'info', remedy: 'Nothing to do.' });
  }
  const params = {
    path,
    why: `a symbolic link is not followed, and ${target} is no place of this tenant’s objects, so none of it is rendered`,
  };
  return finding('PathNotAllowed', source, { params, severity: 'warning', remedy: COPY });
}

export function outsideLink(path: string): Finding {
  return finding(
    'PathNotAllowed',
    { path, document: 0 },
    { params: { path, why: 'it is a symbolic link that leaves the package' }, remedy: COPY },
  );
}

export function danglingLink(path: string): Finding {
  return finding('PathNotAllowed', { path, document: 0 }, { params: { path, why: 'it is a symbolic link to nothing' }, remedy: COPY });
}

/** Files and folders whose name begins with a dot are tools' own; manifests in one below `objects/` were meant to be objects. */
export function hiddenObjects(path: string): Finding {
  const params = { path, why: 'what begins with a dot is not read, so the manifests there are not rendered' };
  return finding('PathNotAllowed', { path, document: 0 }, { params, severity: 'warning', remedy: 'Rename it, or list it in .krmignore.' });
}

export function isHidden(path: string): boolean {
  return path.split('/').some((step) => step.startsWith('.'));
}

/** The topmost step of a path that begins with a dot, where it is below an `objects/` folder. */
export function hiddenPart(path: string): string | undefined {
  const steps = path.split('/');
  const at = steps.findIndex((step) => step.startsWith('.') && step !== '.git');
  const part = steps.slice(0, at + 1).join('/');
  return at >= 0 && !steps.includes('.git') && objectsFolder(part) !== undefined ? part : undefined;
}
