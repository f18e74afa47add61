import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { containersOf, describe, type HostPod, type HostTree, textAt } from './host-tree.ts';

type Expected = (kind: string, namespace: string, name: string) => boolean;

/** The kubelet: everything that a pod mounts or reads is there, or optional, or made by someone else. */
export function referenceProblems(tree: HostTree, pod: HostPod, expected: Expected): string[] {
  const problems: string[] = [];
  const need = (
    kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim' | 'ServiceAccount',
    reference: JsonObject | undefined,
    field: string,
    key?: string,
  ): void => {
    const name = stringAt(reference, field);
    if (name === undefined || reference?.['optional'] === true || expected(kind, pod.namespace, name)) return;
    const found = kind === 'Secret' ? secretMaker(tree, pod.namespace, name) : tree.find(kind, pod.namespace, name);
    if (found === undefined) problems.push(`${describe(pod.owner)}: ${kind} ${name} is not there`);
    else if (
      key !== undefined &&
      kind === 'ConfigMap' &&
      at(found, 'data', key) === undefined &&
      at(found, 'binaryData', key) === undefined
    ) {
      problems.push(`${describe(pod.owner)}: ${kind} ${name} has no key ${key}`);
    }
  };

  need('ServiceAccount', pod.spec, 'serviceAccountName');
  for (const secret of objectsOf(pod.spec['imagePullSecrets'])) need('Secret', secret, 'name');
  for (const { container } of containersOf(pod.spec)) {
    for (const entry of objectsOf(container['env'])) {
      const from = objectAt(entry, 'valueFrom');
      need('ConfigMap', objectAt(from, 'configMapKeyRef'), 'name', stringAt(from, 'configMapKeyRef', 'key'));
      need('Secret', objectAt(from, 'secretKeyRef'), 'name');
    }
    for (const source of objectsOf(container['envFrom'])) {
      need('ConfigMap', objectAt(source, 'configMapRef'), 'name');
      need('Secret', objectAt(source, 'secretRef'), 'name');
    }
  }
  const templates = new Set(
    objectsOf(at(pod.owner, 'spec', 'volumeClaimTemplates')).map((template) => textAt(template, 'metadata', 'name')),
  );
  for (const volume of objectsOf(pod.spec['volumes'])) {
    if (templates.has(textAt(volume, 'name'))) continue; // the StatefulSet controller puts its own claim in its place
    volumeReferences(volume, need);
  }
  problems.push(...mountProblems(pod, templates));
  return problems;
}

function volumeReferences(
  volume: JsonObject,
  need: (kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim', reference: JsonObject | undefined, field: string) => void,
): void {
  need('ConfigMap', objectAt(volume, 'configMap'), 'name');
  need('Secret', objectAt(volume, 'secret'), 'secretName');
  need('PersistentVolumeClaim', objectAt(volume, 'persistentVolumeClaim'), 'claimName');
  for (const source of objectsOf(at(volume, 'projected', 'sources'))) {
    need('ConfigMap', objectAt(source, 'configMap'), 'name');
    need('Secret', objectAt(source, 'secret'), 'name');
  }
}

function mountProblems(pod: HostPod, templates: ReadonlySet<string>): string[] {
  const volumes = new Set([...objectsOf(pod.spec['volumes']).map((volume) => textAt(volume, 'name')), ...templates]);
  return containersOf(pod.spec).flatMap(({ container }) =>
    objectsOf(container['volumeMounts'])
      .filter((mount) => !volumes.has(textAt(mount, 'name')))
      .map((mount) => `${describe(pod.owner)}: volume ${textAt(mount, 'name')} of container ${textAt(container, 'name')} is not there`),
  );
}

/** The object that puts a Secret of that name there: itself, or an ExternalSecret or SealedSecret. */
export function secretMaker(tree: HostTree, namespace: string, name: string): JsonObject | undefined {
  return (
    tree.find('Secret', namespace, name) ??
    tree
      .all('ExternalSecret.external-secrets.io')
      .find(
        (external) => namespaceOf(external) === namespace && (stringAt(external, 'spec', 'target', 'name') ?? nameOf(external)) === name,
      ) ??
    tree.find('SealedSecret.bitnami.com', namespace, name)
  );
}
