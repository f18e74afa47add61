import { parseDotted } from '../kube/parse-dotted.ts';
import { pointer } from '../kube/pointer.ts';
import type { Decision } from './decision.ts';

/** Where in the source document the decision points at, where it says so. */
export function pointerOf(decision: Decision): string | undefined {
  const param = decision.params['pointer'];
  // before a note of the same code, which is about another field
  if (param !== undefined) return param.startsWith('/') ? param : pointer(parseDotted(param));
  const own = decision.notes.find((note) => note.code === decision.code && note.path !== undefined);
  return own?.path === undefined ? undefined : pointer(own.path);
}
