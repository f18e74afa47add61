import { at, isObject, type Json, type JsonObject, objectAt, objectsOf } from '../../src/core/kube/json.ts';
import { kindOf } from '../../src/core/kube/object.ts';
import { containersOf, describe, hostTree, textAt, virtualNameOf } from './host-tree.ts';

/** Selectors of other things than pods: nodes, volumes, numbers. */
const NOT_OF_PODS: ReadonlySet<string> = new Set(['PersistentVolumeClaim', 'HorizontalPodAutoscaler']);

/** Where the tenant's objects reach, or let their pods reach, beyond the tenant: one sentence each. */
export function openings(objects: readonly JsonObject[]): string[] {
  const tree = hostTree(objects);
  const problems: string[] = [];
  for (const object of objects) {
    if (virtualNameOf(object) === undefined || NOT_OF_PODS.has(kindOf(object))) continue;
    for (const { where, selector } of selectorsIn(object, '')) {
      if (!namesTenant(selector)) problems.push(`${describe(object)}${where} selects pods of others`);
    }
  }
  for (const pod of tree.pods) {
    if (virtualNameOf(pod.owner) === undefined) continue;
    const say = (what: string): void => void problems.push(`${describe(pod.owner)}: ${what}`);
    if (!pod.labels.has('tenantplane.io/tenant')) say('its pods do not say whose they are');
    if (pod.spec['automountServiceAccountToken'] !== false) say('its pods get a token of the host');
    if (textAt(pod.spec, 'serviceAccountName') !== 'tenantplane-workload') say('its pods run as another account');
    for (const { container } of containersOf(pod.spec)) {
      const set = objectsOf(container['env']).some((variable) => variable['name'] === 'KUBERNETES_SERVICE_HOST');
      if (!set) say(`container ${textAt(container, 'name')} takes the host's API for the tenant's`);
    }
  }
  return problems;
}

function selectorsIn(value: Json | undefined, where: string): { where: string; selector: JsonObject }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => selectorsIn(item, `${where}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const here = `${where}/${key}`;
    const isSelector =
      ['selector', 'podSelector', 'labelSelector'].includes(key) && isObject(item) && !where.includes('volumeClaimTemplates');
    return isSelector ? [{ where: here, selector: item }] : selectorsIn(item, here);
  });
}

function namesTenant(selector: JsonObject): boolean {
  const labels = objectAt(selector, 'matchLabels') ?? selector;
  return at(labels, 'tenantplane.io/tenant') !== undefined;
}
