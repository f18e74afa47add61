import type { Decision } from '../../core/decision/decision.ts';
import { mayHaveMade } from '../../core/explain/made-by.ts';
import { objectAt, stringAt } from '../../core/kube/json.ts';
import { KINDS } from '../../core/kube/kinds.ts';
import { kindKey, stringMap } from '../../core/kube/object.ts';
import { backends, declaredPorts, servicePorts } from '../../core/reach/ports.ts';
import type { Workload } from '../../core/reach/workloads.ts';
import { tenantId } from '../../report/tally.ts';
import { some } from '../../report/text.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';
import { tryKind } from '../explain/find-kind.ts';
import { noTenant } from '../package/no-tenant.ts';
import { NOT_JUDGED } from '../why/thaw.ts';
import type { Atlas } from './atlas.ts';
import { type Candidate, candidates, nameIn } from './candidates.ts';
import { END_WORDS, endWord } from './end-words.ts';
import { addressesNamed, hostNamespaceNamed, KEYWORDS } from './keywords.ts';
import { type Place, podTarget, type Target } from './target.ts';

/** What is known where a word leaves something out. */
export interface Surroundings {
  /** `-n` */
  readonly namespace?: string;
  /** `--tenant`, or whose the other end is */
  readonly tenant?: string;
  /** the virtual namespace of the other end: a name alone is looked for there first */
  readonly near?: string;
}

/** `dev:shop/deploy/web`, taken apart. */
interface Reference {
  readonly tenant?: string;
  readonly namespace?: string;
  readonly kind?: string;
  readonly name: string;
}

/**
 * The end of a call that a word names: a keyword, addresses, a namespace of the host, a tenant, or an object of a tenant by its
 * own name or by the host's.
 */
export function findPlace(word: string, atlas: Atlas, around: Surroundings): Place {
  const outside = addressesNamed(word) ?? hostNamespaceNamed(word, atlas);
  if (outside !== undefined) return { name: outside.name, targets: [outside] };
  const { tenant, rest } = splitTenant(word, atlas);
  const whose = tenant ?? around.tenant;
  const keyword = endWord(rest);
  if (keyword !== undefined) {
    const targets = KEYWORDS[keyword](atlas, whose ?? onlyTenant(atlas));
    if (targets !== undefined) return { name: targets[0]?.name ?? word, targets };
    throw usage(
      `Whose ${keyword}?`,
      `Say it as ${atlas.tenants[0] === undefined ? 'TENANT' : atlas.label(tenantId(atlas.tenants[0]))}:${keyword}.`,
    );
  }
  if (tenant !== undefined && (rest === '' || rest === '*')) return wholeTenant(tenant, atlas);
  return placeOf(oneOf(word, { ...split(rest), ...(tenant !== undefined && { tenant }) }, atlas, around), atlas);
}

/** `dev:…`, `team-dev/dev:…`; a tenant's name alone, also behind its kind, is all of it. */
function splitTenant(word: string, atlas: Atlas): { readonly tenant?: string; readonly rest: string } {
  const colon = word.indexOf(':');
  const [, kindless] = /^(?:tenant|tenants|tenantcluster|tenantclusters|tc)[/:](.+)$/i.exec(word) ?? [];
  const name = kindless ?? (colon < 0 ? word : word.slice(0, colon));
  const found = atlas.tenants.filter((tenant) => tenantId(tenant) === name || tenant.name === name).map(tenantId);
  const [first, second] = found;
  if (second !== undefined)
    throw usage(`There are ${found.length} tenants called ${name}: ${found.join(', ')}.`, `Say which one, such as ${first}:*.`);
  if (first !== undefined) return { tenant: first, rest: kindless !== undefined || colon < 0 ? '' : word.slice(colon + 1) };
  if (colon < 0 && kindless === undefined) return { rest: word };
  throw noTenant(name, atlas.tenants.map(tenantId));
}

function onlyTenant({ tenants }: Atlas): string | undefined {
  const [only] = tenants;
  return only !== undefined && tenants.length === 1 ? tenantId(only) : undefined;
}

/** `web`, `deploy/web`, `shop/deploy/web`, `web.shop`, `web.shop.svc.cluster.local` */
function split(text: string): Reference {
  const slash = text.lastIndexOf('/');
  if (slash >= 0) {
    const [kind, name] = [text.slice(0, slash), text.slice(slash + 1)];
    const cut = tryKind(kind, []) === undefined ? kind.indexOf('/') : -1;
    return { ...(cut >= 0 && { namespace: kind.slice(0, cut) }), kind: kindNamed(kind.slice(cut + 1)), name };
  }
  const [, name, namespace, service] = /^([^.]+)\.([^.]+)(\.svc(?:\..+)?)?\.?$/.exec(text) ?? [];
  if (name === undefined || namespace === undefined) return { name: text };
  return { name, namespace, ...(service !== undefined && { kind: 'Service' }) };
}

/** Kinds that pods are called by, or behind. */
const ENDS: readonly string[] = KINDS.filter(({ podSpec, kind }) => podSpec !== undefined || kind === 'Service').map(({ kind }) => kind);

function kindNamed(text: string): string {
  const known = tryKind(text, []);
  if (known === undefined)
    throw usage(
      `${text} is no kind that is known.`,
      nearest(text, ENDS) === undefined
        ? 'Write it as deploy/NAME, sts/NAME, job/NAME, pod/NAME or svc/NAME.'
        : `Did you mean ${nearest(text, ENDS)}?`,
    );
  return known.kind;
}

function oneOf(word: string, wanted: Reference, atlas: Atlas, around: Surroundings): Candidate {
  const all = candidates(atlas);
  const namespace = wanted.namespace ?? around.namespace;
  const there = ({ kind, name, hostName, ...each }: Candidate, fits: (kind: string, name: string) => boolean): boolean =>
    (wanted.tenant === undefined || each.tenant === wanted.tenant) &&
    ((fits(kind, name) && (namespace === undefined || each.virtualNamespace === namespace)) ||
      (fits(kind, hostName) && (wanted.namespace === undefined || each.hostNamespace === wanted.namespace)));
  const exact = all.filter((each) =>
    there(each, (kind, name) => (wanted.kind === undefined || kind === wanted.kind) && name === wanted.name),
  );
  // a pod as kubectl lists it is one of what makes it
  const named = exact.length > 0 ? exact : longest(all.filter((each) => there(each, (kind, name) => makes(kind, name, wanted))));
  const narrowed = PREFERENCES.reduce<readonly Candidate[]>((left, prefers) => {
    const some = left.filter((each) => prefers(each, around));
    return some.length > 0 ? some : left;
  }, named);
  const [first] = narrowed;
  if (first === undefined) throw notFound(word, wanted, all, atlas);
  if (narrowed.length > 1) {
    const names = narrowed.slice(0, 5).map((each) => nameIn(each, atlas));
    throw usage(
      `${word} could be ${names.join(', ')}${narrowed.length > 5 ? ` or ${narrowed.length - 5} more` : ''}.`,
      `Say which one, such as ${names[0] ?? word}.`,
    );
  }
  return first;
}

function makes(kind: string, name: string, wanted: Reference): boolean {
  return mayHaveMade(keyOf(kind), name, { name: wanted.name, ...(wanted.kind !== undefined && { kind: keyOf(wanted.kind) }) });
}

function keyOf(kind: string): string {
  const known = tryKind(kind, []);
  return known === undefined ? kind : kindKey(known.apiVersion, known.kind);
}

function longest(found: readonly Candidate[]): readonly Candidate[] {
  const most = found.reduce((length, { name }) => Math.max(length, name.length), 0);
  return found.filter(({ name }) => name.length === most);
}

/** Which of several of a name is meant, where the word does not say. */
const PREFERENCES: readonly ((candidate: Candidate, around: Surroundings) => boolean)[] = [
  ({ tenant }, around) => tenant === around.tenant,
  ({ virtualNamespace }, { near }) => near !== undefined && virtualNamespace === near,
  ({ virtualNamespace }) => virtualNamespace === 'default',
  ({ is }) => 'workload' in is,
];

function placeOf(found: Candidate, atlas: Atlas): Place {
  const name = nameIn(found, atlas);
  if ('workload' in found.is) return { name, targets: [targetOf(found.is.workload, atlas)] };
  const { service } = found.is;
  const external = stringAt(service, 'spec', 'externalName');
  if (stringAt(service, 'spec', 'type') === 'ExternalName') {
    throw usage(`${name} is a name for ${external ?? 'something elsewhere'}, and policies know addresses only.`, 'Ask for its address.');
  }
  if (stringMap(objectAt(service, 'spec', 'selector')).size === 0) {
    throw usage(`${name} selects no pods: its addresses are written by hand.`, 'Ask for one of its addresses.');
  }
  const targets = backends(atlas.world, service).map(
    (workload): Target => ({
      ...targetOf(workload, atlas),
      ports: servicePorts(service, workload.end),
      meant: ({ port, protocol }) =>
        servicePorts(service, workload.end, port).filter((each) => protocol === undefined || each.protocol === protocol),
    }),
  );
  if (targets.length === 0) {
    throw usage(
      `${name} leads to no pods that are rendered here.`,
      `See what tenantplane validate${atlas.again} says of the pods that it selects.`,
    );
  }
  return { name, targets };
}

function wholeTenant(tenant: string, atlas: Atlas): Place {
  const targets = atlas.world.workloads.filter((workload) => workload.tenant === tenant).map((workload) => targetOf(workload, atlas));
  if (targets.length === 0) throw usage(`Tenant ${atlas.label(tenant)} has no pods that are rendered here.`, 'Name one that has.');
  return { name: `tenant ${atlas.label(tenant)}`, targets };
}

export function targetOf(workload: Workload, atlas: Atlas): Target {
  const { tenant, single, end } = workload;
  return podTarget(nameIn({ ...workload, virtualNamespace: workload.virtualNamespace }, atlas), end, declaredPorts(atlas.world, workload), {
    tenant,
    single,
  });
}

function notFound(word: string, wanted: Reference, all: readonly Candidate[], atlas: Atlas): TenantplaneError {
  const asked = atlas.tenants.filter((tenant) => wanted.tenant === undefined || tenantId(tenant) === wanted.tenant);
  const isMeant = ({ source }: Decision): boolean =>
    source?.name === wanted.name &&
    (wanted.kind === undefined || source.kind === wanted.kind) &&
    (wanted.namespace === undefined || source.namespace === wanted.namespace);
  const refused = asked.flatMap(({ decisions }) => decisions).find((decision) => decision.host === undefined && isMeant(decision));
  if (refused?.source !== undefined) {
    const { kind, namespace, name } = refused.source;
    const remedy = refused.reason === 'TenantFrozen' ? NOT_JUDGED : refused.remedy;
    return usage(`${kind} ${namespace}/${name} is not rendered: ${refused.code} ${refused.reason}. ${refused.message}`, remedy);
  }
  // it is planned, and the tree that holds has nothing of it
  for (const tenant of asked) {
    const source = tenant.frozen === undefined ? undefined : tenant.decisions.find(isMeant)?.source;
    if (source === undefined) continue;
    return usage(
      `${source.kind} ${source.namespace}/${source.name} is not in the tree yet: its tenant ${tenantId(tenant)} is frozen: ${tenant.frozen}`,
      'Fix what is reported for the tenant; the next render writes it.',
    );
  }
  const inTenant = all.filter(({ tenant }) => wanted.tenant === undefined || tenant === wanted.tenant);
  // the same name, of another kind or in another namespace, is told with both
  const same = inTenant.find(({ name, hostName }) => name === wanted.name || hostName === wanted.name);
  const hint = same === undefined ? hintOf(wanted, inTenant, atlas) : `Did you mean ${nameIn(same, atlas)}?`;
  return usage(`There is nothing called ${word} that pods could call or be called by.`, hint);
}

/** The nearest of what it can be: who names a kind means no other, and no word for what is outside. */
function hintOf({ kind, namespace, tenant, name }: Reference, inTenant: readonly Candidate[], atlas: Atlas): string {
  const alike = inTenant.filter((each) => kind === undefined || each.kind === kind);
  const near = nearest(
    name,
    alike.map((each) => each.name),
  );
  const called = alike.filter((each) => each.name === near);
  const meant = called.find((each) => each.virtualNamespace === namespace) ?? called[0];
  if (meant !== undefined) return `Did you mean ${nameIn(meant, atlas)}?`;
  const word = kind === undefined && namespace === undefined && tenant === undefined ? nearest(name, END_WORDS) : undefined;
  if (word !== undefined) return `Did you mean ${word}?`;
  return kind === undefined || alike.length === 0
    ? `An end is a workload or Service that is rendered (deploy/web, dev:shop/svc/db), a tenant, internet, dns, control-plane, api-server, node, ns/NAME or an address. tenantplane tree${atlas.again} lists what is rendered, and what is not with the reason.`
    : `Name one that there is, such as ${some(alike.map((each) => nameIn(each, atlas)))}.`;
}

function usage(message: string, hint: string): TenantplaneError {
  return new TenantplaneError('usage', message, { hint });
}
