import { describe, isObject, type Json, type JsonObject, objectAt, objectsOf, own, stringAt } from '../../core/kube/json.ts';

/** The cluster and the user that one context of a kubeconfig names. */
export interface ChosenContext {
  readonly cluster: JsonObject;
  readonly user: JsonObject;
  /** for messages: `clusters[dev].cluster` */
  readonly clusterPath: string;
  readonly userPath: string;
  /** the folders of the files that hold the two, where they come from files */
  readonly folders: { readonly cluster: string; readonly user: string };
}

/** An entry of a kubeconfig, and the folder of its file. */
export const FOLDER_KEY = ' folder';

/** Why a kubeconfig is not taken, and what to do: sentences for people. They hold paths and names, never a value. */
export interface Refusal {
  readonly path: string;
  readonly why: string;
}

export type Read<T> = { readonly value: T } | { readonly refusals: readonly Refusal[] };

export function refuse(path: string, why: string): { readonly refusals: readonly Refusal[] } {
  return { refusals: [{ path, why }] };
}

/** @param context the current one, where none is named */
export function chooseContext(config: Json | undefined, context?: string): Read<ChosenContext> {
  if (!isObject(config)) return refuse('', `a kubeconfig is a map, and this is ${describe(config)}`);
  const name = context ?? stringAt(config, 'current-context') ?? '';
  if (name === '') return refuse('current-context', 'no context is named');
  const chosen = entry(config, 'contexts', name, 'context');
  if (chosen === undefined) return refuse('contexts', `there is no context ${quoted(name)}; ${contextsOf(config)}`);
  const [cluster, user] = [stringAt(chosen.content, 'cluster') ?? '', stringAt(chosen.content, 'user') ?? ''];
  const found = { cluster: entry(config, 'clusters', cluster, 'cluster'), user: entry(config, 'users', user, 'user') };
  if (found.cluster === undefined) return refuse('clusters', `there is no cluster ${JSON.stringify(cluster)}`);
  // kubectl takes a context without a user for one that asks anonymously
  if (found.user === undefined && user !== '') return refuse('users', `there is no user ${JSON.stringify(user)}`);
  return {
    value: {
      cluster: found.cluster.content,
      user: found.user?.content ?? {},
      folders: { cluster: found.cluster.folder, user: found.user?.folder ?? '' },
      clusterPath: `clusters[${cluster}].cluster`,
      userPath: `users[${user}].user`,
    },
  };
}

const LISTED = 10;

function contextsOf(config: JsonObject): string {
  const names = [...new Set(objectsOf(own(config, 'contexts')).map((entry) => stringAt(entry, 'name') ?? ''))].filter(
    (name) => name !== '',
  );
  if (names.length === 0) return 'there are none';
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return `there is ${names.slice(0, LISTED).map(quoted).join(', ')}${more}`;
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** Of several of one name the first counts, as for kubectl. */
function entry(config: JsonObject, list: string, name: string, key: string): { content: JsonObject; folder: string } | undefined {
  const found = objectsOf(own(config, list)).find((candidate) => own(candidate, 'name') === name);
  return found === undefined ? undefined : { content: objectAt(found, key) ?? {}, folder: stringAt(found, FOLDER_KEY) ?? '' };
}

/** What is wrong with an address; undefined where it can be asked. */
export function addressProblem(server: string): string | undefined {
  let url: URL;
  try {
    url = new URL(server);
  } catch {
    return 'it is no URL';
  }
  if (url.protocol !== 'https:') return 'only https is spoken: credentials would go over the wire in the clear';
  if (url.username !== '' || url.password !== '') return 'credentials have no place in an address';
  if (url.search !== '' || url.hash !== '') return 'an address has neither a query nor a fragment';
  return undefined;
}
