import { KEY } from '../identity/metadata.ts';
import { at, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { meansEveryone } from '../translate/kinds/network-peers.ts';
import { MAX_TERMS } from './complement.ts';
import { type AllowedPods, directionsOf } from './covered-pods.ts';
import { type Backend, ingressBackends, podTemplates, portNumbers } from './gateway-backends.ts';
import { byText, narrowed, share, type Terms, termsOf } from './selector-terms.ts';
import { admittedPorts, type TargetPort } from './target-ports.ts';

/** Pods that the gateways may call, with the ports of them. */
export interface GatewayAllowance {
  readonly selector: JsonObject;
  readonly ports: readonly TargetPort[];
}

export interface GatewayAccess {
  readonly allowances: readonly GatewayAllowance[];
  /** Services behind an Ingress of which the gateways reach no pod, and why */
  readonly shut: readonly { readonly service: KubeObject; readonly why: string }[];
}

/**
 * What gateways may call: the pods behind the tenant's Ingresses, on the ports that these lead to. Of those, as in Kubernetes, the
 * pods that no policy of the tenant's selects, and the pods and ports of which one of its policies admits everyone. A gateway is
 * never a peer in a policy of the tenant's own: there it could call all pods that the policy selects.
 *
 * @param unselected the pods that no policy of the tenant's selects for ingress
 */
export function gatewayAccess(ctx: TenantContext, hostObjects: readonly KubeObject[], unselected: AllowedPods): GatewayAccess {
  const free = unselected.selectors.flatMap((selector) => termsOf(selector) ?? []);
  const open = openRules(ctx, hostObjects);
  const templates = podTemplates(hostObjects);
  const allowances = new Map<string, { selector: JsonObject; ports: Map<string, TargetPort> }>();
  const shut: { service: KubeObject; why: string }[] = [];
  for (const backend of ingressBackends(hostObjects)) {
    const found = accessTo(backend, free, open, portNumbers(backend, templates));
    if (found.length === 0) shut.push({ service: backend.service, why: NONE_ADMITS });
    if (found.length > MAX_TERMS) shut.push({ service: backend.service, why: TOO_MANY });
    if (found.length > MAX_TERMS) continue;
    for (const { selector, ports } of found) {
      const key = JSON.stringify(selector);
      const allowance = allowances.get(key) ?? { selector, ports: new Map<string, TargetPort>() };
      for (const port of ports) allowance.ports.set(JSON.stringify([port.protocol, String(port.port)]), port);
      allowances.set(key, allowance);
    }
  }
  return {
    allowances: [...allowances].sort(byText).map(([, { selector, ports }]) => ({
      selector,
      ports: [...ports].sort(byText).map(([, port]) => port),
    })),
    shut,
  };
}

const NONE_ADMITS = 'NetworkPolicies select its pods, and none is known to admit everyone to the port that the Ingress leads to';
const TOO_MANY = `which of its pods NetworkPolicies leave open takes more than ${MAX_TERMS} selectors to say`;

/** A rule of the tenant's for everyone, with the pods that its policy selects on the host. */
interface OpenRule {
  readonly pods: Terms;
  readonly ports: readonly JsonObject[];
}

/** Whether a rule is for everyone stands in the tenant's own object: on the host its peers are the tenant's pods. */
function openRules(ctx: TenantContext, hostObjects: readonly KubeObject[]): OpenRule[] {
  const rules = new Map<string, OpenRule>();
  for (const policy of hostObjects) {
    if (kindOf(policy) !== 'NetworkPolicy' || !directionsOf(policy).includes('Ingress')) continue;
    const annotations = annotationsOf(policy);
    const [namespace, name] = [annotations.get(KEY.virtualNamespace), annotations.get(KEY.virtualName)];
    if (namespace === undefined || name === undefined) continue;
    const selector = objectAt(policy, 'spec', 'podSelector') ?? {};
    const pods = termsOf(selector);
    if (pods === undefined) continue;
    const stated = ctx.find('NetworkPolicy.networking.k8s.io', namespace, name)?.object;
    for (const rule of objectsOf(at(stated, 'spec', 'ingress'))) {
      if (!meansEveryone(rule, 'ingress')) continue;
      const ports = objectsOf(rule['ports']);
      rules.set(JSON.stringify([selector, ports]), { pods, ports });
    }
  }
  return [...rules.values()];
}

/** More than the limit where there are too many, and then not all. What covers every pod and port stands alone. */
function accessTo(
  backend: Backend,
  free: readonly Terms[],
  open: readonly OpenRule[],
  numberOf: (name: string, protocol: string) => number | undefined,
): readonly GatewayAllowance[] {
  const found: GatewayAllowance[] = [];
  for (const { pods, ports } of [...free.map((pods) => ({ pods, ports: [] })), ...open]) {
    const part = share(backend.labels, pods);
    // A tenant may write any number of rules; once there are too many, only one for all pods still matters.
    if (part === 'none' || (part === 'some' && found.length > MAX_TERMS)) continue;
    const admitted = admittedPorts(backend.ports, ports, numberOf);
    if (admitted.length === 0) continue;
    const whole = part === 'all' && backend.ports.every((port) => admitted.includes(port));
    if (whole) return [{ selector: narrowed(backend.labels, pods), ports: admitted }];
    if (found.length <= MAX_TERMS) found.push({ selector: narrowed(backend.labels, pods), ports: admitted });
  }
  return found;
}
