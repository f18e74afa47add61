import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites of more than half a minute, the longest first. */
const LONG: readonly string[] = [
  'delivery/argocd.test.ts',
  'isolation/accepted.test.ts',
  'reconciler/etcd.test.ts',
  'reconciler/cases.test.ts',
  'reconciler/settings.test.ts',
  'reconciler/least-rights.test.ts',
  'reconciler/backup.test.ts',
  'reconciler/hand-over.test.ts',
  'isolation/admission.test.ts',
  'reconciler/crash.test.ts',
  'reconciler/provision.test.ts',
  'reconciler/up.test.ts',
  'delivery/kpt-live.test.ts',
  'delivery/flux.test.ts',
  'ci/ci.test.ts',
  'deploy/flux-health.test.ts',
  'delivery/flux-controller.test.ts',
  'crash.test.ts',
  'delivery/replace.test.ts',
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
