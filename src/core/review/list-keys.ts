import { isObject, type Json, type JsonObject } from '../kube/json.ts';

/**
 * The fields by which an item of a list is known, as the API's merge keys have it, by the name of the list: the first set that
 * tells all items of both sides apart counts. A list that is not here, or whose items repeat, is compared by place.
 */
const KEYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  containers: [['name']],
  initContainers: [['name']],
  ephemeralContainers: [['name']],
  env: [['name']],
  volumes: [['name']],
  volumeMounts: [['mountPath']],
  volumeDevices: [['devicePath']],
  imagePullSecrets: [['name']],
  hostAliases: [['ip']],
  topologySpreadConstraints: [['topologyKey', 'whenUnsatisfiable']],
  ports: [
    ['containerPort', 'protocol'],
    ['port', 'protocol'],
  ],
  volumeClaimTemplates: [['metadata.name']],
  items: [['key', 'path']],
  rules: [['host']],
  tls: [['secretName']],
  resources: [['apiVersion', 'kind']],
  validations: [['expression']],
  variables: [['name']],
  matchConditions: [['name']],
};

/** What the API server fills in where a key is left out. */
const DEFAULTS: Readonly<Record<string, Json>> = { protocol: 'TCP' };

/** The items of both lists by name, or undefined where place alone tells them apart. */
export function namedItems(
  field: string | number | undefined,
  before: readonly Json[],
  after: readonly Json[],
): readonly [ReadonlyMap<string, NamedItem>, ReadonlyMap<string, NamedItem>] | undefined {
  if (typeof field !== 'string' || !Object.hasOwn(KEYS, field)) return undefined;
  for (const keys of KEYS[field] ?? []) {
    const sides = [itemsBy(keys, before), itemsBy(keys, after)] as const;
    if (sides[0] !== undefined && sides[1] !== undefined) return [sides[0], sides[1]];
  }
  return undefined;
}

export interface NamedItem {
  readonly index: number;
  readonly shown: string;
  readonly value: JsonObject;
}

function itemsBy(keys: readonly string[], items: readonly Json[]): ReadonlyMap<string, NamedItem> | undefined {
  const found = new Map<string, NamedItem>();
  for (const [index, value] of items.entries()) {
    if (!isObject(value)) return undefined;
    const values = keys.map((key) => keyValue(value, key));
    if (values[0] === undefined || values.some((part) => typeof part === 'object')) return undefined;
    const id = JSON.stringify(values.map(String));
    if (found.has(id)) return undefined;
    const shown = values.flatMap((part, at) => (part === undefined || part === DEFAULTS[keys[at] ?? ''] ? [] : [String(part)])).join('/');
    found.set(id, { index, shown, value });
  }
  return found;
}

function keyValue(item: JsonObject, key: string): Json | undefined {
  let value: Json | undefined = item;
  for (const step of key.split('.')) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value ?? DEFAULTS[key];
}
