import type { Decision } from '../../core/decision/decision.ts';
import { shellWord } from '../../core/decision/shell-word.ts';
import { hostName } from '../../core/identity/host-name.ts';
import { KEY } from '../../core/identity/metadata.ts';
import { kindRow } from '../../core/kube/kinds.ts';
import { isOrMeansKind } from '../../core/kube/misnamed-kind.ts';
import { annotationsOf, apiVersionOf, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import { plan } from '../../core/plan/plan.ts';
import type { Finding, InputObject, Observation, Plan, RenderConfig, TenantPlan } from '../../core/plan/plan-types.ts';
import { NOT_JUDGED } from '../why/thaw.ts';
import { type AssumedSubject, assumedObject, assumedPackage } from './assumed-objects.ts';

export interface TenantName {
  readonly name: string;
  readonly namespace: string;
}

/** What is known beyond the names: a package that holds the tenant, or nothing. */
export interface Facts {
  readonly inputs: readonly InputObject[];
  /** files that could not be read: they freeze their tenant here as they do in a render */
  readonly unreadable: readonly Finding[];
  readonly previous?: NonNullable<Observation['previous']>;
  readonly config: RenderConfig;
  /** tenants that are planned, where what is given was read for these alone */
  readonly only?: ReadonlySet<string>;
  /** folder of the TenantCluster, where `objects/` lies; undefined where no package knows the tenant */
  readonly folder?: string;
}

export interface Prediction {
  readonly tenant: TenantName;
  readonly subject: AssumedSubject;
  readonly decision: Decision;
  /** name on the host; undefined where nothing would be there */
  readonly hostName?: string;
  /** whether that is what an earlier render wrote, in a tree that this one leaves as it is */
  readonly asLastRendered?: boolean;
  /** facts that are missing, each with how to supply it */
  readonly undecided: readonly string[];
  /** false where the tenant's policy and profile are not known */
  readonly policyKnown: boolean;
  /** why the tenant's tree stays as it is, where it does */
  readonly frozen?: string;
  /** why nothing of the package is rendered, where that is so */
  readonly stopped?: string;
  /** virtual namespaces of the tenant that hold an object of this kind and name, where the one that was asked for does not */
  readonly elsewhere: readonly string[];
}

const NO_PACKAGE = 'SyncPolicy and IsolationProfile of the tenant: name the package (PATH)';
const NO_OBJECT = 'the object itself: it is not in the package, so only its name and kind were judged (explain-sync -f FILE)';
const NO_HOST = 'whether a foreign object of that name is on the host already';

/**
 * The decision that an object gets, from the planner itself: the object is put where it would stand and the whole package is
 * planned. Of an object that is only a name, nothing but scope, policy and names is believed.
 */
export function predict(tenant: TenantName, subject: AssumedSubject, manifest: InputObject | undefined, facts: Facts): Prediction {
  const { folder } = facts;
  const inputs = folder === undefined ? assumedPackage(tenant, subject) : facts.inputs;
  const objects = `${folder === undefined || folder === '' ? '' : `${folder}/`}objects/`;
  const mine = (input: InputObject): boolean => input.source.path.startsWith(objects) && isSubject(input, subject);
  const inPackage = inputs.some(mine);
  const assumed = manifest === undefined && !inPackage;
  const object = manifest?.object ?? (assumed ? assumedObject(subject) : undefined);
  const observed =
    object === undefined
      ? inputs
      : [...inputs.filter((input) => !mine(input)), { object, source: { ...manifest?.source, path: `${objects}${PLACE}`, document: 0 } }];
  const { unreadable, previous, config, only } = facts;
  const seen = { ...(previous !== undefined && { previous }), ...(only !== undefined && { only }) };
  const rest = { unreadable: folder === undefined ? [] : unreadable, ...seen, config };
  const planned = plan({ inputs: observed, ...rest });
  const own = planOf(planned, tenant);
  // an object that is only assumed freezes nobody, and is no reason to say so
  const standing = assumed && folder !== undefined && own?.frozen !== undefined ? plan({ inputs, ...rest }) : planned;
  const decisions = own?.decisions.filter((candidate) => candidate.reason !== 'ShortNameMade' && isDecisionOf(candidate, subject)) ?? [];
  const decision =
    decisions.find(({ source }) => source?.kind === subject.kind && source.apiVersion === subject.apiVersion) ?? decisions[0];
  if (own === undefined || decision === undefined) throw new Error(`the plan has no decision for ${subject.kind} ${subject.name}`);

  const believed = !assumed || decision.action !== 'Skip' || /^TP[12]/.test(decision.code);
  const stays = believed && decision.action === 'Skip';
  const undecided: string[] = [];
  const elsewhere = assumed ? namespacesWith(inputs, objects, subject) : [];
  if (!stays) {
    if (folder === undefined) undecided.push(NO_PACKAGE);
    if (assumed) undecided.push(elsewhere.length === 0 ? NO_OBJECT : elsewhereWords(subject, elsewhere));
    undecided.push(NO_HOST);
  }
  const why = reasonsToStay(standing, tenant);
  const last = why.frozen === undefined && why.stopped === undefined ? undefined : standingName(previous ?? [], tenant, subject);
  const name = stays ? last : (decision.host?.name ?? nameFor(subject, tenant));
  return {
    tenant,
    subject,
    decision: assumed && !stays ? unknownObject(decision, own.policy, subject) : last === undefined ? notJudged(decision) : decision,
    ...(name !== undefined && { hostName: name }),
    ...(last !== undefined && { asLastRendered: true }),
    undecided,
    policyKnown: folder !== undefined,
    elsewhere,
    ...why,
  };
}

/** Of what a frozen tenant kept from being judged, nobody knows that a render will write it. */
function notJudged(decision: Decision): Decision {
  return decision.reason === 'TenantFrozen' ? { ...decision, remedy: NOT_JUDGED } : decision;
}

/** The name by which the tree has the object from an earlier render. */
function standingName(tree: NonNullable<Facts['previous']>, tenant: TenantName, subject: AssumedSubject): string | undefined {
  const found = tree.find(({ source, object }) => {
    if (!source.path.startsWith(`${tenant.namespace}/`) || !isOurs(object)) return false;
    const annotations = annotationsOf(object);
    return (
      kindKey(apiVersionOf(object), kindOf(object)) === kindKey(subject.apiVersion, subject.kind) &&
      annotations.get(KEY.virtualName) === subject.name &&
      annotations.get(KEY.virtualNamespace) === subject.virtualNamespace &&
      annotations.get(KEY.tenantCluster) === `${tenant.namespace}/${tenant.name}`
    );
  });
  return found === undefined ? undefined : nameOf(found.object);
}

function planOf(planned: Plan, tenant: TenantName): TenantPlan | undefined {
  return planned.tenants.find(({ name, namespace }) => name === tenant.name && namespace === tenant.namespace);
}

/** What keeps a render from writing, in the words that a render says first. */
function reasonsToStay(planned: Plan, tenant: TenantName): Pick<Prediction, 'frozen' | 'stopped'> {
  const frozen = planOf(planned, tenant)?.frozen;
  const error = planned.findings.find((found) => found.severity === 'error' && found.tenant === undefined);
  return {
    ...(frozen !== undefined && { frozen }),
    ...(planned.stopped && {
      stopped: error === undefined ? 'the package is at odds with itself.' : `${error.source.path}: ${error.message}`,
    }),
  };
}

function namespacesWith(inputs: readonly InputObject[], objects: string, subject: AssumedSubject): readonly string[] {
  const found = inputs
    .filter(({ source }) => source.path.startsWith(objects))
    .map(({ object }) => namespaceOf(object) ?? 'default')
    .filter((virtualNamespace) =>
      inputs.some((input) => input.source.path.startsWith(objects) && isSubject(input, { ...subject, virtualNamespace })),
    );
  return [...new Set(found)].sort();
}

/** Only its name and kind were judged, and most likely another object was meant. */
export function elsewhereWords({ kind, name, virtualNamespace }: AssumedSubject, elsewhere: readonly string[]): string {
  const places = elsewhere.map((namespace) => `-n ${shellWord(namespace)}`).join(', ');
  return `the package has no ${kind} ${name} in virtual namespace ${virtualNamespace}, but one in ${elsewhere.join(', ')} (${places})`;
}

/** A file name that no package has. */
const PLACE = 'explain-sync.yaml';

function isSubject(input: InputObject, subject: AssumedSubject): boolean {
  const { object } = input;
  return (
    isOrMeansKind(apiVersionOf(object), kindOf(object), kindKey(subject.apiVersion, subject.kind)) &&
    nameOf(object) === subject.name &&
    (namespaceOf(object) ?? 'default') === subject.virtualNamespace
  );
}

function isDecisionOf({ source }: Decision, subject: AssumedSubject): boolean {
  if (source === undefined) return false;
  const cluster = kindRow(kindKey(subject.apiVersion, subject.kind))?.scope === 'Cluster';
  return (
    isOrMeansKind(source.apiVersion, source.kind, kindKey(subject.apiVersion, subject.kind)) &&
    source.name === subject.name &&
    (cluster || source.namespace === subject.virtualNamespace)
  );
}

/** A refusal of what was only assumed says nothing about the real object. What came before it, scope and policy, does. */
function unknownObject(decision: Decision, policy: string, subject: AssumedSubject): Decision {
  const entry = `${subject.apiVersion}/${subject.kind}`;
  return {
    ...decision,
    action: 'Create',
    flow: 'ToHost',
    disposition: 'Planned',
    reason: 'PolicyMatched',
    code: 'TP2001',
    severity: 'info',
    message: `SyncPolicy ${policy} entry ${entry} projects ${subject.kind} toHost.`,
    remedy: '',
    causes: [`SyncPolicy/${policy}[${entry}]`],
    trace: decision.trace.filter((step) => step.rule.startsWith('scope.') || step.rule.startsWith('policy.')),
    fields: [],
    rewrites: [],
    notes: [],
  };
}

function nameFor(subject: AssumedSubject, tenant: TenantName): string {
  const row = kindRow(kindKey(subject.apiVersion, subject.kind));
  const limits = row?.namedAs === undefined ? row : (kindRow(row.namedAs) ?? row);
  return hostName(subject.name, subject.virtualNamespace, tenant.name, limits ?? { nameLimit: 63, dots: true }).name;
}
