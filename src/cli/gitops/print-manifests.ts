import type { JsonObject } from '../../core/kube/json.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { jsonText } from '../../report/json-text.ts';
import type { Sink } from '../io.ts';

export type ManifestFormat = 'yaml' | 'json';

/** Objects as kubectl takes them: YAML documents, or one List. */
export function printManifests(objects: readonly JsonObject[], format: ManifestFormat, out: Sink): void {
  if (format === 'json') out.write(`${jsonText({ apiVersion: 'v1', kind: 'List', items: [...objects] }, 2)}\n`);
  else for (const object of objects) out.write(`---\n${emitYaml(object)}`);
}
