import type { Finding, InputObject, Plan, PreviousObject, RenderConfig } from '../plan/plan-types.ts';

/** What one plan was made from, for a review. */
export interface PlanInput {
  /** as it was asked for: a git ref, a folder, `--set …` */
  readonly label: string;
  readonly commit?: string;
  readonly inputs: readonly InputObject[];
  /** what could not be read, as the plan was told */
  readonly unreadable?: readonly Finding[];
  readonly config: RenderConfig;
  /** the rendered tree as it stood before this plan: what frozen tenants keep of it stands on */
  readonly tree?: readonly PreviousObject[];
}

/** Both sides of a review. */
export interface Sides<T> {
  readonly before: T;
  readonly after: T;
}

/** `namespace/name` of a tenant. */
export function tenantId({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** The tenants of a plan by `namespace/name`. */
export function tenantsOf(plan: Plan): ReadonlyMap<string, Plan['tenants'][number]> {
  return new Map(plan.tenants.map((tenant) => [tenantId(tenant), tenant]));
}
