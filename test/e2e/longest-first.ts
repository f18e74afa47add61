import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites of more than a quarter of a minute at a landing, the longest first; then those that have more to do for a release. */
const LONG: readonly string[] = [
  'isolation/accepted.test.ts',
  'delivery/argocd.test.ts',
  'reconciler/cases.test.ts',
  'deploy/flux-health.test.ts',
  'delivery/flux-controller.test.ts',
  'reconciler/etcd.test.ts',
  'reconciler/backup.test.ts',
  'reconciler/down.test.ts',
  'reconciler/provision.test.ts',
  'delivery/kpt-live.test.ts',
  'reconciler/crash.test.ts',
  'reconciler/settings.test.ts',
  'reconciler/up.test.ts',
  'reconciler/process.test.ts',
  'ci/ci.test.ts',
  'kube/lease.test.ts',
  'report/accessibility.test.ts',
  'dns/application.test.ts',
  'crash.test.ts',
  'delivery/kpt-walls-first.test.ts',
  'kube/reflector-faults.test.ts',
  'delivery/flux.test.ts',
  'delivery/examples.test.ts',
  'deploy/argocd-health.test.ts',
  'isolation/admission.test.ts',
  'render-memory.test.ts',
  'isolation/admission-examples.test.ts',
  'isolation/admission-cost.test.ts',
  'delivery/replace.test.ts',
  'reconciler/shards.test.ts',
  'delivery/flux-shards.test.ts',
  'reconciler/failover.test.ts',
  'reconciler/least-rights.test.ts',
  'reconciler/hand-over.test.ts',
  'reconciler/faults.test.ts',
  'bed/k3s-stand-in.test.ts',
];

/**
 * Starts the long suites first, so that none of them is alone at the end. A fresh clone knows no durations, and vitest then goes
 * by the size of files, which says nothing of what the real tools in them take.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(`test/e2e/${name}`));
      return index === -1 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
