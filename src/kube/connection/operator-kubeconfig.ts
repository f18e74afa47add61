import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isObject, type Json, type JsonObject, objectAt, objectsOf, own, stringAt } from '../../core/kube/json.ts';
import type { Clock } from '../clock.ts';
import { type Connection, type CredentialSource, fixedCredentials, type Impersonation } from './connection.ts';
import { execCredentials, readExecPlugin } from './exec-credential.ts';
import { addressProblem, type ChosenContext, chooseContext, FOLDER_KEY, type Read, type Refusal, refuse } from './kubeconfig.ts';
import { proxyOf, proxyProblem } from './proxy-of.ts';
import { tokenFile } from './token-file.ts';

export interface OperatorOptions {
  /** files of kubeconfigs; of several entries of one name the first counts */
  readonly paths: readonly string[];
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** YAML, as kubectl reads it; undefined where it is none */
  readonly parse: (text: string) => Json | undefined;
  /** where a credential plugin's words go, which may ask somebody to open a page */
  readonly talk: (text: string) => void;
}

/** The files that kubectl would read: those of KUBECONFIG, or the one at home. */
export function kubeconfigPaths(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
}

/**
 * Reads a person's own kubeconfig: files and credential plugins are theirs, so they are used. What is left out is refused by name, and
 * nothing is taken in its place.
 */
export function readOperatorKubeconfig(options: OperatorOptions): Read<Connection> {
  const merged = mergeFiles(options);
  if ('refusals' in merged) return merged;
  const chosen = chooseContext(merged.value, options.context);
  return 'refusals' in chosen ? chosen : readContext(chosen.value, options);
}

function mergeFiles({ paths, parse }: OperatorOptions): Read<JsonObject> {
  const merged: JsonObject = { clusters: [], users: [], contexts: [] };
  let files = 0;
  for (const path of paths) {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      // of several, those that are not there are passed over, as kubectl does
      if (paths.length > 1 && isMissing(error)) continue;
      return refuse(path, isMissing(error) ? 'there is no such file' : 'it cannot be read');
    }
    const config = text.trim() === '' ? {} : parse(text);
    if (!isObject(config)) return refuse(path, 'it is no YAML map');
    files += 1;
    for (const list of ['clusters', 'users', 'contexts'] as const) {
      const entries = objectsOf(own(config, list)).map((entry) => ({ ...entry, [FOLDER_KEY]: dirname(resolve(path)) }));
      merged[list] = [...objectsOf(own(merged, list)), ...entries];
    }
    merged['current-context'] ??= stringAt(config, 'current-context') || undefined;
  }
  return files === 0 ? refuse(paths.join(delimiter), 'none of these files is there') : { value: merged };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** What is not taken of a person's own kubeconfig. */
const NOT_TAKEN: readonly (readonly [part: 'cluster' | 'user', field: string, why: string])[] = [
  ['cluster', 'insecure-skip-tls-verify', 'an unproven server could answer; give certificate-authority-data'],
  ['user', 'auth-provider', 'kubectl itself has replaced these by credential plugins (exec)'],
  ['user', 'username', 'passwords are no longer a way into an API server'],
];

function readContext(chosen: ChosenContext, options: OperatorOptions): Read<Connection> {
  const { cluster, clusterPath, user } = chosen;
  const refusals: Refusal[] = NOT_TAKEN.flatMap(([part, field, why]) => {
    const value = own(chosen[part], field);
    const path = part === 'cluster' ? clusterPath : chosen.userPath;
    return value === undefined || value === null || value === false || value === '' ? [] : [{ path: `${path}.${field}`, why }];
  });
  const server = stringAt(cluster, 'server') ?? '';
  const problem = server === '' ? 'it is missing' : addressProblem(server);
  if (problem !== undefined) refusals.push({ path: `${clusterPath}.server`, why: problem });
  const authority = pemOf(cluster, 'certificate-authority', chosen.folders.cluster, clusterPath, refusals);
  const credentials = credentialsOf(chosen, { server, ...(authority !== undefined && { authority }) }, options, refusals);
  if (refusals.length > 0) return { refusals };
  const serverName = stringAt(cluster, 'tls-server-name') || undefined;
  const proxy = proxyOf(new URL(server), stringAt(cluster, 'proxy-url') || undefined, options.env);
  const wrong = proxy === undefined ? undefined : proxyProblem(proxy);
  // the address may hold a password
  if (wrong !== undefined) return refuse(stringAt(cluster, 'proxy-url') ? `${clusterPath}.proxy-url` : 'HTTPS_PROXY', wrong);
  const impersonate = impersonation(user);
  return {
    value: {
      server,
      credentials,
      ...(authority !== undefined && { authority }),
      ...(serverName !== undefined && { serverName }),
      ...(proxy !== undefined && { proxy }),
      ...(impersonate !== undefined && { impersonate }),
    },
  };
}

/** Of several ways to sign in the first counts that kubectl would take: a token beats a plugin, a certificate goes beside a token. */
function credentialsOf(
  { user, userPath, folders }: ChosenContext,
  { server, authority }: Pick<Connection, 'server' | 'authority'>,
  { env, clock, talk }: OperatorOptions,
  refusals: Refusal[],
): CredentialSource {
  const token = stringAt(user, 'token') || undefined;
  const file = stringAt(user, 'tokenFile') || undefined;
  const exec = objectAt(user, 'exec');
  // kubectl reads the file where both are there
  if (file !== undefined) return tokenFile(resolve(folders.user, file), clock);
  const certificate = pemOf(user, 'client-certificate', folders.user, userPath, refusals);
  const key = pemOf(user, 'client-key', folders.user, userPath, refusals);
  if (exec === undefined || token !== undefined) {
    return fixedCredentials({
      ...(token !== undefined && { token }),
      ...(certificate !== undefined && key !== undefined && { certificate, key }),
    });
  }
  const told: JsonObject = { server };
  if (authority !== undefined) told['certificate-authority-data'] = Buffer.from(authority, 'latin1').toString('base64');
  const plugin = readExecPlugin(exec, folders.user, env, told);
  if (typeof plugin !== 'string') return execCredentials(plugin, clock, talk);
  refusals.push({ path: `${userPath}.exec`, why: plugin });
  return fixedCredentials({});
}

/** The content of `field-data`, or of the file that `field` names. */
function pemOf(map: JsonObject, field: string, folder: string, path: string, refusals: Refusal[]): string | undefined {
  const data = stringAt(map, `${field}-data`) ?? '';
  if (data !== '') return Buffer.from(data, 'base64').toString('latin1');
  const file = stringAt(map, field) ?? '';
  if (file === '') return undefined;
  try {
    return readFileSync(resolve(folder, file), 'latin1');
  } catch {
    refusals.push({ path: `${path}.${field}`, why: 'the file that it names cannot be read' });
    return undefined;
  }
}

function impersonation(user: JsonObject): Impersonation | undefined {
  const [name, groups, uid] = [stringAt(user, 'as') || undefined, own(user, 'as-groups'), stringAt(user, 'as-uid') || undefined];
  if (name === undefined) return undefined;
  return {
    user: name,
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
    ...(uid !== undefined && { uid }),
  };
}
