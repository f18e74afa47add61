/** The Kubernetes versions that the tests know, oldest first: each is a folder of pins, `kubernetes-VERSION`. */
export const KUBERNETES_VERSIONS = ['1.34', '1.36'] as const;
export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];
export const NEWEST: KubernetesVersion = '1.36';
