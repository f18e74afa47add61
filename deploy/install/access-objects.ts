import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { ACCESS_ROWS, type AccessRow } from './access-rows.ts';
import { LABELS } from './labels.ts';

const GROUP = 'rbac.authorization.k8s.io';
export const CONTROLLER_ROLE: string = `${RECONCILER.name}-isolation`;

/** A role as YAML, where each rule has its reason above it. */
export function roleText(kind: 'ClusterRole' | 'Role', where: AccessRow['where']): string {
  const head = emitYaml({ apiVersion: `${GROUP}/v1`, kind, metadata: metadata(kind, roleName(where)) });
  const rules = ACCESS_ROWS.filter((row) => row.where === where).map((row) => {
    const rule = emitYaml({ rules: [ruleOf(row)] });
    return `# ${row.why}\n${rule.slice(rule.indexOf('\n') + 1)}`;
  });
  return `${head}rules:\n${rules.join('')}`;
}

export function bindingOf(kind: 'ClusterRole' | 'Role', where: AccessRow['where']): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: `${kind}Binding`,
    metadata: metadata(kind, roleName(where)),
    roleRef: { apiGroup: GROUP, kind, name: roleName(where) },
    subjects: [{ kind: 'ServiceAccount', ...RECONCILER }],
  };
}

function roleName(where: AccessRow['where']): string {
  return where === 'controller' ? CONTROLLER_ROLE : RECONCILER.name;
}

function metadata(kind: 'ClusterRole' | 'Role', name: string): JsonObject {
  return { name, ...(kind === 'Role' ? { namespace: RECONCILER.namespace } : {}), labels: { ...LABELS } };
}

function ruleOf({ group, resources, names, verbs }: AccessRow): JsonObject {
  return {
    apiGroups: [group],
    resources: [...resources],
    ...(names === undefined ? {} : { resourceNames: [...names] }),
    verbs: [...verbs],
  };
}
