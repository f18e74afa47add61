import { parseDotted } from '../kube/parse-dotted.ts';
import { pointer } from '../kube/pointer.ts';
import type { Decision } from './decision.ts';

/** Where in the source document the decision points at, where it says so. */
export function pointerOf(decision: Decision): string | undefined {
  const own = decision.notes.find((note) => note.code === decision.code && note.path !== undefined);
  if (own?.path !== undefined) return pointer(own.path);
  const param = decision.params['pointer'];
  if (param === undefined || param.startsWith('/')) return param;
  return pointer(parseDotted(param));
}
