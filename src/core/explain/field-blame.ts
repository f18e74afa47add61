import { at, equal, type Json, type JsonObject, type Path } from '../kube/json.ts';
import type { Change } from '../translate/edit.ts';
import { type FieldStep, resolveField } from './field-path.ts';
import type { Found } from './find-subjects.ts';

/** Who gave one field of a host object its value. */
export interface FieldBlame {
  readonly path: Path;
  /** where the tenant's object has it */
  readonly tenantPath: Path;
  /** absent where the object does not have the field */
  readonly host?: Json;
  readonly tenant?: Json;
  /**
   * `tenant`: as the tenant wrote it; `rule`: `changes` say which; `stamped`: identity and decision, which every object of ours
   * carries; `compiled`: the whole object is ours; `nobody`: neither side has it
   */
  readonly setBy: 'tenant' | 'rule' | 'stamped' | 'compiled' | 'nobody';
  /** changes of the field itself, of what it lies in or of what lies in it, in the order in which they were made */
  readonly changes: readonly Change[];
}

/** @param tenantObject as the tenant wrote it; undefined for what is compiled */
export function blameField({ decision, file }: Found, tenantObject: JsonObject | undefined, steps: readonly FieldStep[]): FieldBlame {
  const hostObject = file?.object ?? {};
  const onHost = resolveField(hostObject, steps);
  const source = resolveField(tenantObject ?? {}, steps);
  // a field that only the tenant has is told by the tenant's path
  const path = onHost.there || !source.there ? onHost.path : source.path;
  const host = at(hostObject, ...path);
  const tenant = at(tenantObject, ...source.path);
  const changes = decision.fields.filter((change) => isWithin(change.path, path) || isWithin(path, change.path));
  return {
    path,
    tenantPath: source.path,
    ...(host !== undefined && { host }),
    ...(tenant !== undefined && { tenant }),
    setBy: setter(decision.source === undefined && file !== undefined, { host, tenant, changed: changes.length > 0 }),
    changes,
  };
}

function setter(
  compiled: boolean,
  { host, tenant, changed }: { host?: Json | undefined; tenant?: Json | undefined; changed: boolean },
): FieldBlame['setBy'] {
  if (host === undefined && tenant === undefined) return 'nobody';
  if (compiled) return 'compiled';
  if (equal(host, tenant)) return 'tenant';
  return changed ? 'rule' : 'stamped';
}

/** Whether `path` is `outer`, or lies in it. */
function isWithin(outer: Path, path: Path): boolean {
  return outer.length <= path.length && outer.every((step, index) => step === path[index]);
}
