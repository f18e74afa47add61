import type { PolicyDirection } from '../isolation/covered-pods.ts';
import { mayAdmit } from '../isolation/target-ports.ts';
import type { JsonObject } from '../kube/json.ts';
import { type AddressSet, common, minus, NO_ADDRESS, union } from './address-set.ts';
import { type CallPort, type Endpoint, type PodEnd, portsNamed } from './endpoint.ts';
import type { Policy, Rule } from './read-policy.ts';
import { all, any, type Sure } from './selects.ts';

/**
 * What the policies of one end say. `NotSelected`: no policy isolates it, so everything passes. `Undecidable`: it depends on a
 * fact that is not in the package.
 */
export type Verdict = 'Admits' | 'DoesNotAdmit' | 'NotSelected' | 'Undecidable';

/** The fact that is missing. */
export type Missing = 'labels' | 'address' | 'part' | 'port' | 'hostNetwork' | 'otherPolicies';

export interface RuleRef {
  readonly policy: Policy;
  readonly rule: Rule;
}

/** One end of a call: may it leave, or may it come in? */
export interface Judgement {
  readonly direction: PolicyDirection;
  readonly verdict: Verdict;
  /** policies that select the end in this direction, or may */
  readonly selecting: readonly Policy[];
  /** rules that admit the call; where it is undecidable, rules that may */
  readonly by: readonly RuleRef[];
  readonly missing?: Missing;
  /** of addresses that are all meant, those that are admitted, where these are only a part */
  readonly part?: AddressSet;
}

/**
 * What the policies of `subject` say of a call with `other`. They only add up: a pod that none selects takes everything, and one
 * that some do takes what any of their rules admits (networking/v1, NetworkPolicySpec).
 *
 * @param policies those of the subject's namespace
 */
export function judge(
  policies: readonly Policy[],
  direction: PolicyDirection,
  { subject, other, port }: { readonly subject: PodEnd; readonly other: Endpoint; readonly port: CallPort },
): Judgement {
  const found = (verdict: Verdict, more: Partial<Judgement> = {}): Judgement => ({ direction, verdict, selecting: [], by: [], ...more });
  const server = direction === 'Egress' ? other : subject;
  const selecting: Policy[] = [];
  const sure: RuleRef[] = [];
  const unsure: (RuleRef & { readonly missing: Missing })[] = [];
  const blocks: (RuleRef & { readonly open: AddressSet })[] = [];
  let isolated: Sure = 'no';
  for (const policy of policies) {
    const rules = policy.rules[direction];
    const selects = rules === undefined ? 'no' : policy.selects(subject);
    if (rules === undefined || selects === 'no') continue;
    isolated = any([isolated, selects]);
    selecting.push(policy);
    for (const rule of rules) {
      const onPort = portFits(rule.ports, port, server);
      if (onPort === 'no') continue;
      const open = rule.peers === undefined ? NO_ADDRESS : openTo(rule, other);
      const fits = all(selects, onPort, peerFits(rule, other));
      if (fits === 'yes') sure.push({ policy, rule });
      else if (open.length > 0 && selects === 'yes' && onPort === 'yes') blocks.push({ policy, rule, open });
      if (fits === 'maybe') unsure.push({ policy, rule, missing: onPort === 'maybe' ? 'port' : 'labels' });
      else if (open.length > 0 && (selects === 'maybe' || onPort === 'maybe'))
        unsure.push({ policy, rule, missing: onPort === 'maybe' ? 'port' : 'labels' });
    }
  }
  if (subject.hostNetwork && isolated !== 'no') return found('Undecidable', { selecting, missing: 'hostNetwork' });
  if (isolated === 'no') return subject.rendered ? found('NotSelected') : found('Undecidable', { missing: 'otherPolicies' });
  if (isolated === 'maybe') return found('Undecidable', { selecting, by: sure, missing: 'labels' });
  if (sure.length > 0) return found('Admits', { selecting, by: sure });
  const admitted = union(...blocks.map(({ open }) => open));
  if (admitted.length > 0 && minus(other.addresses, admitted).length === 0) return found('Admits', { selecting, by: blocks });
  const [first] = unsure;
  if (first !== undefined) return found('Undecidable', { selecting, by: unsure, missing: first.missing });
  if (admitted.length === 0) return found('DoesNotAdmit', { selecting });
  const whole = other.is === 'addresses' && other.meant === 'all';
  return found('Undecidable', { selecting, by: blocks, ...(whole ? { missing: 'part', part: admitted } : { missing: 'address' }) });
}

/** By everyone or by labels; addresses are looked at apart, since several rules may admit a part each. */
function peerFits(rule: Rule, other: Endpoint): Sure {
  if (rule.peers === undefined) return 'yes';
  if (other.is !== 'pod') return 'no';
  const fits = any(rule.peers.map((peer) => ('block' in peer ? 'no' : peer.pods(other))));
  // Packets of a pod on the node's network carry the node's address; some plugins know the pod by it, most do not.
  return other.hostNetwork && fits === 'yes' ? 'maybe' : fits;
}

function openTo(rule: Rule, other: Endpoint): AddressSet {
  const blocks = (rule.peers ?? []).flatMap((peer) => ('block' in peer ? [peer.block] : []));
  return blocks.length === 0 ? NO_ADDRESS : common(other.addresses, union(...blocks));
}

export function portFits(ports: readonly JsonObject[], { protocol, port }: CallPort, server: Endpoint): Sure {
  if (ports.length === 0) return 'yes';
  if (protocol === undefined || port === undefined) return 'maybe';
  const fits = ports.some((entry) => {
    const name = entry['port'];
    if (typeof name !== 'string') return mayAdmit({ protocol, port }, [entry], () => undefined);
    return (entry['protocol'] ?? 'TCP') === protocol && portsNamed(server, name, protocol).includes(port);
  });
  return fits ? 'yes' : 'no';
}
