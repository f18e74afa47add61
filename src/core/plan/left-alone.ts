import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { kindOf } from '../kube/object.ts';
import { type Assignment, annotatedTenant, isPlatforms, isRendered } from './assign.ts';
import type { InputObject } from './plan-types.ts';
import { compare, sourceRef } from './subjects.ts';

/** Inputs that no tenant owns, one decision each. */
export function leftAlone(assignment: Assignment, more: readonly InputObject[]): Decision[] {
  const platform = assignment.platform.map((input) => {
    if (kindOf(input.object) === '') return skip(input, 'NotAnObject');
    const says = !isRendered(input.object) && annotatedTenant(input.object) !== undefined;
    return skip(input, says ? 'NoTenant' : 'PlatformObject');
  });
  const orphans = assignment.orphans.map((input) => skip(input, 'NoTenant'));
  return inSourceOrder([...orphans, ...platform, ...more.map((input) => skip(input, 'PlatformObject'))]);
}

/** Why an object is left alone that nothing but its folder makes the platform's. */
export const LOST = 'folder';

function skip(input: InputObject, reason: 'NoTenant' | 'PlatformObject' | 'NotAnObject'): Decision {
  const source = sourceRef(input);
  const text = `${source.kind} ${source.namespace === '' ? '' : `${source.namespace}/`}${source.name}`.trim();
  return decide({
    tenant: { namespace: '', name: '' },
    source,
    flow: 'None',
    action: 'Skip',
    reason,
    params: { kind: source.kind, source: reason === 'NoTenant' ? text : source.name, why: 'it has no apiVersion and kind' },
    // by folder alone, it may as well be lost
    causes: [isPlatforms(input.object) ? 'kind' : LOST],
  });
}

/** Objects of a tenant that cannot be planned still have a decision each. */
export function heldDecisions(
  tenant: { readonly name: string; readonly namespace: string; readonly frozen: string },
  inputs: readonly InputObject[],
): Decision[] {
  const { namespace, name } = tenant;
  const params = { tenant: `${namespace}/${name}`, why: tenant.frozen };
  return inSourceOrder(
    inputs.map((input) =>
      decide({
        tenant: { namespace, name },
        source: sourceRef(input),
        flow: 'None',
        action: 'Skip',
        reason: 'TenantFrozen',
        params,
        causes: [`TenantCluster/${name}`],
      }),
    ),
  );
}

function inSourceOrder(decisions: Decision[]): Decision[] {
  const key = ({ source }: Decision): string =>
    source === undefined ? '' : `${source.file.path}|${String(source.file.document).padStart(6, '0')}`;
  return decisions.sort((a, b) => compare(key(a), key(b)));
}
