import { describe } from 'vitest';
import { KUBERNETES_VERSIONS, type KubernetesVersion, NEWEST } from '../bed/kubernetes-version.ts';
import { RELEASE } from './scope.ts';

/** A suite for each Kubernetes version that the tests know; for a landing the newest is enough. `%s` in the name is the version. */
export function onEachKubernetes(name: string, suite: (version: KubernetesVersion) => void): void {
  for (const version of KUBERNETES_VERSIONS)
    describe(name.replace('%s', version), { tags: version === NEWEST ? [] : [RELEASE.name] }, () => suite(version));
}
