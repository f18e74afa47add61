import { isObject, type Json, type JsonObject, type Path } from '../../core/kube/json.ts';

/** One line of an object as people read it, and the field that it is. */
export interface YamlLine {
  readonly path: Path;
  readonly text: string;
}

const FIRST: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** For reading only: block style, a line a value, strings quoted where they could be taken for something else. */
export function yamlLines(object: JsonObject): readonly YamlLine[] {
  const lines: YamlLine[] = [];
  const keys = [...FIRST.filter((key) => Object.hasOwn(object, key)), ...Object.keys(object).filter((key) => !FIRST.includes(key))];
  for (const key of keys) member(lines, [key], object[key], '', '');
  return lines;
}

/** `lead` is what stands before the first line where it begins an item of a list: `- `. */
function member(lines: YamlLine[], path: Path, value: Json | undefined, margin: string, lead: string): void {
  if (value === undefined) return;
  const key = String(path.at(-1) ?? '');
  const start = `${margin.slice(0, margin.length - lead.length)}${lead}${PLAIN.test(key) ? key : JSON.stringify(key)}:`;
  if (Array.isArray(value) && value.length > 0) {
    lines.push({ path, text: start });
    value.forEach((item, index) => {
      listItem(lines, [...path, index], item, margin);
    });
  } else if (isObject(value) && Object.keys(value).length > 0) {
    lines.push({ path, text: start });
    for (const [name, item] of Object.entries(value)) member(lines, [...path, name], item, `${margin}  `, '');
  } else if (typeof value === 'string' && value.includes('\n')) {
    lines.push({ path, text: `${start} |` });
    for (const line of value.replace(/\n$/, '').split('\n')) lines.push({ path, text: `${margin}  ${line}` });
  } else lines.push({ path, text: `${start} ${scalar(value)}` });
}

function listItem(lines: YamlLine[], path: Path, value: Json, margin: string): void {
  if (isObject(value) && Object.keys(value).length > 0) {
    Object.entries(value).forEach(([name, item], index) => {
      member(lines, [...path, name], item, `${margin}  `, index === 0 ? '- ' : '');
    });
  } else lines.push({ path, text: `${margin}- ${Array.isArray(value) ? JSON.stringify(value) : scalar(value)}` });
}

const PLAIN = /^[A-Za-z_/.][\w./-]*$/;
const WORD = /^[A-Za-z_/(][^:#\n"'{}[\]&*!|>%@`,]*$/;
const MEANS_MORE = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

function scalar(value: Json): string {
  if (typeof value === 'string')
    return WORD.test(value) && !MEANS_MORE.test(value) && value.trim() === value ? value : JSON.stringify(value);
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}
