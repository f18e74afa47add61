/** How it becomes known whether the host's network plugin enforces NetworkPolicies, which no API says. */
export const TRY_PLUGIN =
  'Try it once on the host, and write networkPolicies: enforced into its HostFacts (tenantplane facts prints the rest).';
