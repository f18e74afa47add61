import { readFileSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { isOrMeansKind } from '../../core/kube/misnamed-kind.ts';
import { apiVersionOf, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { emitYaml } from '../../krm/yaml/emit.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { visibleYaml } from '../../report/visible-yaml.ts';
import { nearest } from '../../schema/nearest.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { type LoadedPackage, loadPackage } from '../render/load-package.ts';
import { previousTree } from '../render/previous-tree.ts';
import { resolveConfig } from '../render/render-config.ts';
import type { AssumedSubject } from './assumed-objects.ts';
import { declaredKinds } from './declared-kinds.ts';
import { type ExplanationFlags, explanation, explanationText } from './explanation.ts';
import type { KindName } from './find-kind.ts';
import { refuseHostManifest, refuseHostName } from './host-object.ts';
import { makerOf } from './maker.ts';
import { nameSubjects } from './name-subject.ts';
import { oneOf } from './object-words.ts';
import { elsewhereWords, type Facts, type Prediction, predict, type TenantName } from './predict.ts';

export interface ExplainFlags extends ExplanationFlags, SharedFlags {
  /** absolute */
  readonly cwd: string;
  /** absolute */
  readonly root: string;
  /** whether the path was typed: then it has to be a package */
  readonly rootGiven: boolean;
  /** whether no package is asked, but the names of a tenant alone */
  readonly namesOnly: boolean;
  readonly platform?: string;
  readonly tenant?: string;
  readonly tenantNamespace?: string;
  readonly virtualNamespace: string;
  readonly kind?: string;
  readonly name?: string;
  /** words that name the object, as `readWords` leaves them */
  readonly object: readonly string[];
  readonly manifest?: string;
  readonly config?: string;
  readonly hostVersion?: string;
  readonly output: 'yaml' | 'json' | 'text';
}

export async function runExplainSync(typedFlags: ExplainFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const loaded = await load(typedFlags, context);
  const { subjects: named, flags } = typedFlags.manifest === undefined ? asked(typedFlags, loaded) : { subjects: [], flags: typedFlags };
  const { tenant, folder } = findTenant(flags, loaded);
  if (folder === undefined && flags.quiet !== true) io.stderr.write(`note: ${noPackage(flags, loaded, tenant)}\n`);
  const texts = loaded?.texts ?? new Map<string, string>();
  const facts: Facts = {
    inputs: loaded?.inputs ?? [],
    unreadable: loaded?.findings ?? [],
    ...(loaded?.hostExists === true && { previous: previousTree(loaded.host) }),
    config: (await resolveConfig(flags, texts)).render,
    ...(folder !== undefined && { folder }),
  };
  const manifests = flags.manifest === undefined ? undefined : readManifest(await manifestText(flags.manifest, context), flags.manifest);
  const typed = packageWords(io.cwd, flags);
  const manifestPath = flags.manifest ?? '-';
  const isSource = loaded?.inputs.some(({ source }) => resolve(flags.root, source.path) === resolve(flags.cwd, manifestPath)) === true;
  if (!isSource) for (const { object } of manifests ?? []) refuseHostManifest(object, manifestPath === '-' ? 'stdin' : manifestPath, typed);
  const subjects = named.map((subject) => (isInput(subject, loaded) ? subject : (makerOf(subject, facts.inputs, folder) ?? subject)));
  if (flags.quiet !== true)
    for (const [index, { kind, name }] of subjects.entries()) {
      const typed = named[index];
      if (typed === undefined || typed.name === name) continue;
      io.stderr.write(`${visible(`note: ${typed.kind} ${typed.name} is in no file; ${kind} ${name} makes it.`)}\n`);
    }
  for (const subject of subjects) refuseHostName(subject, tenant, { known: isInput(subject, loaded), tree: facts.previous ?? [], typed });
  const predictions =
    manifests === undefined
      ? subjects.map((subject) => predict(tenant, subject, undefined, facts))
      : manifests.map((manifest) => predict(tenant, subjectIn(manifest, flags.virtualNamespace), manifest, facts));
  if (flags.quiet !== true) for (const line of predictions.flatMap(notes)) io.stderr.write(`${visible(`note: ${line}`)}\n`);
  io.stdout.write(printed(predictions, flags));
  return EXIT.done;
}

/** Whether the package holds an object of that name. */
function isInput({ apiVersion, kind, name }: AssumedSubject, loaded: LoadedPackage | undefined): boolean {
  const key = kindKey(apiVersion, kind);
  return (loaded?.inputs ?? []).some(({ object }) => nameOf(object) === name && isOrMeansKind(apiVersionOf(object), kindOf(object), key));
}

/** What is easily overlooked in a document. */
function notes({ stopped, frozen, elsewhere, subject, tenant }: Prediction): string[] {
  return [
    ...(stopped === undefined ? [] : [`the render stops, so nothing of this is written: ${stopped}`]),
    ...(frozen === undefined ? [] : [`tenant ${tenant.namespace}/${tenant.name} is frozen, its tree stays as it last was: ${frozen}`]),
    ...(elsewhere.length === 0 ? [] : [`${elsewhereWords(subject, elsewhere)}.`]),
  ];
}

function printed(predictions: readonly Prediction[], flags: ExplainFlags): string {
  if (flags.output === 'text') return predictions.map((prediction) => explanationText(prediction, flags)).join('\n');
  const documents = predictions.map((prediction) => explanation(prediction, flags));
  if (flags.output === 'yaml') return documents.map((document) => visibleYaml(document, emitYaml)).join('---\n');
  return `${jsonText(documents.length === 1 ? documents[0] : documents, 2)}\n`;
}

/** The package, or undefined where there is none and none was asked for. */
async function load(flags: ExplainFlags, context: CliContext): Promise<LoadedPackage | undefined> {
  if (flags.namesOnly) return undefined;
  const loaded = await loadPackage(flags.root, {
    tree: resolve(flags.root, HOST_FOLDER),
    ...(flags.platform !== undefined && { platform: flags.platform }),
    signal: context.io.signal,
  });
  if (!flags.rootGiven && !loaded.inputs.some(isTenant)) return undefined;
  return loaded;
}

function isTenant({ object, source }: InputObject): boolean {
  return kindOf(object) === 'TenantCluster' && apiVersionOf(object).startsWith('tenantplane.io/') && !source.path.includes('objects/');
}

function findTenant(flags: ExplainFlags, loaded: LoadedPackage | undefined): { tenant: TenantName; folder?: string } {
  const clusters = (loaded?.inputs ?? []).filter(isTenant);
  const named = clusters.filter(
    ({ object }) =>
      (flags.tenant === undefined || nameOf(object) === flags.tenant) &&
      (flags.tenantNamespace === undefined || namespaceOf(object) === flags.tenantNamespace),
  );
  const wanted = named.length > 1 ? besideManifest(named, flags) : named;
  const [first] = wanted;
  if (first !== undefined && wanted.length === 1) {
    const folder = dirname(first.source.path);
    return { tenant: { name: nameOf(first.object), namespace: namespaceOf(first.object) ?? '' }, folder: folder === '.' ? '' : folder };
  }
  const namesOnly =
    flags.tenant === undefined || flags.tenantNamespace === undefined
      ? undefined
      : { name: flags.tenant, namespace: flags.tenantNamespace };
  // A folder that nobody named and that holds several packages is no package.
  if (wanted.length > 1 && (flags.rootGiven || namesOnly === undefined)) {
    const names = wanted.map(({ object }) => `${namespaceOf(object) ?? ''}/${nameOf(object)}`);
    throw new TenantplaneError('usage', `The package has ${wanted.length} tenants that could be meant: ${names.slice(0, 10).join(', ')}.`, {
      hint: 'Name one with --tenant, and --tenant-namespace where that is not enough.',
    });
  }
  if (namesOnly !== undefined) return { tenant: namesOnly };
  const near =
    flags.tenant === undefined
      ? undefined
      : nearest(
          flags.tenant,
          clusters.map(({ object }) => nameOf(object)),
        );
  throw new TenantplaneError('usage', `No package here knows the tenant${flags.tenant === undefined ? '' : ` ${flags.tenant}`}.`, {
    hint: near === undefined ? 'Name the package (PATH), or give both --tenant and --tenant-namespace.' : `Did you mean ${near}?`,
  });
}

/** A manifest that lies in a tenant's `objects/` says whose it is. */
function besideManifest(clusters: readonly InputObject[], { manifest, root, cwd }: ExplainFlags): readonly InputObject[] {
  if (manifest === undefined || manifest === '-') return clusters;
  const path = relative(root, resolve(cwd, manifest)).split(sep).join('/');
  const own = clusters.filter(({ source }) => path.startsWith(posix.join(posix.dirname(source.path), 'objects/')));
  return own.length === 0 ? clusters : own;
}

function noPackage(flags: ExplainFlags, loaded: LoadedPackage | undefined, tenant: TenantName): string {
  return loaded === undefined || !flags.rootGiven
    ? 'no package was named and the folder here is none that knows the tenant; only names can be told.'
    : `the package has no TenantCluster ${tenant.namespace}/${tenant.name}; only names can be told.`;
}

/** What was asked for by name, and whose it is. */
function asked(flags: ExplainFlags, loaded: LoadedPackage | undefined): { subjects: readonly AssumedSubject[]; flags: ExplainFlags } {
  const inputs = loaded?.inputs ?? [];
  const present = inputs.map(({ object }) => ({ apiVersion: apiVersionOf(object), kind: kindOf(object) }));
  const kindsOf = (namespace: string, name: string): readonly KindName[] =>
    inputs.flatMap(({ object }, index) =>
      nameOf(object) === name && (namespaceOf(object) ?? 'default') === namespace ? (present[index] ?? []) : [],
    );
  const named = nameSubjects(flags.object, flags, { declared: [...declaredKinds(inputs), ...present], kindsOf });
  const said = flags.virtualNamespace === 'default' ? undefined : flags.virtualNamespace;
  const subjects = named.map(({ namespace, tenant: _, ...subject }) => ({
    ...subject,
    virtualNamespace: oneOf('namespaces', said, namespace) ?? flags.virtualNamespace,
  }));
  const whose = named.reduce<string | undefined>((known, { tenant }) => oneOf('tenants', known, tenant), undefined);
  const [tenant = whose, tenantNamespace] = (whose ?? '').split('/').reverse();
  if (whose === undefined || tenant === undefined) return { subjects, flags };
  const both = {
    tenant: oneOf('tenants', flags.tenant, tenant),
    tenantNamespace: oneOf('namespaces', flags.tenantNamespace, tenantNamespace),
  };
  return {
    subjects,
    flags: {
      ...flags,
      ...(both.tenant !== undefined && { tenant: both.tenant }),
      ...(both.tenantNamespace !== undefined && { tenantNamespace: both.tenantNamespace }),
    },
  };
}

function subjectIn({ object }: InputObject, virtualNamespace: string): AssumedSubject {
  return {
    apiVersion: apiVersionOf(object),
    kind: kindOf(object),
    name: nameOf(object),
    virtualNamespace: namespaceOf(object) ?? virtualNamespace,
  };
}

async function manifestText(path: string, context: CliContext): Promise<string> {
  if (path === '-') return context.io.readStdin();
  try {
    return readFileSync(resolve(context.io.cwd, path), 'utf8');
  } catch (error) {
    throw new TenantplaneError('usage', `The manifest ${path} cannot be read.`, {
      hint: 'Name a file that exists, or - for stdin.',
      cause: error,
    });
  }
}

function readManifest(text: string, path: string): readonly InputObject[] {
  const read = readDocuments(text, path === '-' ? 'stdin' : path);
  // an object that says no kind is as good as none, and nobody wants to hear of the others only
  const problem = read.findings.find(({ severity, reason }) => severity === 'error' || reason === 'ObjectMalformed');
  if (problem !== undefined) {
    throw new TenantplaneError('input', `${problem.source.path}:${problem.source.line ?? 1}: ${problem.message}`, { hint: problem.remedy });
  }
  if (read.objects.length === 0) {
    const why = read.findings[0]?.message;
    throw new TenantplaneError('input', `${path} holds no object.${why === undefined ? '' : ` ${why}`}`, {
      hint: 'Write a manifest into it.',
    });
  }
  return read.objects;
}
