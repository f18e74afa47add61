import { at, isObject } from '../kube/json.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';
import { containersOf, isSet } from './containers.ts';
import { malformed, shapeRefusals } from './shape.ts';

/** A pod spec that the API server would refuse, or that holds a field nobody here knows, is never translated. */
export const podShapeCheck: Check = {
  id: 'pod.shape',
  run(subject) {
    const base = subject.row.podSpec;
    if (base === undefined) return undefined;
    const spec = at(subject.object, ...base);
    if (!isObject(spec)) return [malformed(base, spec, 'a pod spec')];
    const refusals: Refusal[] = [...shapeRefusals(spec, 'PodSpec', base)];
    const containers = spec['containers'];
    if (!isSet(containers) || (Array.isArray(containers) && containers.length === 0))
      refusals.push(malformed([...base, 'containers'], undefined, 'a list with at least one container'));
    // Patches and server-side apply find containers by name; two of one name are one.
    const names = new Set<string>();
    for (const { spec: container, list, index } of containersOf(spec)) {
      const name = container['name'];
      const path = [...base, list, index, 'name'];
      if (typeof name !== 'string' || name === '')
        refusals.push(malformed(path, isSet(name) ? name : undefined, 'the name of a container'));
      else if (names.has(name)) refusals.push({ reason: 'ObjectMalformed', params: duplicate(path, name), path });
      else names.add(name);
    }
    return refusals;
  },
};

function duplicate(path: readonly (string | number)[], name: string): Record<string, string> {
  return { pointer: path.join('.'), found: `a second container ${name}`, wanted: 'a name of its own' };
}
