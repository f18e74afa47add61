/** What a word of a command can be: of reach only what pods are called by. */
type Names = 'tenants' | 'objects' | 'ends';

export const NAMES: Readonly<Record<string, readonly Names[]>> = {
  why: ['objects'],
  'why-not': ['objects'],
  graph: ['tenants', 'objects'],
  reach: ['tenants', 'ends'],
  isolation: ['tenants'],
  tree: ['tenants'],
};

/** Commands whose words are names of a package. */
export const NAMING: readonly string[] = Object.keys(NAMES);
