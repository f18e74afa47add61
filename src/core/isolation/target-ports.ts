import type { Json, JsonObject } from '../kube/json.ts';

/** A port of pods, by number or by the name that containers give it. */
export type TargetPort = { readonly protocol: string; readonly port: string | number };

/**
 * Those of `targets` that the `ports` of a NetworkPolicy's rule admit; an empty list admits every port.
 *
 * @param numberOf what a name stands for; a name that is known to stand for nothing in particular meets only itself
 */
export function admittedPorts(
  targets: readonly TargetPort[],
  ports: readonly JsonObject[],
  numberOf: (name: string, protocol: string) => number | undefined,
): readonly TargetPort[] {
  if (ports.length === 0) return targets;
  return targets.filter((target) =>
    ports.some((entry) => {
      if ((entry['protocol'] ?? 'TCP') !== target.protocol) return false;
      const first = entry['port'] ?? undefined;
      if (first === undefined || first === target.port) return true;
      const number = (port: Json): number | undefined =>
        typeof port === 'string' ? numberOf(port, target.protocol) : typeof port === 'number' ? port : undefined;
      const [wanted, from] = [number(target.port), number(first)];
      if (wanted === undefined || from === undefined) return false;
      const last = entry['endPort'];
      return wanted >= from && wanted <= (typeof last === 'number' ? last : from);
    }),
  );
}
