import type { ReasonName } from '../core/decision/reasons.ts';

/** What the remedy of a code is about where it is made for the case at hand, so that its row in the registry cannot tell. */
export const REMEDY_WORDS: Readonly<Partial<Record<ReasonName, string>>> = {
  ReplaceNeeded:
    'It depends on the kind: recreate the object on the host, or let the render ask for it with spec.migration.replaceImmutable: true on the TenantCluster; keep the old value where data hangs on it.',
  InputInvalid: 'It names the field or file and the value that it takes. tenantplane schema KIND lists the fields.',
  FactMissing: 'It names the fact to give, such as host.version in the RenderTenant or --host-version.',
  PodSecurityViolation:
    'It names each field of securityContext to set, or the kind of volume or capability to do without; where the profile may complete what is unset, that too.',
  NotEnforced: 'It names what to set, on the host or in the package, so that the control holds, or the field to leave out.',
  VolumeTypeBlocked: 'It names a type of volume that the profile allows instead, or the allow.* field to ask the platform team for.',
  SealedScopeStrict: 'It is the kubeseal command that seals the Secret anew for the name and namespace on the host.',
  IngressDenied:
    'For calls from an ingress controller it names allow.gatewayNamespaces of the profile; for a Service that is called from outside, an Ingress in place of it, or a profile without default deny.',
  AliasLeftOut: 'It says to give the Service another name, or what makes room for the short one.',
  PlatformContradiction: 'It names the two settings that contradict each other and the one to change.',
  DnsAddressConflict: 'It names an address of the service range that is free, or the field to set.',
  HostLacks:
    'It names what to create or install on the host, or the setting to change; where the facts are old, tenantplane facts writes them anew.',
  ProfilePoliciesHeld:
    'It names the profile that was probably meant, where a name was mistyped, and the --max-deletions that lets the policies go once nobody uses them.',
  KindNotServed: 'It names the apiVersion and kind to write instead.',
  KindUnknown: 'It is an entry for spec.resources of the SyncPolicy that declares the scope of the kind.',
};
