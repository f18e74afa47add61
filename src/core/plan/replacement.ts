import { decisionNote } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { at, equal, type JsonObject } from '../kube/json.ts';
import { kindOf, nameOf } from '../kube/object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import type { Note } from '../translate/edit.ts';
import { REPLACE } from './delivery.ts';
import { immutableChanges } from './immutable.ts';
import type { HostFile } from './plan-types.ts';

/** Says which fields the host cannot take in place, and asks the appliers for a replace where the TenantCluster opted in. */
export function withReplacement(file: HostFile, before: JsonObject, replace: boolean): HostFile {
  const changes = immutableChanges(before, file.object);
  const host = `${kindOf(file.object)} ${nameOf(file.object)}`;
  const notes: Note[] = changes.map(({ path, before: was, after, fix }) => ({
    reason: 'ReplaceNeeded',
    params: { host, before: was, after, fix },
    path,
  }));
  if (at(before, 'spec', 'replicas') !== undefined && at(file.object, 'spec', 'replicas') === undefined) {
    notes.push({ reason: 'ReplicasHandedOver', params: { host }, path: ['spec', 'replicas'] });
  }
  const decision: Decision = { ...file.decision, notes: [...file.decision.notes, ...notes.map(decisionNote)] };
  const asked = askedToReplace(file.object);
  // A render does not know whether the last one was delivered: what it asked for stands until the object changes again.
  const asks = changes.length === 0 ? equal(before, asked) : changes.every(({ replaceable }) => replaceable);
  if (replace && asks) return { ...file, object: asked, decision };
  return notes.length === 0 ? file : { ...file, decision };
}

function askedToReplace(object: JsonObject): JsonObject {
  const asked: JsonObject = { ...object };
  stampMetadata(asked, {}, REPLACE);
  return asked;
}
