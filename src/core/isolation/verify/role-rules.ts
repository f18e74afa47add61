import { asArray, asString, type Json, objectsOf } from '../../kube/json.ts';
import { canonicalText } from './canonical.ts';
import type { Comparison, Difference } from './comparison.ts';

/** A planned Role names a handful of objects; one that somebody made this large is not ours. */
const MAX_RIGHTS = 100_000;

/** What the rules of a Role allow, one text for each verb on each name of each resource. */
export function rightsOf(rules: Json | undefined): readonly (readonly string[] | 'too-many')[] {
  return objectsOf(rules).map((rule) => {
    const lists = ['apiGroups', 'resources', 'resourceNames', 'verbs'].map((field) => textsOf(rule[field]));
    const [groups = [], resources = [], names = [], verbs = []] = lists;
    const all = names.length === 0 ? ['any name'] : names.map((name) => `=${name}`);
    if (groups.length * resources.length * all.length * verbs.length > MAX_RIGHTS) return 'too-many';
    const urls = textsOf(rule['nonResourceURLs']).flatMap((url) => verbs.map((verb) => canonicalText([url, verb])));
    const rights = groups.flatMap((group) =>
      resources.flatMap((resource) => all.flatMap((name) => verbs.map((verb) => canonicalText([group, resource, name, verb])))),
    );
    return [...rights, ...urls];
  });
}

function textsOf(value: Json | undefined): string[] {
  return (asArray(value) ?? []).flatMap((item) => asString(item) ?? []);
}

/** Rules of a Role by what they allow together, however they are cut. */
export const roleRules: Comparison = (planned, live, path) => {
  const wanted = rightsOf(planned).flat();
  const found = rightsOf(live);
  const [had, has] = [new Set(wanted), new Set(found.flat())];
  return [
    ...found.flatMap((rights, index): Difference[] =>
      rights === 'too-many' || rights.some((right) => !had.has(right)) ? [{ path: [...path, index], way: 'weaker' }] : [],
    ),
    ...(wanted.some((right) => !has.has(right)) ? [{ path, way: 'stronger' } as const] : []),
  ];
};
