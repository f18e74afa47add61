import { KEY, MANAGED_BY } from '../../src/core/identity/metadata.ts';
import { every, list, text } from '../../src/core/isolation/admission/cel.ts';

/** CEL of what the reconciler's account may write. Fields that are not there are empty; errors refuse. */

/** All of two objects but these fields, whatever fields there are to come. */
export function sameBut(fields: readonly string[], path = ''): string {
  const within = (one: string, other: string): string =>
    `dyn(${one}${path}).all(k, k in ${list(fields)} || (k in dyn(${other}${path}) && dyn(${one}${path})[k] == dyn(${other}${path})[k]))`;
  return every([within('object', 'oldObject'), within('oldObject', 'object')]);
}

/** What others may have put there, and stays. @param field an optional one of `object` */
export function asItWas(field: string, none: string): string {
  const before = `${field.replace(/^object/, 'oldObject')}.orValue(${none})`;
  return `${field}.orValue(${none}) == (request.operation == 'UPDATE' ? ${before} : ${none})`;
}

export function inNamespaceOf(roles: readonly string[]): string {
  return `namespaceObject.metadata.?labels[?${text(KEY.role)}].orValue('') in ${list(roles)}`;
}

export function named(names: readonly string[]): string {
  return `object.metadata.name in ${list(names)}`;
}

export function labelOf(object: 'object' | 'oldObject', key: string): string {
  return `${object}.metadata.?labels[?${text(key)}].orValue('')`;
}

/** An object of one tenant's, and of no other one's after the change. */
export const SAME_TENANT: string = every([
  `${labelOf('object', KEY.managedBy)} == ${text(MANAGED_BY)}`,
  `${labelOf('oldObject', KEY.managedBy)} == ${text(MANAGED_BY)}`,
  `${tenantOf('oldObject')} != ''`,
  `${tenantOf('object')} == ${tenantOf('oldObject')}`,
]);

function tenantOf(object: 'object' | 'oldObject'): string {
  return `${object}.metadata.?annotations[?${text(KEY.tenantCluster)}].orValue('')`;
}

export function whereDeleted(expression: string): string {
  return `request.operation == 'DELETE' || (${expression})`;
}

/** Of all containers of a StatefulSet's pods. */
export function containers(condition: string): string {
  return every(['containers', 'initContainers'].map((field) => `object.spec.template.spec.?${field}.orValue([]).all(c, ${condition})`));
}
