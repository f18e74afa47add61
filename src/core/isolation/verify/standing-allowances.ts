import { KEY } from '../../identity/metadata.ts';
import { asArray, type JsonObject, objectAt, objectsOf, stringAt } from '../../kube/json.ts';
import { type KubeObject, kindOf, nameOf, stringMap } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { OWN_PREFIX } from '../compiled-object.ts';
import { MAX_TERMS } from '../complement.ts';
import { podsWithoutPolicy } from '../covered-pods.ts';
import { type GatewayAllowance, gatewayAccess } from '../gateway-allowances.ts';
import { type Backend, ingressBackends } from '../gateway-backends.ts';
import { FROM_GATEWAY } from '../network-policies.ts';
import { termsOf, textOf } from '../selector-terms.ts';
import type { TargetPort } from '../target-ports.ts';

/**
 * What gateways may call. Where policies of the tenant's speak of calls to its pods, which of their rules are for everyone only its own
 * input says: of the pods that these select it is what stands there, as far as an Ingress leads to it. Pods that none of them selects
 * gateways may call whatever the input says.
 *
 * @param around the tenant's own Ingresses, Services and policies @param policies all that stand in its namespace
 */
export function standingAllowances(
  ctx: TenantContext,
  around: readonly KubeObject[],
  policies: readonly KubeObject[],
): readonly GatewayAllowance[] {
  const pods = podsWithoutPolicy(around, 'Ingress');
  // without the tenant's input no rule is for everyone here
  const certain = gatewayAccess(ctx, around, pods).allowances;
  if (pods.all) return certain;
  const backends = ingressBackends(around);
  const standing = policies
    .filter((policy) => nameOf(policy).startsWith(OWN_PREFIX + FROM_GATEWAY))
    .map(allowanceOf)
    .filter((allowance) => backends.some((backend) => leadsTo(backend, allowance)));
  // with so many the render may have given up on the Service
  if (certain.length + rulesForEveryone(around) > MAX_TERMS) return standing;
  const missing = certain.filter((allowance) => !standing.some((other) => covers(other, allowance)));
  return [
    ...missing.map((allowance) =>
      withPorts(
        allowance,
        standing.filter((other) => sameSelector(other, allowance)).flatMap(({ ports }) => ports),
      ),
    ),
    ...standing.filter((allowance) => !missing.some((other) => sameSelector(other, allowance))),
  ];
}

function allowanceOf(policy: KubeObject): GatewayAllowance {
  const ports = objectsOf(objectsOf(objectAt(policy, 'spec')?.['ingress'])[0]?.['ports']);
  return { selector: objectAt(policy, 'spec', 'podSelector') ?? {}, ports: ports.flatMap(targetPort) };
}

function targetPort(entry: JsonObject): TargetPort[] {
  const port = entry['port'];
  return typeof port === 'string' || typeof port === 'number' ? [{ protocol: stringAt(entry, 'protocol') ?? 'TCP', port }] : [];
}

/** Pods behind that Service, on its ports; a name that a policy of the tenant's gave a port, pods resolve. */
function leadsTo({ labels, ports }: Backend, allowance: GatewayAllowance): boolean {
  const selected = stringMap(objectAt(allowance.selector, 'matchLabels'));
  return (
    [...labels].every(([key, value]) => selected.get(key) === value) &&
    allowance.ports.length > 0 &&
    allowance.ports.every(({ protocol, port }) =>
      ports.some((known) => known.protocol === protocol && (known.port === port || typeof port === 'string')),
    )
  );
}

/** At most: on the host a rule for everyone is one for all pods of the tenant. */
function rulesForEveryone(around: readonly KubeObject[]): number {
  const forAll = (peer: JsonObject): boolean => {
    const selector = objectAt(peer, 'podSelector');
    const keys = Object.keys(objectAt(selector, 'matchLabels') ?? {});
    return keys.every((key) => key === KEY.tenant) && (asArray(selector?.['matchExpressions']) ?? []).length === 0;
  };
  return around
    .filter((object) => kindOf(object) === 'NetworkPolicy')
    .flatMap((policy) => objectsOf(objectAt(policy, 'spec')?.['ingress']))
    .filter((rule) => rule['from'] === undefined || objectsOf(rule['from']).some(forAll)).length;
}

/** Whether the one admits whatever the other does. */
function covers(wide: GatewayAllowance, narrow: GatewayAllowance): boolean {
  const both = termsOf({ matchExpressions: [...expressions(wide.selector), ...expressions(narrow.selector)] });
  const alone = termsOf(narrow.selector);
  return (
    both !== undefined && alone !== undefined && textOf(both) === textOf(alone) && narrow.ports.every((port) => hasPort(wide.ports, port))
  );
}

function sameSelector(a: GatewayAllowance, b: GatewayAllowance): boolean {
  const [one, other] = [termsOf(a.selector), termsOf(b.selector)];
  return one !== undefined && other !== undefined && textOf(one) === textOf(other);
}

function withPorts({ selector, ports }: GatewayAllowance, more: readonly TargetPort[]): GatewayAllowance {
  return { selector, ports: [...ports, ...more.filter((port) => !hasPort(ports, port))] };
}

function hasPort(ports: readonly TargetPort[], { protocol, port }: TargetPort): boolean {
  return ports.some((other) => other.protocol === protocol && other.port === port);
}

function expressions(selector: JsonObject): JsonObject[] {
  return [
    ...[...stringMap(objectAt(selector, 'matchLabels'))].map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...objectsOf(selector['matchExpressions']),
  ];
}
