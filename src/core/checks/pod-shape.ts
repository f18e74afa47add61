import { asArray, at, isObject, type Json, type JsonObject, objectsOf, type Path } from '../kube/json.ts';
import { dotted } from '../kube/pointer.ts';
import type { Subject } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';
import { containersOf, inContainer, isSet, type PlacedContainer } from './containers.ts';
import { quoted } from './legal-value.ts';
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
    const images = containersOf(spec).flatMap((container) => imageRefusals(container, base));
    return [...refusals, ...images, ...mountRefusals(subject, spec, base)];
  },
};

/** In a template the API server takes white space around the name of an image, and then refuses every pod that is made of it. */
function imageRefusals(container: PlacedContainer, base: Path): Refusal[] {
  const image = container.spec['image'] ?? undefined;
  const path = inContainer(base, container, 'image');
  if (image === undefined || image === '') return [malformed(path, undefined, 'the image of the container')];
  if (typeof image !== 'string' || image === image.trim()) return [];
  const params = { pointer: dotted(path), found: quoted(image), wanted: 'a name without white space around it' };
  const remedy = 'Take the white space away; the API server would refuse every pod.';
  return [{ reason: 'ObjectMalformed', params, path, remedy }];
}

/** Mounts of volumes that neither the pod nor, in a StatefulSet, a claim template makes. */
function mountRefusals(subject: Subject, spec: JsonObject, base: Path): Refusal[] {
  const volumes = new Set<Json | undefined>(objectsOf(spec['volumes']).map((volume) => volume['name']));
  for (const template of objectsOf(at(subject.object, 'spec', 'volumeClaimTemplates'))) volumes.add(at(template, 'metadata', 'name'));
  return containersOf(spec).flatMap((container) => {
    if (container.list === 'ephemeralContainers') return [];
    return (['volumeMounts', 'volumeDevices'] as const).flatMap((list) =>
      (asArray(container.spec[list]) ?? []).flatMap((mount, index): Refusal[] => {
        const name = isObject(mount) ? mount['name'] : undefined;
        if (typeof name !== 'string' || name === '' || volumes.has(name)) return [];
        const path = inContainer(base, container, list, index, 'name');
        const params = { pointer: dotted(path), found: quoted(name), wanted: 'the name of a volume of the pod' };
        return [{ reason: 'ObjectMalformed', params, path }];
      }),
    );
  });
}

function duplicate(path: readonly (string | number)[], name: string): Record<string, string> {
  return { pointer: path.join('.'), found: `a second container ${name}`, wanted: 'a name of its own' };
}
