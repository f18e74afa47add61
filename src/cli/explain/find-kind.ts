import { KINDS, type KindRow } from '../../core/kube/kinds.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';

export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A kind beyond the table, with the words that kubectl has for it: plural, singular, short names. */
export interface DeclaredKind extends KindName {
  readonly words?: readonly string[];
}

/** Short names, as `kubectl api-resources` lists them. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  Pod: ['po'],
  Deployment: ['deploy'],
  StatefulSet: ['sts'],
  DaemonSet: ['ds'],
  ReplicaSet: ['rs'],
  ReplicationController: ['rc'],
  CronJob: ['cj'],
  Service: ['svc'],
  Endpoints: ['ep'],
  ConfigMap: ['cm'],
  PersistentVolumeClaim: ['pvc'],
  Ingress: ['ing'],
  NetworkPolicy: ['netpol'],
  PodDisruptionBudget: ['pdb'],
  HorizontalPodAutoscaler: ['hpa'],
  ExternalSecret: ['es'],
  ServiceAccount: ['sa'],
  Namespace: ['ns'],
};

/** A kind as the table has it, those that tenants' objects have first: a word may mean several. */
interface Known {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly words: readonly string[];
}

const PROJECTED: readonly Known[] = KINDS.filter(({ role }) => role === 'projected').map(known);
const TABLE: readonly Known[] = [...PROJECTED, ...KINDS.filter(({ role }) => role !== 'projected').map(known)];

function known({ kind, group, versions, plural }: KindRow): Known {
  return { kind, group, version: versions[0] ?? 'v1', words: [plural, ...(SHORT[kind] ?? [])] };
}

/**
 * The kind that a person means by `Deployment`, `deploy`, `deployments.apps`, `deployments.v1.apps` or `apps/v1/Deployment`.
 * @param declared kinds that the package names beyond the table
 */
export function findKind(text: string, declared: readonly DeclaredKind[]): KindName {
  const found = tryKind(text, declared);
  if (found !== undefined) return found;
  const slash = text.lastIndexOf('/');
  if (slash > 0) return { apiVersion: text.slice(0, slash), kind: text.slice(slash + 1) };
  const near = nearest(readKind(text).word, [...TABLE, ...declared].flatMap(wordsOf));
  throw new TenantplaneError(
    'usage',
    `The kind ${text} is not in the table of kinds, and neither a SyncPolicy nor such an object of the package names it.`,
    { hint: near === undefined ? 'Write it with its version: GROUP/VERSION/KIND.' : `Did you mean ${near}?` },
  );
}

/** What to type in place of a word that is no kind: the nearest one, and those that tenants’ objects have where it is none of them. */
export function kindHint(word: string, declared: readonly DeclaredKind[]): string {
  const near = nearest(word, [...PROJECTED, ...declared].flatMap(wordsOf));
  if (near !== undefined) return `Did you mean ${near}?`;
  const far = nearest(word, TABLE.flatMap(wordsOf));
  const kinds = PROJECTED.map(({ kind }) => kind).join(', ');
  return `${far === undefined ? '' : `Did you mean ${far}? `}The kinds of tenants’ objects are ${kinds}; write another one with its version: GROUP/VERSION/KIND.`;
}

function wordsOf({ kind, words = [] }: { readonly kind: string; readonly words?: readonly string[] }): readonly string[] {
  return [kind, ...words];
}

/** The same where the kind is known, with its version or without; undefined where it is not. */
export function tryKind(text: string, declared: readonly DeclaredKind[]): KindName | undefined {
  const asked = readKind(text);
  const own = declared.map(({ apiVersion, kind, words = [] }): Known => ({ kind, words, ...splitVersion(apiVersion) }));
  const found = [...TABLE, ...own].find((known) => isMeant(known, asked));
  if (found === undefined) return undefined;
  const version = asked.version ?? found.version;
  return { apiVersion: found.group === '' ? version : `${found.group}/${version}`, kind: found.kind };
}

interface AskedKind {
  /** kind, plural or short name */
  readonly word: string;
  readonly group?: string;
  readonly version?: string;
}

const VERSION = /^v\d+((alpha|beta)\d+)?$/;

/** `deployments.v1.apps` and `apps/v1/Deployment` are the same; kubectl prints `deployment.apps/web`. */
function readKind(text: string): AskedKind {
  const slash = text.lastIndexOf('/');
  if (slash > 0) {
    const named = splitVersion(text.slice(0, slash));
    // `shop/svc` is a namespace and a kind
    return VERSION.test(named.version) ? { word: text.slice(slash + 1), ...named } : { word: '' };
  }
  const [word = '', first, ...rest] = text.split('.');
  if (first === undefined) return { word };
  return VERSION.test(first) ? { word, version: first, group: rest.join('.') } : { word, group: [first, ...rest].join('.') };
}

function splitVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

function isMeant({ kind, group, words }: Known, asked: AskedKind): boolean {
  const word = asked.word.toLowerCase();
  if (kind.toLowerCase() !== word && !words.includes(word)) return false;
  // as kubectl does, which takes the beginning of a group for it
  return (
    asked.group === undefined ||
    asked.group === group ||
    (asked.group !== '' && asked.version === undefined && group.startsWith(asked.group))
  );
}
