import {
  claimTemplatesCheck,
  daemonSetCheck,
  jobManagerCheck,
  manualSelectorCheck,
  restartPolicy,
  scheduleCheck,
  selectorCheck,
  selectorMapCheck,
  workloadShape,
} from '../../checks/workload-checks.ts';
import { scopeSelector, scopeSelectorMap } from '../selectors.ts';
import type { KindTranslation, Step } from '../translation.ts';
import { cronJobStep, jobStep } from './jobs.ts';
import { replicasStep } from './replicas.ts';
import { statefulSetStep } from './stateful-set.ts';

const selectorStep: Step = (edit, subject, ctx) => scopeSelector(edit, ['spec', 'selector'], ctx, subject.virtualNamespace);
const selectorMapStep: Step = (edit, subject, ctx) => scopeSelectorMap(edit, ['spec', 'selector'], ctx, subject.virtualNamespace);
const always = restartPolicy('Always');
const untilDone = restartPolicy('Never', 'OnFailure');

/** The kinds that hold a pod, apart from the pod in them. */
export const WORKLOAD_TRANSLATIONS: readonly KindTranslation[] = [
  { key: 'Pod' },
  { key: 'PodTemplate' },
  { key: 'Deployment.apps', checks: [workloadShape('DeploymentSpec'), selectorCheck, always], steps: [selectorStep, replicasStep] },
  { key: 'ReplicaSet.apps', checks: [workloadShape('ReplicaSetSpec'), selectorCheck, always], steps: [selectorStep, replicasStep] },
  {
    key: 'ReplicationController',
    checks: [workloadShape('ReplicationControllerSpec'), selectorMapCheck, always],
    steps: [selectorMapStep, replicasStep],
  },
  {
    key: 'StatefulSet.apps',
    checks: [workloadShape('StatefulSetSpec'), selectorCheck, claimTemplatesCheck, always],
    steps: [selectorStep, statefulSetStep, replicasStep],
  },
  { key: 'DaemonSet.apps', checks: [daemonSetCheck, workloadShape('DaemonSetSpec'), selectorCheck, always], steps: [selectorStep] },
  { key: 'Job.batch', checks: [workloadShape('JobSpec'), jobManagerCheck, manualSelectorCheck, untilDone], steps: [jobStep] },
  { key: 'CronJob.batch', checks: [workloadShape('CronJobSpec'), jobManagerCheck, scheduleCheck, untilDone], steps: [cronJobStep] },
];
