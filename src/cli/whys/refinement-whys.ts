import type { REFINEMENT_REASONS } from '../../core/decision/registry/refinement-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules from TP3040 on exist. One row for each reason; append only, like the registry. */
export const REFINEMENT_WHYS: WhysOf<typeof REFINEMENT_REASONS> = {
  SecretStoreBlocked: ['secrets', 'A store on the host reads with credentials of its own, so naming it is enough to read what it can.'],
  SealedScopeStrict: [
    'secrets',
    'A SealedSecret opens only under the name and namespace, or in the namespace, that it was sealed for, and on the host both are others.',
  ],
  EncryptedFile: ['secrets', 'SOPS signs the whole file, so one with translated names could no longer be decrypted.'],
  DrainBlocked: ['isolation', 'Nodes are shared, and one that cannot be drained cannot be patched for any tenant on it.'],
  PriorityDropped: ['isolation', 'Pods of a higher priority evict those of a lower one, other tenants’ among them.'],
  TolerationDropped: ['isolation', 'Taints keep nodes for the control plane or for one tenant, and a toleration walks past them.'],
  SchedulerBlocked: [
    'threat-model',
    'The field hands the work to another controller of the host, which is not bound by what the scheduler and its quotas check.',
  ],
  LimitRangeViolation: [
    'isolation',
    'The workload would be stored and none of its pods made, which shows in an event of its ReplicaSet only.',
  ],
  ObjectTooLarge: [
    'errors',
    'etcd takes about 1.5 MB for an object with its managed fields, and a refusal would come only after the merge, in the middle of an apply.',
  ],
  AnnotationsTooLarge: ['errors', 'The API server would refuse the object only after the merge, in the middle of an apply.'],
  ExternalMetricBlocked: [
    'threat-model',
    'Metrics of objects and of systems outside are served for the whole cluster, so their numbers may be those of other tenants.',
  ],
  TargetNotProjected: ['names', 'An autoscaler, a budget or a route without its target does nothing, and does so silently.'],
  AffinityDropped: [
    'isolation',
    'All pods of a tenant stand in one namespace of the host, and a term that reaches others would place pods by what other tenants run.',
  ],
  EphemeralContainersDropped: [
    'kinds',
    'Kubernetes takes ephemeral containers through a subresource of running pods only, and refuses them in what is applied.',
  ],
  ModeNotImplemented: [
    'concepts',
    'A mode that is asked for and silently not given would leave the tenant less apart than its owner believes.',
  ],
  SandboxWithoutRuntime: [
    'isolation',
    'Reserved: a sandboxed profile that names no runtime class gets that of its level, so no render gives this one.',
  ],
  EgressTooOpen: ['isolation', 'The level promises that nothing leaves unasked, and the setting lets everything leave.'],
  ReservedNamespace: ['threat-model', 'What runs in the host’s own namespaces is trusted by the whole cluster.'],
  NamespaceShared: ['threat-model', 'Quota, NetworkPolicies and Pod Security hold a namespace, so two tenants in one are not held apart.'],
  LimitsInconsistent: ['isolation', 'The API server refuses such a LimitRange, or refuses every pod under it.'],
  NoApiCredentials: [
    'isolation',
    'A token on the host would be one for the host’s API; the pod’s account there has no rights, and its token is not mounted.',
  ],
  DnsOtherNamespace: [
    'dns',
    'Short names on the host are those of the main namespace, so such a pod would get an answer, and the wrong one.',
  ],
  DnsNameUnresolvable: ['dns', 'The host’s DNS does not know the tenant’s namespaces, so a name that spells one out gets no answer.'],
  ReplicasDropped: ['kinds', 'Each apply would reset the number that the autoscaler chose.'],
  SubstitutionPattern: ['delivery', 'Flux replaces such text before it applies, so what runs would differ from what was reviewed.'],
  HostFieldUnknown: [
    'install',
    'Whether it holds is decided on the host, which a render never asks; a guess would be taken for knowledge.',
  ],
  HostNetworkAlias: ['names', 'The tenant’s value could not be used from inside the pod, while the host’s is the one that its peers know.'],
  AliasLeftOut: [
    'dns',
    'The namespace on the host holds all Services of the tenant and some of ours, so a short name may mean another object there already.',
  ],
  ImageVolumeBlocked: ['isolation', 'The node pulls the image of such a volume, and the profile has not agreed to that kind of volume.'],
  PlatformContradiction: ['errors', 'With two answers to one question any render would be a guess, for every tenant that it concerns.'],
  AffinityUnsupported: [
    'isolation',
    'Reserved: a term that lists namespaces and selects others becomes one list of both, so no render gives this one.',
  ],
  RestartPolicyInvalid: ['kinds', 'The API server would refuse the object only after the merge, in the middle of an apply.'],
  DnsServerMade: [
    'dns',
    'In this mode pods ask a DNS server of the tenant’s own, since the host’s knows neither the tenant’s namespaces nor its names.',
  ],
  AllowancesTooComplex: [
    'isolation',
    'A pod that a policy of the tenant selects must get no more than that policy admits; where the others cannot be told apart, it stays closed.',
  ],
  EndpointAddressBlocked: [
    'threat-model',
    'Clients of a Service follow its endpoints, so such an address leads them to themselves, to their node or to its cloud’s credentials (CVE-2021-25737).',
  ],
  FieldBlocked: ['threat-model', 'A controller would write by this field what the render never sees, and so past every other rule.'],
  ServiceLinksOff: ['dns', 'On the host such variables would carry host names of Services, those of other virtual namespaces among them.'],
  NodePoolMissing: ['isolation', 'A tenant that asks for nodes of its own must not land on those of others because a field was forgotten.'],
  QuotaInconsistent: [
    'isolation',
    'Under a quota that leaves no room every pod is refused, with the reason in an event of its ReplicaSet only.',
  ],
  DnsAddressConflict: [
    'dns',
    'Pods hold the address of the tenant’s DNS server in their configuration, so where it is taken or out of range none of the tenant’s names resolves.',
  ],
  IngressDenied: ['isolation', 'A caller from outside the tenant that no NetworkPolicy admits meets a timeout, which tells nobody why.'],
  GatewayShutOut: [
    'isolation',
    'A NetworkPolicy of the tenant’s own closes its pods to all that it does not name, the ingress controller too.',
  ],
  NoCloudIdentity: ['isolation', 'Projected pods run as one account without rights, and a cloud role on it would be every pod’s.'],
  ApiNameUnresolvable: [
    'dns',
    'The tenant’s API is called by name, since the host chooses its address, and only the DNS of one of the clusters knows the name.',
  ],
  HostLacks: ['install', 'The mistake would show on the host only, when an applier stops or pods stay pending.'],
  GuardCompiled: [
    'threat-model',
    'What render and reconciler write needs protection from other writers on the host, and this object gives it for all tenants at once.',
  ],
  HostUsersBlocked: ['isolation', 'In the node’s user namespace root in a container is root on the node once it breaks out.'],
  AnnotationMissed: ['isolation', 'A controller of the host would have acted on it, so the object works otherwise than its author meant.'],
  NodePoolOpen: ['threat-model', 'Only a taint keeps other pods off a node; a pool that is chosen by a label alone is chosen by anybody.'],
  NodePoolShared: [
    'threat-model',
    'A tenant that asks for nodes of its own pays for no neighbours, and whether two pools are one shows only where all tenants are seen.',
  ],
  MetadataTooLarge: [
    'isolation',
    'What an admission policy costs grows with the keys that it looks at, and past its budget the API server refuses every change of the object.',
  ],
  DatastoreUnreachable: [
    'isolation',
    'A tenant’s API server calls what its tenant tells it to, so its ways out are stated one by one, and a database that is not among them shows as a server that never starts.',
  ],
  KubernetesVersionUnknown: [
    'install',
    'A version that no image stands for would show as a control plane that does not start, long after the change was approved.',
  ],
  ExtendedResourceBlocked: [
    'isolation',
    'Devices are few, a tenant that takes them all leaves others none, and some, such as /dev/kvm, are ways into the node.',
  ],
  NodeChosen: [
    'threat-model',
    'Who chooses a node by name can sit beside the tenant that it wants to watch or starve, and keeps that node’s room to itself.',
  ],
  LoadBalancerClassBlocked: [
    'isolation',
    'A class says which load balancer of the host, and so which network, opens to the Service: one may be public and another is not.',
  ],
};
