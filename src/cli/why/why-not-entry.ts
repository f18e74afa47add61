import type { Decision, Outcome, TraceStep } from '../../core/decision/decision.ts';
import type { Found } from '../../core/explain/find-subjects.ts';
import { type NearMisses, nearMisses } from '../../core/explain/near-misses.ts';
import { type MissingEntry, missingEntry } from '../../core/explain/policy-entry.ts';
import { nameOf } from '../../core/kube/object.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import { TenantplaneError } from '../errors.ts';
import type { AssumedSubject } from '../explain/assumed-objects.ts';
import { predict } from '../explain/predict.ts';
import { type Asked, clusterNamed } from './ask.ts';
import { heldOf, mended } from './held.ts';
import { type Leaving, leavingOf } from './narrowed.ts';
import type { OpenPackage } from './open-package.ts';
import { type FilePlace, type PlacedCause, placeAt, placedCause } from './places.ts';
import { sourcelessWords } from './sourceless.ts';
import { stays } from './standing-copy.ts';
import { outlookOf } from './thaw.ts';

/** Why one object is not on the host, or that it is. */
export interface WhyNotEntry {
  readonly verdict: 'on the host' | 'not on the host' | 'not defined' | 'removed' | 'frozen' | 'stopped' | 'waits';
  readonly subject: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly decision: Decision;
  readonly source?: FilePlace;
  readonly causes: readonly PlacedCause[];
  /** why the tenant’s tree stays as it is, or nothing is written at all */
  readonly held?: string;
  /** what thaws the tenant */
  readonly remedy?: string;
  /** that nothing can be read any more of what it was made from, in words */
  readonly sourceless?: string;
  /** what still stands of it in the tree, and what narrowed it */
  readonly leaving?: Leaving;
  readonly near: NearMisses;
  /** what to add to which policy, and where that is */
  readonly missing?: MissingEntry & { readonly place?: FilePlace };
  /** what Git alone cannot say */
  readonly undecided: readonly string[];
}

const ON_HOST = ['whether the applier has applied it, and whether it runs: only the host says'];

export async function whyNotEntries(asked: Asked, open: OpenPackage): Promise<readonly WhyNotEntry[]> {
  if (asked.found.length === 0) return [await notDefined(asked, open)];
  const entries: WhyNotEntry[] = [];
  for (const found of asked.found) entries.push(await defined(found, asked, open));
  return entries;
}

async function defined(found: Found, asked: Asked, open: OpenPackage): Promise<WhyNotEntry> {
  const { decision, tenant } = found;
  const subject = decision.source ?? decision.host ?? { kind: 'object', namespace: '', name: '' };
  const held = await mended(heldOf(asked.part.plan, tenant, decision), tenant, decision, asked.part.texts);
  const sourceless = sourcelessWords(decision, asked.part);
  const verdicts = { Create: 'on the host', Update: 'on the host', Delete: 'removed', Skip: 'not on the host' } as const;
  const leaving = await leavingOf(found, open, asked.part);
  // what is refused waits for nothing: a tenant that is mended, or a render that goes on, would not write it either
  const refused = outlookOf(decision) === 'refused' && decision.host === undefined && leaving === undefined;
  const waiting = refused ? undefined : held?.state;
  const verdict = waiting ?? (stays(decision) ? 'waits' : leaving === undefined ? verdicts[decision.action] : 'removed');
  const told = await entry(
    { verdict, subject, decision, undecided: verdict === 'on the host' ? ON_HOST : [] },
    tenant,
    asked,
    open,
    held?.why,
  );
  return {
    ...told,
    ...(held?.remedy !== undefined && { remedy: held.remedy }),
    ...(sourceless !== undefined && { sourceless }),
    ...(leaving !== undefined && { leaving }),
  };
}

/** An object that nobody has written: what its name and kind alone would come to, by the planner. */
async function notDefined(asked: Asked, open: OpenPackage): Promise<WhyNotEntry> {
  const { question, kind, part } = asked;
  const [only, ...more] = open.clusters;
  const key = question.tenant ?? (more.length === 0 ? only?.key : undefined);
  if (question.name === undefined || kind === undefined)
    throw new TenantplaneError('usage', `Nothing in the package is called ${question.name ?? question.hostFile ?? question.sourceFile}.`, {
      hint: 'Give KIND/NAME, so that it can be said what would be needed.',
    });
  if (key === undefined)
    throw new TenantplaneError('usage', `No tenant has a ${kind.kind} ${question.name}. Which one should have it?`, {
      hint: 'Give --tenant NAME.',
    });
  const cluster = clusterNamed(open, key);
  const subject: AssumedSubject = {
    ...kind,
    name: question.name,
    virtualNamespace: question.virtualNamespace ?? question.namespace ?? 'default',
  };
  const { observed } = part;
  const prediction = predict({ name: cluster.name, namespace: cluster.namespace }, subject, undefined, {
    inputs: observed.inputs,
    unreadable: observed.unreadable,
    ...(observed.previous !== undefined && { previous: observed.previous }),
    ...(observed.only !== undefined && { only: observed.only }),
    config: observed.config,
    folder: cluster.folder,
  });
  const { decision, undecided, stopped } = prediction;
  const tenant = part.plan.tenants.find(({ namespace, name }) => `${namespace}/${name}` === key);
  const words = { kind: subject.kind, namespace: subject.virtualNamespace, name: subject.name };
  return entry({ verdict: 'not defined', subject: words, decision, undecided }, tenant, asked, open, stopped ?? tenant?.frozen);
}

async function entry(
  start: Pick<WhyNotEntry, 'verdict' | 'subject' | 'decision' | 'undecided'>,
  tenant: TenantPlan | undefined,
  { part }: Asked,
  open: OpenPackage,
  held: string | undefined,
): Promise<WhyNotEntry> {
  const { decision, verdict } = start;
  const causes: PlacedCause[] = [];
  for (const text of decision.causes) causes.push(await placedCause(text, decision.tenant, open));
  const missing = missingEntry(decision, tenant?.policy ?? '');
  const policy = open.config.find(({ object }) => object['kind'] === 'SyncPolicy' && nameOf(object) === missing?.policy);
  const place = policy === undefined ? undefined : await placeAt(policy.source, '/spec/resources', part.texts);
  const source = verdict === 'not defined' ? undefined : decision.source?.file;
  const ref = decision.source ?? decision.host;
  return {
    ...start,
    ...(source !== undefined && { source: await placeAt(source, '', part.texts) }),
    causes,
    ...(held !== undefined && { held }),
    near: tenant === undefined || ref === undefined ? NONE : nearMisses({ ...ref, ...start.subject }, tenant, open.config),
    ...(missing !== undefined && { missing: { ...missing, ...(place !== undefined && { place }) } }),
  };
}

const NONE: NearMisses = { namespaces: [], kinds: [], names: [], listed: [] };

const WORDS: Readonly<Record<Outcome, string>> = {
  Matched: 'pass',
  Passed: 'pass',
  Rewrote: 'pass',
  NotMatched: 'STOP',
  Blocked: 'STOP',
  NotApplicable: 'n/a',
  Undecided: 'undecided',
  NotReached: 'not reached',
};

export function stepWords({ outcome }: TraceStep): string {
  return WORDS[outcome];
}
