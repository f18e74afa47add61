import { at, isObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { matchesSelector } from '../../src/core/kube/labels.ts';
import { kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { describe, type HostPod, type HostTree, textAt } from './host-tree.ts';
import { podsBehind } from './services.ts';

/** Controllers: selectors match their own templates, budgets and autoscalers have something to act on. */
export function workloadProblems(tree: HostTree): string[] {
  const problems: string[] = [];
  for (const pod of tree.pods) {
    const selector = objectAt(pod.owner, 'spec', 'selector');
    const needs = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].includes(kindOf(pod.owner));
    if (needs && (selector === undefined || !matchesSelector(selector, pod.labels))) {
      problems.push(`${describe(pod.owner)}: its selector does not match its own template`);
    }
    if (kindOf(pod.owner) === 'StatefulSet') problems.push(...statefulSetProblems(tree, pod));
  }
  for (const budget of tree.all('PodDisruptionBudget.policy')) {
    const selector = objectAt(budget, 'spec', 'selector');
    const covered = tree.pods.filter(
      (pod) => pod.namespace === namespaceOf(budget) && selector !== undefined && matchesSelector(selector, pod.labels),
    );
    // the pods of a control plane are the reconciler's, and stand in no tree
    if (namespaceOf(budget)?.startsWith('cp-x-') === true) continue;
    if (covered.length === 0) problems.push(`${describe(budget)}: covers no pod`);
  }
  for (const autoscaler of tree.all('HorizontalPodAutoscaler.autoscaling')) {
    const target = objectAt(autoscaler, 'spec', 'scaleTargetRef');
    const group = textAt(target, 'apiVersion').split('/').slice(0, -1).join('/');
    const key = group === '' ? textAt(target, 'kind') : `${textAt(target, 'kind')}.${group}`;
    const found = tree.find(key, namespaceOf(autoscaler) ?? '', textAt(target, 'name'));
    if (found === undefined) problems.push(`${describe(autoscaler)}: its target ${key} ${textAt(target, 'name')} is not there`);
    else if (at(found, 'spec', 'replicas') !== undefined)
      problems.push(`${describe(found)}: a re-apply would reset what ${describe(autoscaler)} scaled`);
  }
  return problems;
}

function statefulSetProblems(tree: HostTree, pod: HostPod): string[] {
  const problems: string[] = [];
  const set = pod.owner;
  const serviceName = stringAt(set, 'spec', 'serviceName');
  const service = serviceName === undefined ? undefined : tree.find('Service', pod.namespace, serviceName);
  if (serviceName !== undefined && service === undefined) problems.push(`${describe(set)}: its Service ${serviceName} is not there`);
  if (service !== undefined && !podsBehind(tree, service).includes(pod))
    problems.push(`${describe(set)}: ${describe(service)} does not select its pods`);
  if (`${nameOf(set)}-${pod.count - 1}`.length > 63) problems.push(`${describe(set)}: the names of its pods are no host names`);
  for (const template of objectsOf(at(set, 'spec', 'volumeClaimTemplates'))) {
    const labels = objectAt(template, 'metadata', 'annotations');
    if (isObject(labels) && Object.keys(labels).some((key) => key.startsWith('tenantplane.io/'))) {
      problems.push(
        `${describe(set)}: claim template ${textAt(template, 'metadata', 'name')} holds decision metadata, which cannot change later`,
      );
    }
  }
  return problems;
}
