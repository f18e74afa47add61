import { isObject } from '../../core/kube/json.ts';
import { type KubeObject, kindOf } from '../../core/kube/object.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { isEmptyDocument, splitDocuments } from '../../krm/yaml/split.ts';
import { RESOURCE_SCHEMAS } from '../../schema/config-kinds.ts';
import { packageFile } from './package-file.ts';

/** What is applied together, before what comes next. */
export interface Stage {
  readonly name: string;
  readonly objects: readonly KubeObject[];
}

/** Of deploy/base: its pods are not needed where the reconciler runs here. */
const RIGHTS = ['namespace', 'admission', 'serviceaccount', 'clusterrole', 'clusterrolebinding', 'role', 'rolebinding'];

export function definitions(): Stage {
  const files = Object.values(RESOURCE_SCHEMAS).map(({ plural }) => `deploy/crds/${plural}.yaml`);
  return { name: 'definitions of tenantplane’s kinds', objects: files.flatMap((file) => objectsIn(packageFile(file))) };
}

export function rights(): Stage {
  const files = RIGHTS.map((name) => `deploy/base/${name}.yaml`);
  return { name: 'the reconciler’s account and its rights', objects: files.flatMap((file) => objectsIn(packageFile(file))) };
}

/** A render as a stream, whose order is one that can be applied. */
export function packageStages(stream: string): readonly Stage[] {
  const objects = objectsIn(stream);
  const isConfig = (object: KubeObject): boolean => Object.hasOwn(RESOURCE_SCHEMAS, kindOf(object));
  return [
    { name: 'what holds tenants apart, and their objects', objects: objects.filter((object) => !isConfig(object)) },
    { name: 'profiles, policies and tenants', objects: objects.filter(isConfig) },
  ];
}

function objectsIn(text: string): readonly KubeObject[] {
  return splitDocuments(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter((document) => !isEmptyDocument(document))
    .map((document) => parseDocument(document).value)
    .filter(isObject);
}
