import { basename } from 'node:path';
import { findMakers } from '../../core/explain/find-makers.ts';
import { everything, type Found, findSubjects, type Question } from '../../core/explain/find-subjects.ts';
import { makersStem } from '../../core/explain/made-by.ts';
import { kindKey } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { visible } from '../../report/escape.ts';
import { some } from '../../report/text.ts';
import { TenantplaneError } from '../errors.ts';
import type { KindName } from '../explain/find-kind.ts';
import { type ObjectWords, oneOf, readObjectWords } from '../explain/object-words.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { noTenant } from '../package/no-tenant.ts';
import { type Cluster, type OpenPackage, readText } from './open-package.ts';
import { kindOfWord, tryKindOfWord } from './own-kinds.ts';
import { type PlanPart, planPart } from './plan-part.ts';
import type { Reference } from './read-reference.ts';
import { withStanding } from './standing-objects.ts';
import { refWords } from './why-text.ts';

export interface AskFlags {
  /** NAME or NAMESPACE/NAME */
  readonly tenant?: string;
  readonly namespace?: string;
  readonly virtualNamespace?: string;
}

/** A question with the part of the plan that answers it. */
export interface Asked {
  readonly question: Question;
  readonly kind?: KindName;
  readonly part: PlanPart;
  readonly found: readonly Found[];
  /** that what was found makes what was asked for, in words */
  readonly made?: string;
}

const TENANT_CLUSTER = kindKey('tenantplane.io/v1alpha1', 'TenantCluster');

/** Plans as little as answers the question: a tenant, a few, or everything where only that can tell. */
export async function ask(open: OpenPackage, reference: Reference, flags: AskFlags, signal: AbortSignal): Promise<Asked> {
  const named = reference.file === undefined ? namedObject(open, reference.words) : undefined;
  const [said, told] = [flags.tenant, named?.tenant].map((name) => (name === undefined ? undefined : clusterNamed(open, name)));
  oneOf('tenants', said?.key, told?.key);
  const tenant = said ?? told;
  const { question, kind } = questionOf(open, reference.file, named, { ...flags, ...(tenant !== undefined && { tenant: tenant.key }) });
  // the copy of a TenantCluster lies in a shared folder, and the plan of one tenant alone tells nothing of those
  const shared = question.kind === TENANT_CLUSTER;
  const likely = shared ? undefined : tenant === undefined ? (likelyClusters(open, question) ?? likelyMakers(open, question)) : [tenant];
  const part = await withStanding(await planPart(open, likely, signal), open);
  const found = atLine(findSubjects(part.plan, question), reference.line);
  const asked = { question, ...(kind !== undefined && { kind }), part, found };
  if (found.length > 0) return asked;
  const makers = findMakers(part.plan, question);
  if (makers.length > 0) return made(asked, makers);
  if (part.whole || tenant !== undefined || ownFolder(open, question.hostFile) !== undefined) return inKnownNamespace(asked, open, named);
  const whole = await withStanding(await planPart(open, undefined, signal), open);
  const everywhere = { ...asked, part: whole, found: atLine(findSubjects(whole.plan, question), reference.line) };
  return inKnownNamespace(everywhere.found.length > 0 ? everywhere : made(everywhere, findMakers(whole.plan, question)), open, named);
}

/** What was found. @throws TenantplaneError that names the nearest kind where `deplyo/web` is no object in a namespace `deplyo` */
function inKnownNamespace(asked: Asked, open: OpenPackage, named: ObjectWords | undefined): Asked {
  const namespace = named?.kind === undefined ? named?.namespace : undefined;
  if (named === undefined || namespace === undefined || asked.found.length > 0) return asked;
  const refs = everything(asked.part.plan).flatMap(({ decision: { source, host } }) => [source, host]);
  if (!refs.some((ref) => ref?.namespace === namespace)) kindOfWord(open, namespace, named.name);
  return asked;
}

/** A pod as kubectl lists it is in no file: what makes it is. */
function made(asked: Asked, makers: readonly Found[]): Asked {
  if (makers.length === 0) return asked;
  const { question, kind } = asked;
  const names = [...new Set(makers.flatMap(makerWords))];
  const makes = names.length === 1 ? `${some(names)} makes it.` : `one of these makes it: ${some(names)}.`;
  return { ...asked, found: makers, made: `${kind?.kind ?? 'Pod'} ${question.name} is in no file; ${makes}` };
}

/** An object of a tenant is not named by its virtual namespace alone: many tenants have a `default`. */
function makerWords({ decision: { host, source, tenant } }: Found): readonly string[] {
  if (host !== undefined) return [refWords(host)];
  return source === undefined ? [] : [`${refWords(source)} of tenant ${tenant.namespace}/${tenant.name}`];
}

/** On stderr: the answer is about another object than the one that was named. */
export function tellMade({ made: words }: Asked, { quiet }: SharedFlags, io: CliIo): void {
  if (words !== undefined && quiet !== true) io.stderr.write(`${visible(`note: ${words}`)}\n`);
}

/** Tenants that may have what makes the object that is asked for. */
function likelyMakers(open: OpenPackage, question: Question): readonly Cluster[] | undefined {
  const stem = makersStem(question.name ?? '');
  return question.name === undefined || stem === question.name || stem === ''
    ? undefined
    : likelyClusters(open, { ...question, name: stem });
}

/** Of the objects of one source file, the one that holds the line; a rendered file has one object. */
function atLine(found: readonly Found[], line: number | undefined): readonly Found[] {
  const starts = found.flatMap(({ decision }) => decision.source?.file.line ?? []);
  if (line === undefined || starts.length === 0) return found;
  const above = starts.filter((start) => start <= line);
  const start = above.length > 0 ? Math.max(...above) : Math.min(...starts);
  return found.filter(({ decision }) => decision.source?.file.line === start);
}

/** @throws TenantplaneError that names the nearest tenant */
export function clusterNamed(open: OpenPackage, name: string): Cluster {
  const found = open.clusters.filter((cluster) => cluster.key === name || cluster.name === name);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (second !== undefined) {
    const keys = found.map(({ key }) => key).join(', ');
    throw new TenantplaneError('usage', `There are ${found.length} tenants called ${name}: ${keys}.`, {
      hint: 'Say which one, as NAMESPACE/NAME.',
    });
  }
  throw noTenant(
    name,
    open.clusters.map(({ key }) => key),
  );
}

/** @throws TenantplaneError where the words are no one object */
function namedObject(open: OpenPackage, words: readonly string[]): ObjectWords {
  const named = readObjectWords(words, (word, name) => tryKindOfWord(open, word, name) !== undefined);
  if (named !== undefined) return named;
  throw words.length === 0
    ? new TenantplaneError('usage', 'Which object?', { hint: 'Give KIND/NAME, a name alone, or a file.' })
    : new TenantplaneError('usage', `${words.join(' ')} is more than one object.`, {
        hint: 'Ask for one at a time, as KIND/NAME, a name alone, or a file; why-not takes several KIND/NAME.',
      });
}

function questionOf(
  open: OpenPackage,
  file: string | undefined,
  named: ObjectWords | undefined,
  flags: AskFlags,
): { question: Question; kind?: KindName } {
  const common = {
    ...(flags.tenant !== undefined && { tenant: flags.tenant }),
    ...(flags.namespace !== undefined && { namespace: flags.namespace }),
    ...(flags.virtualNamespace !== undefined && { virtualNamespace: flags.virtualNamespace }),
  };
  if (file !== undefined) {
    const rendered = `${HOST_FOLDER}/`;
    return { question: file.startsWith(rendered) ? { ...common, hostFile: file.slice(rendered.length) } : { ...common, sourceFile: file } };
  }
  const kind = named?.kind === undefined ? undefined : kindOfWord(open, named.kind, named.name);
  // a virtual namespace that is said is meant, also where the object is printed with it
  const namespace =
    flags.virtualNamespace !== undefined && flags.namespace === undefined
      ? void oneOf('namespaces', flags.virtualNamespace, named?.namespace)
      : oneOf('namespaces', flags.namespace, named?.namespace);
  return {
    question: {
      ...common,
      ...(named !== undefined && { name: named.name }),
      ...(namespace !== undefined && { namespace }),
      ...(kind !== undefined && { kind: kindKey(kind.apiVersion, kind.kind) }),
    },
    ...(kind !== undefined && { kind }),
  };
}

/** Tenants that the question may be about, by what their files are called and hold; undefined where it may be any. */
function likelyClusters(open: OpenPackage, question: Question): readonly Cluster[] | undefined {
  const { hostFile, sourceFile, namespace, name } = question;
  if (hostFile !== undefined) return clustersOfFiles(open, [hostFile]);
  if (sourceFile !== undefined) {
    const folder = objectsFolder(sourceFile);
    const owner = open.clusters.filter((cluster) => cluster.folder === folder);
    return folder === undefined || owner.length === 0 ? undefined : owner;
  }
  const home = open.clusters.filter((cluster) => cluster.namespace === namespace || cluster.controlPlane === namespace);
  if (home.length > 0) return home;
  if (name === undefined) return undefined;
  const named = clustersOfFiles(
    open,
    open.hostFiles.filter((path) => basename(path).includes(name)),
  );
  const writing = new Set(open.sources.filter((path) => readText(open, path)?.includes(name) === true).map(objectsFolder));
  const both = new Set([...(named ?? []), ...open.clusters.filter(({ folder }) => writing.has(folder))]);
  return named === undefined || (both.size === 0 && !open.hostFiles.some((path) => basename(path).includes(name))) ? undefined : [...both];
}

/** Whose rendered files are; undefined where one may be anybody's. A file of what is shared adds no tenant. */
function clustersOfFiles(open: OpenPackage, paths: readonly string[]): readonly Cluster[] | undefined {
  const found = new Set<Cluster>();
  for (const path of paths) {
    const owner = ownFolder(open, path) ?? annotated(open, path);
    if (owner === 'nobody') return undefined;
    if (owner !== 'shared') found.add(owner);
  }
  return [...found];
}

function ownFolder(open: OpenPackage, path: string | undefined): Cluster | undefined {
  return open.clusters.find(({ namespace }) => path?.startsWith(`${namespace}/`) === true);
}

/** What stands in a shared folder says whose it is, where it is one tenant's. Only a hint: the plan decides. */
function annotated(open: OpenPackage, path: string): Cluster | 'shared' | 'nobody' {
  if (!path.startsWith('platform/') && !path.startsWith('config/')) return 'nobody';
  const key = /^ +tenantplane\.io\/tenant-cluster: (\S+)$/m.exec(readText(open, `${HOST_FOLDER}/${path}`) ?? '')?.[1];
  return open.clusters.find((cluster) => cluster.key === key) ?? 'shared';
}
