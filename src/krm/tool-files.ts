import { objectsFolder } from '../core/plan/assign.ts';
import type { Finding } from '../core/plan/plan-types.ts';
import { finding } from './finding.ts';
import { isInsideHost } from './paths.ts';

/**
 * Files, by name in lower case, that a tool obeys wherever it meets them: kpt runs the pipeline of each nested package before that of the
 * package around it (kpt book, 4.1), and kustomize the generators and remote bases of a folder that another one names.
 */
const OBEYED: ReadonlyMap<string, string> = new Map([
  ['kptfile', 'kpt runs the functions that it names, before any of the package around it'],
  ['kustomization', 'kustomize runs the generators and loads the bases that it names'],
  ['kustomization.yaml', 'kustomize runs the generators and loads the bases that it names'],
  ['kustomization.yml', 'kustomize runs the generators and loads the bases that it names'],
]);

/** That a tenant's `objects/` holds a file which a tool of the platform would obey; undefined where it is none. Freezes the tenant. */
export function toolFileFinding(path: string): Finding | undefined {
  if (isInsideHost(path) || objectsFolder(path) === undefined) return undefined;
  const why = OBEYED.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase());
  return why === undefined ? undefined : finding('ToolFileInTenant', { path, document: 0 }, { params: { path, why } });
}
