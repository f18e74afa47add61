import type { HostFactsConfig } from '../../../schema/config-kinds.ts';
import { at, objectsOf, stringAt } from '../../kube/json.ts';
import { resolveHost } from '../../plan/host-facts.ts';
import type { RenderConfig } from '../../plan/plan-types.ts';
import type { HostFacts } from '../../plan/settings.ts';
import { RECONCILER } from '../reconciler.ts';
import type { Trusted } from './boundary-report.ts';
import type { LiveBoundary } from './live-boundary.ts';

/**
 * What is known of the host without a look at it: its HostFacts, and the render's own `host` settings. Whom the render trusts stands in
 * no object of the host, so it may be left open.
 */
export type KnownHost = Omit<HostFacts, 'trustedWriters' | 'trustedGroups'> & Partial<Pick<HostFacts, 'trustedWriters' | 'trustedGroups'>>;

export function knownHost(facts: HostFactsConfig['spec'] = {}, stated: RenderConfig['host'] = {}): KnownHost {
  const { trustedWriters: _writers, trustedGroups: _groups, ...host } = resolveHost(stated, facts);
  const { trustedWriters, trustedGroups } = stated;
  return { ...host, ...(trustedWriters !== undefined && { trustedWriters }), ...(trustedGroups !== undefined && { trustedGroups }) };
}

/**
 * The host as the policies are compiled for it. Where nobody said whom they trust, it is what most of the live ones say: then each must
 * say the same, and who it is stands in the report.
 */
export function hostOf(known: KnownHost, live: LiveBoundary): { readonly host: HostFacts; readonly trusted: Trusted } {
  const { trustedWriters, trustedGroups } = known;
  const stock = resolveHost({});
  const found = trustedWriters !== undefined && trustedGroups !== undefined ? undefined : commonest(live);
  const writers = trustedWriters ?? found?.writers ?? stock.trustedWriters;
  const groups = trustedGroups ?? found?.groups ?? stock.trustedGroups;
  return { host: { ...known, trustedWriters: writers, trustedGroups: groups }, trusted: { writers, groups, taken: found !== undefined } };
}

interface Lists {
  readonly writers: readonly string[];
  readonly groups: readonly string[];
}

function commonest(live: LiveBoundary): Lists | undefined {
  const counts = new Map<string, { readonly lists: Lists; readonly count: number }>();
  for (const policy of live.all('ValidatingAdmissionPolicy.admissionregistration.k8s.io')) {
    const lists = listsOf(objectsOf(at(policy, 'spec', 'matchConditions')).map((condition) => stringAt(condition, 'expression') ?? ''));
    if (lists === undefined) continue;
    const key = JSON.stringify([lists.writers, lists.groups]);
    counts.set(key, { lists, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [first] = [...counts].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1));
  return first?.[1].lists;
}

const LITERALS = "\\[((?:'(?:[^'\\\\]|\\\\.)*'(?:, )?)*)\\]";
const WRITERS = new RegExp(`request\\.userInfo\\.username in ${LITERALS}`);
const GROUPS = new RegExp(`\\(g, g in ${LITERALS}\\)`);
/** The reconciler is trusted anyhow; its name tells whoever is trusted from what a policy lets through besides. */
const OWN = `system:serviceaccount:${RECONCILER.namespace}:${RECONCILER.name}`;

/** The lists of the condition that leaves trusted writers alone (`admission/requester.ts`). What is read wrongly compares as another text. */
function listsOf(expressions: readonly string[]): Lists | undefined {
  for (const expression of expressions) {
    const users = literals(WRITERS.exec(expression)?.[1]);
    if (users.at(-1) === OWN) return { writers: users.slice(0, -1), groups: literals(GROUPS.exec(expression)?.[1]) };
  }
  return undefined;
}

function literals(list = ''): string[] {
  return [...list.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, escaped = '']) =>
    escaped.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code: string | undefined, char: string) =>
      code === undefined ? char : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  );
}
