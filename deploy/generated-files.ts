import { emitYaml } from '../src/krm/yaml/emit.ts';
import { RESOURCE_SCHEMAS, type ResourceKind } from '../src/schema/config-kinds.ts';
import { crdOf } from '../src/schema/crd.ts';
import { FUNCTIONS, functionDefinitionOf } from '../src/schema/function-definition.ts';
import type { JsonObject } from '../src/schema/json.ts';
import { argocdFiles } from './argocd/argocd-files.ts';
import { installFiles, kustomization } from './install/install-files.ts';
import { observabilityFiles } from './observability/observability-files.ts';

const HEADER = '# Generated from src/schema by `npm run generate`. Do not edit.\n';

/** Every file that is made from sources of ours: path from the root of the repository, and text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const add = (path: string, object: JsonObject): void => {
    files.set(path, `${HEADER}${emitYaml(object)}`);
  };
  for (const kind of keys(RESOURCE_SCHEMAS)) add(`deploy/crds/${crdFile(kind)}`, crdOf(kind));
  for (const kind of keys(FUNCTIONS)) add(`functions/${FUNCTIONS[kind].name}/definition.yaml`, functionDefinitionOf(kind));
  // kubectl and kustomize know it by this name too, and `kubectl apply -f deploy/crds` takes it for no manifest
  files.set('deploy/crds/Kustomization', `${HEADER}${kustomization(keys(RESOURCE_SCHEMAS).map(crdFile).sort())}`);
  return new Map([...files, ...installFiles(), ...argocdFiles(), ...observabilityFiles()]);
}

function crdFile(kind: ResourceKind): string {
  return `${RESOURCE_SCHEMAS[kind].plural}.yaml`;
}

function keys<K extends string>(table: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(table) as K[];
}
