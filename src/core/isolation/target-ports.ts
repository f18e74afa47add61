import type { JsonObject } from '../kube/json.ts';

/** A port of pods, by number or by the name that containers give it. */
export type TargetPort = { readonly protocol: string; readonly port: string | number };

/**
 * What of `targets` the `ports` of a NetworkPolicy's rule admit; an empty list admits every port. Where a name meets a number that
 * it stands for, the name is what both mean: pods without that name have no such port. Two names never meet, since some pods may
 * have only one of them.
 *
 * @param numberOf what a name stands for, where that is known
 */
export function admittedPorts(
  targets: readonly TargetPort[],
  ports: readonly JsonObject[],
  numberOf: (name: string, protocol: string) => number | undefined,
): readonly TargetPort[] {
  if (ports.length === 0) return targets;
  return targets.flatMap((target) => {
    const met = ports.flatMap((entry) => meet(target, entry, numberOf) ?? []);
    return met.includes(target) ? [target] : met;
  });
}

function meet(
  target: TargetPort,
  entry: JsonObject,
  numberOf: (name: string, protocol: string) => number | undefined,
): TargetPort | undefined {
  if ((entry['protocol'] ?? 'TCP') !== target.protocol) return undefined;
  const first = entry['port'] ?? undefined;
  if (first === undefined || first === target.port) return target;
  if (typeof first === 'string') {
    const same = typeof target.port === 'number' && numberOf(first, target.protocol) === target.port;
    return same ? { protocol: target.protocol, port: first } : undefined;
  }
  const wanted = typeof target.port === 'string' ? numberOf(target.port, target.protocol) : target.port;
  if (wanted === undefined || typeof first !== 'number') return undefined;
  const last = entry['endPort'];
  return wanted >= first && wanted <= (typeof last === 'number' ? last : first) ? target : undefined;
}

/** Whether the `ports` of a rule admit the target, or may: a name that is not known may stand for any number. */
export function mayAdmit(
  target: TargetPort,
  ports: readonly JsonObject[],
  numberOf: (name: string, protocol: string) => number | undefined,
): boolean {
  return (
    ports.length === 0 ||
    ports.some((entry) => {
      if ((entry['protocol'] ?? 'TCP') !== target.protocol) return false;
      const first = entry['port'] ?? undefined;
      if (first === undefined || first === target.port) return true;
      const [wanted, from] = [target.port, first].map((port) => (typeof port === 'string' ? numberOf(port, target.protocol) : port));
      if (typeof wanted !== 'number' || typeof from !== 'number') return true;
      const last = entry['endPort'];
      return wanted >= from && wanted <= (typeof last === 'number' ? last : from);
    })
  );
}
