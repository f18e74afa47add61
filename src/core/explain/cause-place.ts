import { at, type JsonObject, objectsOf, type Path, stringAt } from '../kube/json.ts';
import { kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { pointer } from '../kube/pointer.ts';
import type { InputObject } from '../plan/plan-types.ts';
import type { Source } from '../plan/tenant-context.ts';

/** A cause of a decision taken apart: `SyncPolicy/default[v1/Pod]`, `IsolationProfile/restricted#blockHostPathVolumes`. */
export interface Cause {
  /** `SyncPolicy/default` */
  readonly ref: string;
  /** `v1/Pod` */
  readonly entry?: string;
  /** a field of its spec, with or without the `controls.` before it */
  readonly control?: string;
}

export function parseCause(text: string): Cause {
  const entry = /^([^[#]+)\[(.+)\]$/.exec(text);
  if (entry !== null) return { ref: entry[1] ?? '', entry: entry[2] ?? '' };
  const hash = text.indexOf('#');
  return hash < 0 ? { ref: text } : { ref: text.slice(0, hash), control: text.slice(hash + 1) };
}

/** Where a cause stands in the input. */
export interface CausePlace {
  readonly source: Source;
  readonly pointer: string;
  /** set where the field is not written down: it follows from the level, or is always so */
  readonly implied?: 'level' | 'default';
}

/**
 * The place of a cause in the configuration of a package; undefined where the package does not hold it.
 * @param tenant whose decision it is: TenantClusters of several namespaces may share a name
 */
export function placeOfCause(
  cause: Cause,
  tenant: { readonly namespace: string; readonly name: string },
  config: readonly InputObject[],
): CausePlace | undefined {
  const [kind, name] = cause.ref.split('/');
  const holder = config.find(
    ({ object }) =>
      kindOf(object) === kind && nameOf(object) === name && (kind !== 'TenantCluster' || namespaceOf(object) === tenant.namespace),
  );
  if (holder === undefined) return undefined;
  const { object, source } = holder;
  if (cause.entry !== undefined) {
    const index = objectsOf(at(object, 'spec', 'resources')).findIndex(
      (entry) => `${stringAt(entry, 'apiVersion')}/${stringAt(entry, 'kind')}` === cause.entry,
    );
    return { source, pointer: pointer(index < 0 ? ['spec'] : ['spec', 'resources', index]) };
  }
  const { control } = cause;
  if (control === undefined) return { source, pointer: '' };
  const written = writtenField(object, control.split('.'));
  if (written !== undefined) return { source, pointer: pointer(written) };
  return at(object, 'spec', 'level') === undefined
    ? { source, pointer: '/spec', implied: 'default' }
    : { source, pointer: '/spec/level', implied: 'level' };
}

function writtenField(object: JsonObject, steps: readonly string[]): Path | undefined {
  return [
    ['spec', ...steps],
    ['spec', 'controls', ...steps],
  ].find((path) => at(object, ...path) !== undefined);
}
