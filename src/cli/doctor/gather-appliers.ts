import { isObject, type Json, type JsonObject, objectsOf } from '../../core/kube/json.ts';
import { readPackage } from '../../krm/package.ts';
import { askKubectl, type Reach } from '../facts/ask-kubectl.ts';
import { isApplier } from './gitops-checks.ts';

/** Objects on a host that say how trees are applied; what the account may not list, or the host does not serve, is left out. */
const RESOURCES: readonly (readonly string[])[] = [
  ['applications.argoproj.io', '--all-namespaces'],
  ['applicationsets.argoproj.io', '--all-namespaces'],
  ['kustomizations.kustomize.toolkit.fluxcd.io', '--all-namespaces'],
  ['configmaps', '--all-namespaces', '--field-selector=metadata.name=argocd-cm'],
];

export async function appliersOnHost(reach: Reach, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const answers = await Promise.all(RESOURCES.map((words) => askKubectl(reach, ['get', ...words, '-o', 'json'], signal)));
  return answers.flatMap((answer) => ('text' in answer ? objectsOf(itemsOf(answer.text)) : []).filter(isApplier));
}

/** Those of a folder of manifests, such as the repository that Argo CD's app of apps reads. */
export async function appliersIn(folder: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const { inputs } = await readPackage(folder, signal);
  return inputs.map(({ object }) => object).filter(isApplier);
}

function itemsOf(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value['items'] : undefined;
  } catch {
    return undefined;
  }
}
