const API = 'apiVersion: tenantplane.io/v1alpha1';

/** The least that a TenantCluster refers to. */
export const PLATFORM: string = `${API}
kind: IsolationProfile
metadata: {name: restricted}
spec: {level: restricted}
---
${API}
kind: SyncPolicy
metadata: {name: applications}
spec: {resources: [{apiVersion: v1, kind: ConfigMap, direction: toHost}]}
`;
