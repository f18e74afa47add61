import { KEY } from '../identity/metadata.ts';
import { type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { type KubeObject, labelsOf, stringMap } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { PEERS } from '../translate/kinds/network-peers.ts';
import { directionsOf, type PolicyDirection } from './covered-pods.ts';
import { podTemplates, portNumbers, targetPorts } from './gateway-backends.ts';
import { compatible } from './selector-terms.ts';
import { mayAdmit, type TargetPort } from './target-ports.ts';

/** One rule and peer of a policy of the tenant's: pods that may send, or may be sent to. */
interface CallRule {
  readonly callers: JsonObject;
  readonly servers: JsonObject;
  readonly ports: readonly JsonObject[];
}

/** A tenant may write any number of rules; past so many comparisons every call counts as admitted, and nothing is said. */
export const MAX_COMPARED = 100_000;

/**
 * Of `services` those whose pods the tenant's own policies let none of its pods call, where the profile closes everything else.
 * Only what is certain is named: pods may carry more labels than a Service selects by, and names of ports may stand for any number.
 *
 * @param hostObjects the projected objects of the tenant
 */
export function servicesWithoutCallers(
  ctx: TenantContext,
  hostObjects: readonly KubeObject[],
  services: readonly KubeObject[],
): KubeObject[] {
  const leaving = rulesOf(hostObjects, 'Egress');
  const coming = ctx.profile.defaultDeny ? rulesOf(hostObjects, 'Ingress') : undefined;
  const templates = podTemplates(hostObjects);
  let compared = 0;
  return services.filter((service) => {
    const labels = stringMap(objectAt(service, 'spec', 'selector'));
    const pods: JsonObject = { matchLabels: Object.fromEntries(labels) };
    const ports = targetPorts(service);
    const numberOf = portNumbers({ service, labels, ports }, templates);
    /** Whether the rules may admit one and the same call; to a headless Service it may go to any port. */
    const meet = (...rules: readonly CallRule[]): boolean => {
      compared += 1;
      if (compared > MAX_COMPARED) return true;
      return (
        compatible(rules.map(({ callers }) => callers)) &&
        compatible([pods, ...rules.map(({ servers }) => servers)]) &&
        (ports.length === 0 || ports.some((port: TargetPort) => rules.every((rule) => mayAdmit(port, rule.ports, numberOf))))
      );
    };
    const out = leaving.filter((rule) => meet(rule));
    if (coming === undefined) return out.length === 0;
    const into = coming.filter((rule) => meet(rule));
    return !out.some((one) => into.some((other) => meet(one, other)));
  });
}

function rulesOf(hostObjects: readonly KubeObject[], direction: PolicyDirection): CallRule[] {
  const field = direction === 'Egress' ? 'egress' : 'ingress';
  return hostObjects.flatMap((policy) => {
    if (labelsOf(policy).get(KEY.kind) !== 'networkpolicy' || !directionsOf(policy).includes(direction)) return [];
    const selected = objectAt(policy, 'spec', 'podSelector') ?? {};
    return objectsOf(objectAt(policy, 'spec')?.[field]).flatMap((rule) =>
      objectsOf(rule[PEERS[field]]).flatMap((peer): CallRule[] => {
        const pods = objectAt(peer, 'podSelector');
        if (pods === undefined) return [];
        const ports = objectsOf(rule['ports']);
        return [direction === 'Egress' ? { callers: selected, servers: pods, ports } : { callers: pods, servers: selected, ports }];
      }),
    );
  });
}
