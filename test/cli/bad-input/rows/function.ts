import { PLATFORM, tenantYaml } from '../../harness.ts';

/** A ResourceList, or what should have been one, that is handed to `tenantplane-fn render-tenant`. */
export interface FunctionRow {
  readonly what: string;
  readonly input: string | Uint8Array;
  readonly args?: readonly string[];
}

/** An object as an item, with the annotation that says where it lies. */
function item(text: string, path: string): string {
  const metadata = `metadata:\n  annotations: {internal.config.kubernetes.io/path: ${JSON.stringify(path)}}`;
  const placed = text.includes('metadata: {')
    ? text.replace(/metadata: \{([^}]*)\}/, (_, fields: string) => `${metadata}\n  ${fields.replaceAll(', ', '\n  ')}`)
    : `${text}${metadata}\n`;
  return `- ${placed.trimEnd().replaceAll('\n', '\n  ')}\n`;
}

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const [PROFILE = '', POLICY = ''] = PLATFORM.split('---\n');
const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n';
const PLATFORM_ITEMS = item(PROFILE, 'platform.yaml') + item(POLICY, 'policy.yaml') + item(tenantYaml('dev'), 'dev/tenant.yaml');
const CONFIG = (spec: string): string =>
  `functionConfig:\n  apiVersion: fn.tenantplane.io/v1alpha1\n  kind: RenderTenant\n  spec: ${spec}\n`;

const list = (items: string, more = ''): string => `${HEAD}items:\n${items}${more}`;
const withObject = (text: string, path = 'dev/objects/a.yaml'): string => list(PLATFORM_ITEMS + item(text, path));

export const FUNCTION: readonly FunctionRow[] = [
  { what: 'nothing on stdin', input: '' },
  { what: 'blank lines on stdin', input: '\n\n' },
  { what: 'bytes that are no text', input: Buffer.from('ff00fe', 'hex') },
  { what: 'broken YAML on stdin', input: 'items: [\n' },
  { what: 'an object instead of a list', input: OBJECT },
  { what: 'a plain List', input: 'apiVersion: v1\nkind: List\nitems: []\n' },
  { what: 'no items', input: HEAD },
  { what: 'items: null', input: `${HEAD}items: null\n` },
  { what: 'items: 5', input: `${HEAD}items: 5\n` },
  { what: 'items that are a map', input: `${HEAD}items: {a: b}\n` },
  { what: 'two sections of items', input: `${HEAD}items: []\nitems: []\n` },
  { what: 'a config of another kind', input: list(PLATFORM_ITEMS, 'functionConfig:\n  apiVersion: apps/v1\n  kind: Deployment\n') },
  { what: 'a config that is text', input: list(PLATFORM_ITEMS, 'functionConfig: text\n') },
  { what: 'a misspelt field of the config', input: list(PLATFORM_ITEMS, CONFIG('{failsOn: never}')) },
  {
    what: 'a misspelt key of a ConfigMap',
    input: list(
      PLATFORM_ITEMS,
      'functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c}\n  data: {output.shard: "4"}\n',
    ),
  },
  {
    what: 'a config that names a tenant that there is not',
    input: list(PLATFORM_ITEMS, CONFIG('{tenant: {name: nobody, namespace: team-nobody}}')),
  },
  { what: 'an item that is null', input: list(`${PLATFORM_ITEMS}- null\n`) },
  { what: 'an item that is a number', input: list(`${PLATFORM_ITEMS}- 5\n`) },
  { what: 'an item with broken YAML', input: list(`${PLATFORM_ITEMS}- a: [\n`) },
  { what: 'an item with a key twice', input: list(`${PLATFORM_ITEMS}- apiVersion: v1\n  kind: ConfigMap\n  kind: Secret\n`) },
  { what: 'a path that climbs', input: withObject(OBJECT, '../../etc/a.yaml') },
  { what: 'an absolute path', input: withObject(OBJECT, '/etc/a.yaml') },
  { what: 'a path with a backslash', input: withObject(OBJECT, 'dev\\objects\\a.yaml') },
  { what: 'a path with control characters', input: withObject(OBJECT, 'dev/objects/\u001b[2Ja.yaml') },
  {
    what: 'paths that differ only in case',
    input: list(
      PLATFORM_ITEMS +
        item(OBJECT, 'dev/objects/a.yaml') +
        item(OBJECT.replace('name: a', 'name: b'), 'host/TEAM-DEV/configmap_a-x-default-x-dev.yaml'),
    ),
  },
  {
    what: 'a path annotation that contradicts the old one',
    input: withObject(OBJECT).replace(
      '{internal.config.kubernetes.io/path: "dev/objects/a.yaml"}',
      '{internal.config.kubernetes.io/path: "dev/objects/a.yaml", config.kubernetes.io/path: "qa/objects/a.yaml"}',
    ),
  },
  { what: 'configuration in objects/', input: withObject(PROFILE, 'dev/objects/p.yaml') },
  {
    what: 'an alias bomb as an item',
    input: list(
      `${PLATFORM_ITEMS}- apiVersion: v1\n  kind: A\n  a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from(
        { length: 9 },
        (_, n) =>
          `  a${n}: &a${n} [${Array(9)
            .fill(n === 0 ? '*a' : `*a${n - 1}`)
            .join(', ')}]\n`,
      ).join('')}`,
    ),
  },
  { what: 'an argument that there is not', input: list(PLATFORM_ITEMS), args: ['--outptu', 'x'] },
  { what: 'a config file that is not there', input: list(PLATFORM_ITEMS), args: ['-f', 'nowhere.yaml'] },
  { what: 'an input file that is not there', input: '', args: ['-i', 'nowhere.yaml'] },
  { what: 'an output file in a folder that is not there', input: list(PLATFORM_ITEMS), args: ['-o', 'nowhere/list.yaml'] },
];
