import type { Decision } from '../../core/decision/decision.ts';
import { kindKey } from '../../core/kube/object.ts';
import { CONFIG_FOLDER } from '../../core/plan/config-files.ts';
import { committed } from './committed.ts';
import type { OpenPackage } from './open-package.ts';

/** Reasons for which a copy for the reconciler is not written anew: one that is in the tree stays there. */
const WAITS: ReadonlySet<string> = new Set(['TenantFrozen', 'ConfigHeld']);

/** Whether nothing is said of the object itself: it waits for its tenant, or for configuration. */
export function waitsAsCopy({ action, reason }: Decision): boolean {
  return action === 'Skip' && WAITS.has(reason);
}

/** Whether an object is not written anew, while an older one of it stands in the tree. */
export function stays(decision: Decision): boolean {
  return waitsAsCopy(decision) && decision.host !== undefined;
}

/** A copy that waits, with the one of it that the tree has: the plan only says that nothing is written. */
export function withStandingCopy(decision: Decision, open: OpenPackage): Decision {
  const { action, reason, host, source } = decision;
  if (action !== 'Skip' || !WAITS.has(reason) || host !== undefined || source === undefined) return decision;
  const { apiVersion, kind, namespace, name } = source;
  const copies = { ...open, hostFiles: open.hostFiles.filter((path) => path.startsWith(`${CONFIG_FOLDER}/`)) };
  const question = { kind: kindKey(apiVersion, kind), name, ...(namespace !== '' && { namespace }) };
  const copy = committed(copies, question).find(({ ours }) => ours);
  return copy === undefined ? decision : { ...decision, host: { apiVersion, kind, namespace, name, file: copy.path } };
}
