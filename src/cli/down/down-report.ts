import { shellWord } from '../../core/decision/shell-word.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { apiVersionOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { visible } from '../../report/escape.ts';
import { plural } from '../../report/text.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';
import { tellConditions } from '../up/tell-conditions.ts';
import { titleOf } from './remove.ts';
import type { Kept } from './survey.ts';

export interface DownReport {
  readonly host: string;
  readonly dryRun: boolean;
  readonly tenants: readonly KubeObject[];
  /** those whose control plane is not gone in time, or that are there again */
  readonly late: readonly KubeObject[];
  /** what was deleted, or would be, in order */
  readonly objects: readonly KubeObject[];
  readonly kept: readonly Kept[];
}

/** `down -o json` */
export function downDocument({ host, dryRun, tenants, late, objects, kept }: DownReport): JsonObject {
  const lateNames = new Set(late.map(fullName));
  return {
    apiVersion: 'report.tenantplane.io/v1alpha1',
    kind: 'DownReport',
    host,
    dryRun,
    tenants: tenants.map((tenant) => ({ tenant: fullName(tenant), gone: !dryRun && !lateNames.has(fullName(tenant)) })),
    deleted: objects.map(identity),
    kept: kept.map(({ object, why }) => ({ ...identity(object), why })),
  };
}

function identity(object: KubeObject): JsonObject {
  return { apiVersion: apiVersionOf(object), kind: kindOf(object), namespace: namespaceOf(object) ?? null, name: nameOf(object) };
}

/** What would go, in order, and what would stay. */
export function previewText({ tenants, objects, kept }: DownReport): string {
  const lines = [
    ...tenants.map((tenant) => `- ${titleOf(tenant)}, and its control plane`),
    ...objects.map((object) => `- ${titleOf(object)}`),
    ...keptLines(kept),
    `${plural(tenants.length + objects.length, 'object')} would be deleted, with all that is in a Namespace or belongs to one of them; ${kept.length} kept.`,
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

export function keptLines(kept: readonly Kept[]): readonly string[] {
  return kept.map(
    ({ object, why }) =>
      `= ${titleOf(object)} stays: it ${why}; kubectl delete ${shellWord(`namespace/${nameOf(object)}`)} deletes it with all that`,
  );
}

export function madeAnew(tenants: readonly KubeObject[]): string {
  return [
    `made while down ran: ${tenants.map(fullName).join(', ')}\n`,
    'What is theirs stays, and what tenants share. Take them out of what applies them, a GitOps tool or a pipeline, and call down again.\n',
  ].join('');
}

/** @param timeout in milliseconds */
export function notGone(late: readonly KubeObject[], timeout: number): string {
  const lines = [
    `not gone after ${timeout / 1000} s: ${late.map(fullName).join(', ')}`,
    ...late.flatMap((tenant) => [fullName(tenant), ...tellConditions(tenant)]),
    'They are being deleted: call down again to go on waiting. docs/troubleshooting.md tells more of each condition and reason.',
  ];
  return `${lines.join('\n')}\n`;
}
