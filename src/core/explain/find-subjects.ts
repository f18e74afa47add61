import type { Decision, ObjectRef } from '../decision/decision.ts';
import { isOrMeansKind } from '../kube/misnamed-kind.ts';
import type { HostFile, Plan, TenantPlan } from '../plan/plan-types.ts';

/** What an answer is asked for: everything that was said has to fit. */
export interface Question {
  /** `Deployment.apps` */
  readonly kind?: string;
  readonly name?: string;
  /** of the host, or else the tenant's own */
  readonly namespace?: string;
  /** the tenant's own, and so no name of the host */
  readonly virtualNamespace?: string;
  /** `team-dev/dev` */
  readonly tenant?: string;
  /** relative to `host/` */
  readonly hostFile?: string;
  /** relative to the package */
  readonly sourceFile?: string;
}

/** One decision that a question is about, and what goes with it. */
export interface Found {
  readonly decision: Decision;
  readonly tenant?: TenantPlan;
  readonly file?: HostFile;
}

/** The decisions that a question is about, by their host object or else by the tenant's. */
export function findSubjects(plan: Plan, question: Question): readonly Found[] {
  const all = everything(plan).filter(
    ({ decision: { tenant } }) => question.tenant === undefined || `${tenant.namespace}/${tenant.name}` === question.tenant,
  );
  const { hostFile } = question;
  if (hostFile !== undefined) return all.filter(({ decision }) => decision.host?.file === hostFile || isStopped(decision, hostFile));
  if (question.sourceFile !== undefined) return all.filter(({ decision }) => decision.source?.file.path === question.sourceFile);
  const onHost = question.virtualNamespace === undefined ? all.filter(({ decision }) => isHost(decision.host, question)) : [];
  const own = all.filter(({ decision }) => isSource(decision.source, question));
  // a name that says neither means all that have it: a Deployment and the short name of its Service are called alike
  if (question.namespace === undefined && (question.tenant === undefined || question.kind === undefined)) {
    const either = new Set([...onHost, ...own]);
    return all.filter((found) => either.has(found));
  }
  // who names a tenant means an object of the tenant's, unless it says where on the host
  const [first, second] = question.tenant !== undefined && question.namespace === undefined ? [own, onHost] : [onHost, own];
  return first.length > 0 ? first : second;
}

/** Whether another's file in that place keeps an object of ours off the host. */
function isStopped({ reason, params }: Decision, hostFile: string): boolean {
  return reason === 'HostObjectForeign' && params['file'] === `host/${hostFile}`;
}

/** Each decision of a plan once. */
export function everything(plan: Plan): readonly Found[] {
  const own = plan.tenants.flatMap((tenant) => {
    const files = new Map(tenant.files.map((file) => [file.decision, file]));
    return tenant.decisions.map((decision) => found(decision, files.get(decision), tenant));
  });
  const shared = new Map(plan.shared.map((file) => [file.decision, file]));
  const told = new Set(plan.decisions);
  const others = plan.shared.filter((file) => !told.has(file.decision)).map((file) => found(file.decision, file));
  return [...own, ...plan.decisions.map((decision) => found(decision, shared.get(decision))), ...others];
}

function found(decision: Decision, file?: HostFile, tenant?: TenantPlan): Found {
  return { decision, ...(file !== undefined && { file }), ...(tenant !== undefined && { tenant }) };
}

function isHost(ref: ObjectRef | undefined, question: Question): boolean {
  // as kubectl does, which takes -n for what has no namespace too
  const { namespace } = question;
  return isObject(ref, question) && (namespace === undefined || ref?.namespace === '' || ref?.namespace === namespace);
}

function isSource(ref: ObjectRef | undefined, question: Question): boolean {
  const namespace = question.virtualNamespace ?? question.namespace;
  return isObject(ref, question) && (namespace === undefined || ref?.namespace === '' || ref?.namespace === namespace);
}

function isObject(ref: ObjectRef | undefined, { kind, name }: Question): boolean {
  if (ref === undefined || (name !== undefined && ref.name !== name)) return false;
  return kind === undefined || isOrMeansKind(ref.apiVersion, ref.kind, kind);
}
