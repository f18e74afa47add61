import { at, isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import type { Answer, ApiServer } from './api-server.ts';

/** Objects as `kubectl get -o json` gives them, asked for from this process: a kubectl for each look takes fifty times the CPU. */
export interface Reader {
  /** undefined where it is not there, or nobody answers */
  get(kind: string, name: string, namespace?: string): Promise<JsonObject | undefined>;
  /** of all namespaces where none is named; `query` as the API has it: `fieldSelector=…` */
  list(kind: string, namespace?: string, query?: string): Promise<readonly JsonObject[]>;
}

/** A kind that the server has, and where it serves it. */
interface Served {
  readonly apiVersion: string;
  readonly kind: string;
  readonly base: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** what people call it */
  readonly names: readonly string[];
}

export function readerOf({ get }: Pick<ApiServer, 'get'>): Reader {
  let known: readonly Served[] = [];
  const servedAs = async (kind: string): Promise<Served> => {
    const wanted = kind.toLowerCase();
    const find = (): Served | undefined => known.find(({ names }) => names.includes(wanted));
    // a CRD may have come since
    if (find() === undefined)
      known = (await Promise.all(['/api', '/apis'].map(async (path) => kindsIn(await get(path, DISCOVERY))))).flat();
    const served = find();
    if (served === undefined) throw new Error(`the server has no kind ${kind}`);
    return served;
  };
  const complete = ({ metadata, ...object }: JsonObject, { apiVersion, kind }: Served): JsonObject => {
    const { managedFields: _, ...shown } = isObject(metadata) ? metadata : {};
    return { apiVersion, kind, ...object, metadata: shown };
  };
  return {
    async get(kind, name, namespace) {
      const served = await servedAs(kind);
      const answer = await get(`${placeOf(served, namespace ?? 'default')}/${name}`);
      return answer?.status === 200 ? complete(bodyOf(answer), served) : undefined;
    },
    async list(kind, namespace, query = '') {
      const served = await servedAs(kind);
      const path = `${placeOf(served, namespace)}${query === '' ? '' : `?${query}`}`;
      const answer = await get(path);
      if (answer?.status !== 200) throw new Error(`GET ${path}: ${answer?.status ?? 'no answer'} ${answer?.body ?? ''}`);
      return objectsOf(bodyOf(answer)['items']).map((object) => complete(object, served));
    },
  };
}

const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function placeOf({ base, plural, namespaced }: Served, namespace: string | undefined): string {
  return namespaced && namespace !== undefined ? `${base}/namespaces/${namespace}/${plural}` : `${base}/${plural}`;
}

/** The kinds of each group in its preferred version, in the server's order: where two have one name, the first is meant. */
function kindsIn(answer: Answer | undefined): readonly Served[] {
  if (answer === undefined) return [];
  return objectsOf(bodyOf(answer)['items']).flatMap((group): readonly Served[] => {
    const name = stringAt(group, 'metadata', 'name') ?? '';
    const version = objectAt(group, 'versions', 0);
    const apiVersion = [name, stringAt(version, 'version')].filter(Boolean).join('/');
    const base = name === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
    return objectsOf(version?.['resources']).map((resource) => {
      const [plural, kind] = [stringAt(resource, 'resource') ?? '', stringAt(resource, 'responseKind', 'kind') ?? ''];
      const shorts = textsOf(at(resource, 'shortNames'));
      const names = [plural, kind.toLowerCase(), ...shorts, `${plural}.${name}`];
      return { apiVersion, kind, base, plural, namespaced: stringAt(resource, 'scope') === 'Namespaced', names };
    });
  });
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function bodyOf({ body }: Answer): JsonObject {
  const parsed = JSON.parse(body) as Json;
  return isObject(parsed) ? parsed : {};
}
