import { absentOrIn, each, every, orUnchanged } from './cel.ts';
import { allowedClasses, choosesNoVolume, noOldClass, ownSource } from './claim-expressions.ts';
import type { Rule } from './rule.ts';

const TEMPLATE = 'object.spec.template.spec';
const CLAIMS = 'object.spec.volumeClaimTemplates';

/**
 * What is looked at in templates, since the API server fills it in where a controller makes pods and claims of them: there it can
 * no longer be told from what the template said. A CronJob's template is looked at in its Jobs.
 */
export const WORKLOAD_RULES: readonly Rule[] = [
  {
    id: 'tpl-prio',
    group: 'workloads',
    matches: 'Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs',
    controls: ['priorityClasses'],
    expression: ({ allow }) =>
      orUnchanged(
        ['spec.template'],
        `!has(object.spec.template) || !has(${TEMPLATE}) || ${absentOrIn(`${TEMPLATE}.priorityClassName`, allow.priorityClasses)}`,
      ),
    message: ['the template’s priority class is not one of the profile', 'Name a class of allow.priorityClasses, or none.'],
    found: `${TEMPLATE}.priorityClassName`,
    doc: 'has templates with a priority class of `allow.priorityClasses`, or none',
  },
  {
    id: 'tpl-claim',
    group: 'statefulsets',
    matches: 'StatefulSets',
    controls: ['storageClasses'],
    expression: (profile) =>
      orUnchanged(
        ['spec.volumeClaimTemplates'],
        each(
          CLAIMS,
          'c',
          every([choosesNoVolume('c.spec'), ownSource('c.spec'), allowedClasses('c.spec', profile), noOldClass('c.metadata')]),
        ),
      ),
    message: [
      'a claim template asks for what a claim may not',
      'Name a class of allow.storageClasses or none, and no volume, selector or foreign source.',
    ],
    doc: 'has claim templates that are held to the rules for claims',
  },
  {
    id: 'daemonset',
    group: 'daemonsets',
    matches: 'DaemonSets',
    controls: ['daemonSets'],
    expression: ({ allow }) => (allow.daemonSets ? undefined : 'false'),
    message: ['a DaemonSet runs on every node', 'Use a Deployment, or ask for allow.daemonSets.'],
    doc: 'is not made at all without `allow.daemonSets`',
  },
];
