/** The Kubernetes versions that the tests know: each is a folder of pins, `kubernetes-VERSION`. */
export const KUBERNETES_VERSIONS = ['1.34', '1.37'] as const;
export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];
export const OLDEST: KubernetesVersion = '1.34';
export const NEWEST: KubernetesVersion = '1.37';
