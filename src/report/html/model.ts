import type { Decision, ObjectRef } from '../../core/decision/decision.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import type { Finding, HostFile, InputObject, Plan, TenantPlan } from '../../core/plan/plan-types.ts';
import type { Review } from '../../core/review/review.ts';
import type { AnswerTable } from '../answer/answer.ts';
import { decisionsOf, type Outcome, outcomeOf, type Tally, tally, tenantId, warningsOf } from '../tally.ts';
import { type MatrixModel, matrixOf } from './matrix-model.ts';
import { type NearOf, nearOf } from './near-model.ts';
import { tenantLabel } from './words.ts';

/** Everything that the report shows, before any of it is a page. Strings are as they were written; values of Secrets are not in it. */
export interface ReportModel {
  /** what was reported on, in words */
  readonly title: string;
  /** when and by whom, where that was asked for */
  readonly stamp?: string;
  readonly counts: Tally;
  readonly tenants: readonly TenantModel[];
  /** what all tenants share, and what belongs to none */
  readonly shared: readonly ObjectModel[];
  readonly findings: readonly Finding[];
  readonly stopped: boolean;
  readonly matrix: MatrixModel;
  readonly review?: Review;
  /** who can reach whom, in the tables that `reach` answers with */
  readonly reach?: readonly AnswerTable[];
}

export interface TenantModel {
  /** id in the page */
  readonly id: string;
  /** `namespace/name` */
  readonly key: string;
  readonly name: string;
  /** `namespace/name`, or the name alone where they are the same */
  readonly label: string;
  readonly profile: string;
  readonly level: string;
  readonly policy: string;
  readonly frozen?: string;
  readonly counts: Tally;
  /** sorted: what the tenant wrote by virtual namespace, kind and name, then what was made for it */
  readonly objects: readonly ObjectModel[];
}

/** One decision, and the objects on both sides of it. */
export interface ObjectModel {
  readonly id: string;
  readonly outcome: Outcome;
  readonly warnings: number;
  /** what it is called: the tenant's object, or the host's where the tenant wrote none */
  readonly ref: ObjectRef;
  readonly decision: Decision;
  /** unmasked: print `masked` and `maskedSource` of them only */
  readonly source?: JsonObject;
  readonly host?: HostFile;
  /** of what is not on the host, as `why-not` answers it */
  readonly near?: NearModel;
}

export interface NearModel {
  /** what someone may have meant or overlooked */
  readonly words: readonly string[];
  /** what a policy would have to list, and where that policy stands */
  readonly add?: { readonly policy: string; readonly entry: string; readonly file: string };
}

export interface ReportExtras {
  readonly stamp?: string;
  readonly review?: Review;
  readonly reach?: readonly AnswerTable[];
  /** whether each tenant has pages of its own, so that its ids depend on no other */
  readonly apart?: boolean;
}

export function reportModel(
  title: string,
  plan: Plan,
  inputs: readonly InputObject[],
  { apart = false, ...extras }: ReportExtras = {},
): ReportModel {
  const context: Context = {
    sources: new Map(inputs.map(({ object, source }) => [place(source), object])),
    near: nearOf(inputs),
    ids: { next: 1 },
  };
  const tenants = [...plan.tenants]
    .sort((a, b) => compare(tenantLabel(a), tenantLabel(b)))
    .map((tenant, index) => tenantModel(tenant, apart ? 0 : index, apart ? { ...context, ids: { next: 1 } } : context));
  const shared = objectModels(plan.decisions, plan.shared, apart ? { ...context, ids: { next: 1 } } : context);
  return {
    title,
    ...extras,
    counts: tally(decisionsOf(plan)),
    tenants,
    shared,
    findings: plan.findings,
    stopped: plan.stopped,
    matrix: matrixOf(plan),
  };
}

interface Context {
  readonly sources: ReadonlyMap<string, JsonObject>;
  readonly near: NearOf;
  readonly ids: { next: number };
}

function tenantModel(tenant: TenantPlan, index: number, context: Context): TenantModel {
  return {
    id: `t${index + 1}`,
    key: tenantId(tenant),
    name: tenant.name,
    label: tenantLabel(tenant),
    profile: tenant.profile,
    level: tenant.level,
    policy: tenant.policy,
    ...(tenant.frozen !== undefined && { frozen: tenant.frozen }),
    counts: tally(tenant.decisions),
    objects: objectModels(tenant.decisions, tenant.files, context, tenant),
  };
}

function objectModels(
  decisions: readonly Decision[],
  files: readonly HostFile[],
  { sources, near: nearOfDecision, ids }: Context,
  tenant?: TenantPlan,
): ObjectModel[] {
  const hosts = new Map(files.map((file) => [file.decision, file]));
  return decisions
    .map((decision) => ({ decision, ref: decision.source ?? decision.host ?? NOBODY, outcome: outcomeOf(decision) }))
    .sort((a, b) => compare(sortKey(a), sortKey(b)))
    .map(({ decision, ref, outcome }) => {
      const source = decision.source === undefined ? undefined : sources.get(place(decision.source.file));
      const host = hosts.get(decision);
      const near = tenant === undefined ? undefined : nearOfDecision(decision, tenant);
      return {
        id: `o${ids.next++}`,
        outcome,
        warnings: warningsOf(decision),
        ref,
        decision,
        ...(source !== undefined && { source }),
        ...(host !== undefined && { host }),
        ...(near !== undefined && { near }),
      };
    });
}

const NOBODY: ObjectRef = { apiVersion: '', kind: '', namespace: '', name: '' };

function sortKey({ decision, ref, outcome }: Pick<ObjectModel, 'decision' | 'ref' | 'outcome'>): string {
  const made = outcome === 'made' || decision.source === undefined ? '1' : '0';
  return [made, ref.namespace, ref.kind, ref.name, decision.host?.file ?? '', place(decision.source?.file)].join('\n');
}

function place(source: { readonly path: string; readonly document: number } | undefined): string {
  return source === undefined ? '' : `${source.path}\n${source.document}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
