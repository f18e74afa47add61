import { equal, isObject, type Json, type JsonObject, objectAt, own, stringAt } from '../core/kube/json.ts';
import type { Finding } from '../core/plan/plan-types.ts';
import { FUNCTION_GROUP, FUNCTION_SCHEMAS, type FunctionKind, VERSION } from '../schema/config-kinds.ts';
import { functionConfig } from '../schema/function-config-map.ts';
import { finding } from './finding.ts';
import type { PlacedItem } from './items-view.ts';

/** The config that a function goes by, and what is to be said of it. */
export interface ChosenConfig {
  readonly config: Json | undefined;
  /** file of the package that holds it; none where the orchestrator gave it */
  readonly path?: string;
  readonly findings: readonly Finding[];
}

const KIND = 'RenderTenant';
const API_VERSION = `${FUNCTION_GROUP}/${VERSION}`;
/** What changes the rendered files: where two configs differ in one of these, each render undoes the other. */
const SHAPES = ['host', 'output'] as const;

/**
 * The config that was given, else the RenderTenant at the root of the package, which the command `tenantplane` goes by too.
 * Deeper ones belong to other packages or, below `objects/`, to tenants.
 */
export function chooseConfig(given: Json | undefined, kind: FunctionKind, items: readonly PlacedItem[]): ChosenConfig {
  const found = items.filter(isPackagedConfig);
  const [first, second] = found;
  const object = first?.item.parsed().value;
  if (first === undefined || !isObject(object)) return { config: given, findings: [] };
  const packaged = asKind(object, kind);
  if (!isEmpty(given)) return { config: given, findings: isObject(given) && differ(given, packaged, kind) ? [another(first)] : [] };
  if (second === undefined) return { config: packaged, path: first.path, findings: [] };
  const params = {
    problem: `The package has ${found.length} ${KIND} objects (${found.map(({ path }) => path).join(', ')}); one of them would be ignored.`,
    fix: 'Keep one, or name it with configPath in the Kptfile.',
  };
  return { config: packaged, findings: [finding('InputInvalid', first.source, { params })] };
}

function isPackagedConfig({ item, path }: PlacedItem): boolean {
  if (path === '' || path.includes('/') || !item.text.includes(FUNCTION_GROUP)) return false;
  const { value } = item.parsed();
  return isObject(value) && stringAt(value, 'kind') === KIND && stringAt(value, 'apiVersion')?.split('/')[0] === FUNCTION_GROUP;
}

/** kpt hands a ConfigMap without data to a function that was given nothing. */
function isEmpty(given: Json | undefined): boolean {
  if (given === undefined || given === null) return true;
  return isObject(given) && stringAt(given, 'kind') === 'ConfigMap' && Object.keys(objectAt(given, 'data') ?? {}).length === 0;
}

/** The same fields as config of another function, as far as that one has them. */
function asKind(object: JsonObject, kind: FunctionKind): JsonObject {
  const spec = own(object, 'spec');
  if (kind === KIND || !isObject(spec)) return object;
  const known = FUNCTION_SCHEMAS[kind].spec?.properties ?? {};
  const fields = Object.entries(spec).filter(([key]) => Object.hasOwn(known, key));
  return { ...object, apiVersion: API_VERSION, kind, spec: Object.fromEntries(fields) };
}

/** A config that cannot be read is told of elsewhere; validate-tenant writes nothing that another render could undo. */
function differ(given: JsonObject, packaged: JsonObject, kind: FunctionKind): boolean {
  if (kind === 'ValidateTenant') return false;
  const [a, b] = [functionConfig(given, kind).value?.spec, functionConfig(packaged, kind).value?.spec];
  return a !== undefined && b !== undefined && SHAPES.some((field) => !equal(shapeOf(a, field), shapeOf(b, field)));
}

function shapeOf(spec: object, field: (typeof SHAPES)[number]): Json {
  const value: unknown = Object.entries(spec).find(([key]) => key === field)?.[1];
  return JSON.parse(JSON.stringify(value ?? null));
}

function another({ path, source }: PlacedItem): Finding {
  const params = {
    problem: `functionConfig says something else of ${SHAPES.join(' or ')} than ${KIND} of ${path}, which tenantplane render goes by, so each render undoes the other.`,
    fix: `Take the functionConfig out, or name that file: configPath: ${path}`,
  };
  return finding('InputInvalid', source, { params, severity: 'warning' });
}
