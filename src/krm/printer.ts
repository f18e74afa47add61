import { isObject } from '../core/kube/json.ts';
import type { HostFile, Printer } from '../core/plan/plan-types.ts';
import { emitYaml } from './yaml/emit.ts';
import { parseDocument } from './yaml/parse.ts';

/** Writes planned files as they will stand on disk. */
export const YAML_PRINTER: Printer = {
  print: emitYaml,
  parse(text) {
    const { value } = parseDocument(text);
    if (value === undefined || !isObject(value)) throw new Error('a printed object does not read back');
    return value;
  },
};

/** The text of a planned file, printed already or not. */
export function fileText(file: HostFile): string {
  return file.text ?? emitYaml(file.object);
}
