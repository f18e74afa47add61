import { entryFor } from '../checks/scope-checks.ts';
import type { Decision } from '../decision/decision.ts';
import { customTranslation } from '../translate/kinds/custom.ts';
import { KIND_TRANSLATIONS } from '../translate/kinds/table.ts';
import type { KindTranslation } from '../translate/translation.ts';
import { WORKLOAD_TRANSLATIONS } from '../translate/workloads/table.ts';
import { createContext } from './context.ts';
import type { InputObject } from './plan-types.ts';
import { type Gate, gate, isSound, type Projection, project } from './project.ts';
import { resolveReferences } from './resolve-references.ts';
import type { HostFacts, PolicyEntry, PolicySettings, ProfileSettings, TenantSettings } from './settings.ts';
import { toSubjects } from './subjects.ts';
import type { Subject, TenantContext } from './tenant-context.ts';

/** One tenant with its objects translated; what only the fleet can know (names, hosts) is still to come. */
export interface TenantDraft {
  readonly ctx: TenantContext;
  readonly projections: readonly Projection[];
  /** of inputs that are no subjects */
  readonly decisions: readonly Decision[];
}

const TRANSLATIONS: ReadonlyMap<string, KindTranslation> = new Map(
  [...KIND_TRANSLATIONS, ...WORKLOAD_TRANSLATIONS].map((row) => [row.key, row]),
);

export function draftTenant(
  tenant: TenantSettings,
  profile: ProfileSettings,
  policy: PolicySettings,
  host: HostFacts,
  inputs: readonly InputObject[],
): TenantDraft {
  const { subjects, decisions } = toSubjects({ namespace: tenant.namespace, name: tenant.name }, inputs);
  const gates = new Map<Subject, Gate>(subjects.map((subject) => [subject, gate(subject, { policy, tenant, profile })]));
  const refused = new Set<Subject>();
  const ctx: TenantContext = createContext({
    tenant,
    profile,
    policy,
    host,
    subjects,
    covered: (subject) => gates.get(subject)?.refusals.length === 0 && !refused.has(subject),
    sound: (subject) => isSound(subject, ctx, translationOf(subject)),
  });
  const custom = new Map<PolicyEntry, KindTranslation>();
  const translationOf = (subject: Subject): KindTranslation | undefined => {
    const known = TRANSLATIONS.get(subject.key);
    const entry = known !== undefined || subject.row.versions.length > 0 ? undefined : entryFor(ctx, subject);
    if (entry === undefined) return known;
    const made = custom.get(entry) ?? customTranslation(entry);
    custom.set(entry, made);
    return made;
  };
  const projected = new Map<Subject, Projection>();
  for (const subject of decidingFirst(subjects)) {
    const projection = project(subject, ctx, gates.get(subject) ?? gate(subject, ctx), translationOf(subject));
    if (projection.refusals.length > 0) refused.add(subject);
    projected.set(subject, projection);
  }
  const projections = subjects.flatMap((subject) => projected.get(subject) ?? []);
  return { ctx, projections: resolveReferences(projections, ctx), decisions };
}

/**
 * Autoscalers come first: a workload is rendered without replicas only under one that is really projected. Budgets come last:
 * they count the pods of workloads that are.
 */
const TURNS: Readonly<Record<string, number>> = { 'HorizontalPodAutoscaler.autoscaling': 0, 'PodDisruptionBudget.policy': 2 };

function decidingFirst(subjects: readonly Subject[]): readonly Subject[] {
  const turn = ({ key }: Subject): number => TURNS[key] ?? 1;
  return [...subjects].sort((a, b) => turn(a) - turn(b));
}
