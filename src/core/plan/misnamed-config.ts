import { checkConfig } from '../../schema/check-config.ts';
import { GROUP, isConfigKind } from '../../schema/config-kinds.ts';
import { nearest } from '../../schema/nearest.ts';
import { finding } from '../decision/finding.ts';
import { apiVersionOf, groupOf, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { type Assignment, isHostFacts } from './assign.ts';
import type { Finding, InputObject } from './plan-types.ts';

/**
 * Configuration that cannot be told whose it is: a kind or group that is misspelt, or no name. Passed over, a tenant would
 * seem to be gone, and its tree would be removed. So these stop everything, as a file that does not parse does.
 */
export function misnamedConfig(assignment: Assignment): Finding[] {
  const { tenantClusters, profiles, policies, platform } = assignment;
  return [
    ...platform.flatMap(misspelt),
    ...[...profiles, ...policies].filter(({ object }) => nameOf(object) === '').map((input) => unnamed(input, 'name')),
    ...tenantClusters.flatMap((input) => {
      if (nameOf(input.object) === '') return [unnamed(input, 'name')];
      return (namespaceOf(input.object) ?? '') === '' ? [unnamed(input, 'namespace')] : [];
    }),
  ];
}

function misspelt(input: InputObject): Finding[] {
  const { object, source } = input;
  const kind = kindOf(object);
  const group = groupOf(apiVersionOf(object));
  if (group === GROUP && !isConfigKind(kind)) {
    return checkConfig(object).problems.map(({ message, remedy, pointer }) =>
      finding('InputInvalid', { problem: message, fix: remedy }, source, { pointer }),
    );
  }
  if (group === GROUP || isHostFacts(object) || !isConfigKind(kind) || nearest(group, [GROUP]) === undefined) return [];
  const problem = `apiVersion of ${kind} is ${JSON.stringify(apiVersionOf(object))}, which is not of ${GROUP}.`;
  return [finding('InputInvalid', { problem, fix: `Did you mean ${GROUP}?` }, source, { pointer: '/apiVersion' })];
}

function unnamed({ object, source }: InputObject, field: 'name' | 'namespace'): Finding {
  const problem =
    field === 'name'
      ? `${kindOf(object)} has no metadata.name, or one that is no string, so nothing can refer to it.`
      : `TenantCluster ${nameOf(object)} has no metadata.namespace, so it has no place on the host.`;
  return finding('InputInvalid', { problem, fix: `Set metadata.${field}.` }, source, { pointer: `/metadata/${field}` });
}
