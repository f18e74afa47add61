import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, stringAt } from '../../src/core/kube/json.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { CONFIG_SCHEMAS, type ConfigKind, isConfigKind } from '../../src/schema/config-kinds.ts';
import { type FieldRow, fieldsOf } from '../../src/schema/fields.ts';
import { ROOT } from './markdown.ts';

/** Which files under examples/ set a field: path as `fieldsOf` writes it, by kind. The small packages of fields/ come first. */
export function usesOfFields(): ReadonlyMap<ConfigKind, ReadonlyMap<string, string>> {
  const uses = new Map<ConfigKind, Map<string, string>>();
  for (const path of exampleFiles()) {
    for (const { object } of readDocuments(readFileSync(join(ROOT, path), 'utf8'), path).objects) {
      const kind = stringAt(object, 'kind') ?? '';
      if (!isConfigKind(kind) || !(stringAt(object, 'apiVersion') ?? '').startsWith(CONFIG_SCHEMAS[kind].group)) continue;
      const known = new Set(fieldsOf(kind).map((row) => row.path));
      const found = uses.get(kind) ?? new Map<string, string>();
      collect(object['spec'], 'spec', known, (field) => found.has(field) || found.set(field, path));
      uses.set(kind, found);
    }
  }
  return uses;
}

function exampleFiles(): readonly string[] {
  const files = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
    .map((path) => `examples/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.yaml') && !/\/(host|objects)\//.test(path) && !path.startsWith('examples/fleet/tenants/'));
  const rank = (path: string): number => (path.startsWith('examples/fields/') ? 0 : 1);
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function collect(value: Json | undefined, path: string, known: ReadonlySet<string>, seen: (field: string) => unknown): void {
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, known, seen);
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const field = `${path}.${key}`;
    if (known.has(field)) {
      seen(field);
      collect(item, field, known, seen);
    } else collect(item, `${path}{}`, known, seen);
  }
}

/** The reference table of a kind, in Markdown: one row for each field that holds a value. */
export function fieldTable(kind: ConfigKind, uses: ReadonlyMap<string, string>): string {
  const rows = fieldsOf(kind).filter((row) => row.type !== 'object' && row.type !== 'list of object');
  const lines = rows.map((row) => `| \`${row.path}\` | ${valuesOf(row)} | ${cell(row.description)} | ${exampleOf(uses.get(row.path))} |`);
  return ['| field | value | meaning | example |', '|---|---|---|---|', ...lines].join('\n');
}

function valuesOf(row: FieldRow): string {
  const values =
    row.allowed === undefined ? row.type : row.allowed.map((value) => (value === row.default ? `**${value}**` : value)).join(', ');
  const text = row.allowed !== undefined && row.type.startsWith('list') ? `list of ${values}` : values;
  if (row.required) return `${text}; required`;
  return row.default === undefined || row.allowed !== undefined ? text : `${text}; default \`${String(row.default)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('{tenant}', '`{tenant}`');
}

function exampleOf(path: string | undefined): string {
  if (path === undefined) return '';
  const [, ...steps] = path.split('/');
  return `[${steps[0] === 'fields' ? steps[1] : (steps.at(-2) ?? '')}](../${path})`;
}
