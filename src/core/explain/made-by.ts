/** Objects that controllers make, by the names that they give them. Nobody writes these; people copy them from kubectl. */
export type MadeKind = 'Pod' | 'ReplicaSet.apps' | 'Job.batch';

/** Letters of random names and of hashes (k8s.io/apimachinery/pkg/util/rand). */
const SAFE = '[bcdfghjklmnpqrstvwxz2456789]';
const RANDOM = new RegExp(`${SAFE}{5}$`);
/** What is left of a generated name in front of its five random letters (k8s.io/apiserver/pkg/storage/names). */
const LONGEST_BASE = 58;

interface Making {
  readonly makes: MadeKind;
  /** what follows the maker's name and a dash */
  readonly rest: RegExp;
  /** five random letters end the name, and the base before them is cut */
  readonly generated?: true;
}

const HASH: Making = { makes: 'Pod', rest: new RegExp(`^${SAFE}{1,10}-?$`), generated: true };
const PLAIN: Making = { makes: 'Pod', rest: /^$/, generated: true };

/** By the maker's kind. A Job of a CronJob is named after its minute, an indexed Job's pod after its index. */
const MAKINGS: Readonly<Record<string, readonly Making[]>> = {
  'Deployment.apps': [HASH, { makes: 'ReplicaSet.apps', rest: new RegExp(`^${SAFE}{1,10}$`) }],
  'ReplicaSet.apps': [PLAIN],
  ReplicationController: [PLAIN],
  'DaemonSet.apps': [PLAIN],
  'StatefulSet.apps': [{ makes: 'Pod', rest: /^(0|[1-9]\d{0,8})$/ }],
  'Job.batch': [PLAIN, { makes: 'Pod', rest: /^\d{1,6}-?$/, generated: true }],
  'CronJob.batch': [
    { makes: 'Job.batch', rest: /^\d{8,10}$/ },
    { makes: 'Pod', rest: /^\d{8,10}-?$/, generated: true },
  ],
};

/**
 * Whether an object of this kind and name may have made one that is called so.
 * @param kind `Deployment.apps`, of the maker
 * @param made what is asked for; a kind that is left out may be any
 */
export function mayHaveMade(kind: string, name: string, made: { readonly kind?: string; readonly name: string }): boolean {
  return (MAKINGS[kind] ?? []).some(
    (making) => (made.kind === undefined || made.kind === making.makes) && isNamedAfter(`${name}-`, made.name, making),
  );
}

function isNamedAfter(prefix: string, name: string, { rest, generated }: Making): boolean {
  if (generated !== true) return name.startsWith(prefix) && rest.test(name.slice(prefix.length));
  if (!RANDOM.test(name)) return false;
  const base = name.slice(0, -5);
  if (base.length > LONGEST_BASE) return false;
  // of a name that was cut nothing may be left behind the maker's, or not all of that
  if (base.length === LONGEST_BASE && prefix.length >= LONGEST_BASE) return base === prefix.slice(0, LONGEST_BASE);
  return base.startsWith(prefix) && (base.endsWith('-') || base.length === LONGEST_BASE) && rest.test(base.slice(prefix.length));
}

/** What a made object's name begins with, at least: to look for its maker where reading everything would take long. */
export function makersStem(name: string): string {
  return name.replace(/(-[a-z0-9]{1,10}){1,2}$/, '');
}
