import { isObject, type Json, type JsonObject, objectAt, objectsOf, type Path } from '../../kube/json.ts';
import { directionsOf } from '../covered-pods.ts';
import { ruleTexts, selectorText } from './canonical.ts';
import type { Comparison, Difference } from './comparison.ts';

const DIRECTIONS = [
  { type: 'Ingress', field: 'ingress', peers: 'from' },
  { type: 'Egress', field: 'egress', peers: 'to' },
] as const;

/**
 * The spec of a NetworkPolicy by what it admits: each peer with each port, in whichever rules they stand. Fewer closed directions, or
 * other pods, are weaker, since other policies may admit what this one closed.
 */
export const networkRules: Comparison = (planned, live, path) => {
  const [wanted, found] = [isObject(planned) ? planned : {}, isObject(live) ? live : {}];
  const differences: Difference[] = [];
  if (selectorText(wanted['podSelector'] ?? {}) !== selectorText(found['podSelector'] ?? {})) {
    differences.push({ path: [...path, 'podSelector'], way: 'weaker' });
  }
  const [had, has] = [directionsOf({ spec: wanted }), directionsOf({ spec: found })];
  for (const { type, field, peers } of DIRECTIONS) {
    if (had.includes(type) !== has.includes(type)) {
      differences.push({ path: [...path, 'policyTypes'], way: had.includes(type) ? 'weaker' : 'stronger' });
    }
    differences.push(...compareRules(wanted[field], found[field], peers, [...path, field]));
  }
  return differences;
};

function compareRules(planned: Json | undefined, live: Json | undefined, peers: 'from' | 'to', path: Path): Difference[] {
  const wanted = objectsOf(planned).flatMap((rule) => ruleTexts(rule, peers));
  const found = objectsOf(live).map((rule) => ruleTexts(rule, peers));
  const [had, has] = [new Set(wanted), new Set(found.flat())];
  return [
    ...found.flatMap((texts, index): Difference[] => {
      const more = texts === 'too-many' || texts.some((text) => !had.has(text));
      return more ? [{ path: [...path, index], way: 'weaker' }] : [];
    }),
    ...(wanted.some((text) => !has.has(text)) ? [{ path, way: 'stronger' } as const] : []),
  ];
}

/** Whether a NetworkPolicy admits anything at all. One that does not can only close. */
export function admitsNothing(policy: JsonObject): boolean {
  return DIRECTIONS.every(
    ({ type, field }) => !directionsOf(policy).includes(type) || objectsOf(objectAt(policy, 'spec')?.[field]).length === 0,
  );
}
