import { join } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import type { TreeObject } from '../../core/gitops/tree-folders.ts';
import { isObject } from '../../core/kube/json.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { TenantplaneError } from '../errors.ts';
import { needFolder } from '../render/load-package.ts';
import { readTreeFile, scanTree } from '../tree/scan-tree.ts';

/** What a package's tree holds, by path. @throws TenantplaneError where there is none, or a file of it cannot be read */
export function readTreeObjects(root: string): readonly TreeObject[] {
  needFolder(root, 'package');
  const tree = join(root, HOST_FOLDER);
  const found = [...scanTree(tree).files]
    .filter((path) => /\/.*\.ya?ml$/.test(path))
    .sort()
    .map((path) => readTreeObject(tree, path))
    .filter(({ object }) => isOurs(object));
  if (found.length === 0) {
    throw new TenantplaneError('input', `There is no rendered tree at ${tree}.`, {
      hint: `Render first: tenantplane render ${shellWord(root)}`,
    });
  }
  return found;
}

function readTreeObject(tree: string, path: string): TreeObject {
  const { value } = parseDocument(
    readTreeFile(join(tree, path))
      .toString('utf8')
      .replace(/^---\n/, ''),
  );
  if (value !== undefined && isObject(value)) return { path, object: value };
  throw new TenantplaneError('input', `${join(tree, path)} holds no object that can be read.`, { hint: 'Render again, or remove it.' });
}
