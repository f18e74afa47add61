import type { ISOLATION_REASONS } from '../../core/decision/registry/isolation-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules of TP3001 to TP3039 exist. One row for each reason; append only, like the registry. */
export const ISOLATION_WHYS: WhysOf<typeof ISOLATION_REASONS> = {
  IsolationObjectCompiled: [
    'isolation',
    'A profile is only words until an object on the host enforces it; this names which object enforces which control.',
  ],
  RuntimeClassForced: [
    'isolation',
    'The profile decides what stands between a container and the kernel, and a class of the host brings node selectors and tolerations along.',
  ],
  PodSecurityViolation: [
    'isolation',
    'The namespace on the host enforces the same level of the Pod Security Standards, so every such pod would be refused there, after the merge.',
  ],
  HostPathBlocked: ['threat-model', 'A hostPath mounts a folder of the node, and with it files of the kubelet and of other tenants’ pods.'],
  PrivilegedBlocked: [
    'threat-model',
    'A privileged container has the rights of root on its node, and so all that other tenants run there.',
  ],
  RequestsMissing: [
    'isolation',
    'A quota counts requests, so a pod without them would be refused; the LimitRange fills them in, and the numbers are not the tenant’s choice.',
  ],
  QuotaWouldBeExceeded: [
    'isolation',
    'The ResourceQuota refuses pods one by one as they are made, so part of the workload would run and the rest wait with an event on a ReplicaSet.',
  ],
  EgressDenied: ['isolation', 'A call that no NetworkPolicy admits ends in a timeout, which tells nobody why.'],
  ProfileMissing: ['errors', 'No level is a safe guess, so nothing of the tenant changes until its profile is there.'],
  ControlBelowLevel: ['isolation', 'The level is what people read, and one control below it makes the word promise more than holds.'],
  BackstopUnavailable: [
    'threat-model',
    'On such a host only the render checks it, so an object that reaches the namespace by another way passes by the control.',
  ],
  NotEnforced: ['isolation', 'A setting that nothing enforces is worse than none where somebody relies on it.'],
  HostNamespaceBlocked: [
    'threat-model',
    'A pod in the node’s network, process or IPC namespace sees what the node and its other pods do there, past every NetworkPolicy.',
  ],
  HostPortBlocked: [
    'threat-model',
    'A host port takes an address of the node that other tenants and the host’s own agents may need or trust.',
  ],
  NodeNamePinned: ['threat-model', 'A pod with a nodeName never meets the scheduler, so neither taints nor node pools hold it back.'],
  ProjectedTokenBlocked: [
    'secrets',
    'On the host the kubelet would ask the host’s API for it, so the pod would hold a credential of the host.',
  ],
  VolumeTypeBlocked: [
    'isolation',
    'Most types of volume reach the node or a network storage with the host’s rights; only those that were looked at pass.',
  ],
  ProbeHostBlocked: [
    'threat-model',
    'Probes and hooks are called by the kubelet from the node’s own network, so a tenant could call from there what its pods cannot reach.',
  ],
  StorageClassBlocked: ['isolation', 'A storage class decides which system, and whose money, a volume comes from.'],
  VolumeNamePinned: [
    'threat-model',
    'PersistentVolumes are cluster-scoped, so a claim that picks one could pick the data of another tenant.',
  ],
  ExternalIPsBlocked: [
    'threat-model',
    'Every node would send traffic for that address to the tenant’s pods, whoever it is meant for (CVE-2020-8554).',
  ],
  ExternalNameBlocked: [
    'threat-model',
    'An ExternalName makes ingress controllers and other clients call a name of the tenant’s choice, a Service of another tenant among them.',
  ],
  ServiceTypeBlocked: ['isolation', 'A NodePort opens a port on every node, and a LoadBalancer an address outside, often at a price.'],
  SelectorlessServiceBlocked: [
    'threat-model',
    'Endpoints that are written by hand send clients such as ingress controllers to any address, which NetworkPolicies of the tenant do not see.',
  ],
  IngressHostBlocked: [
    'threat-model',
    'Host names belong to the whole cluster, and whoever claims one gets the traffic, cookies and certificates of it.',
  ],
  IngressPathBlocked: [
    'threat-model',
    'Some controllers paste a path into their own configuration or read it as a pattern, and so have run what a tenant wrote.',
  ],
  IngressClassBlocked: ['isolation', 'The class picks the controller, and with it the address and network that the tenant is exposed on.'],
  IngressHostTaken: [
    'threat-model',
    'Two tenants that claim one host, by a rule of an Ingress or by an annotation that makes a DNS record or a certificate, share its traffic in an order that controllers choose, so a second tenant could take over the first.',
  ],
  NetworkPolicyWidens: [
    'isolation',
    'NetworkPolicies only add up, so a peer that reaches past the tenant, or everyone, would undo the default deny of the profile.',
  ],
  AnnotationBlocked: [
    'isolation',
    'Controllers of the host act on annotations with the host’s rights, so only keys that were looked at, or that the profile allows, pass.',
  ],
  SecretTypeBlocked: [
    'secrets',
    'The host’s token controllers fill such a Secret, or let in whoever holds it, so it is a login to the host.',
  ],
  SecretNotRendered: [
    'secrets',
    'A Secret in Git is readable by whoever can read the repository, for ever, and rendering would make a second copy.',
  ],
  IsolationWeakened: ['review', 'A control that gets weaker holds less than the tenant’s neighbours relied on, whoever meant what by it.'],
};
