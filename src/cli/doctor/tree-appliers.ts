import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../core/kube/json.ts';
import { apiVersionOf, groupOf, kindOf, labelsOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type Place, repositoryOf, stepsOf, under } from './repository.ts';

/** What applies a tree, or may. */
export interface Applier {
  readonly kind: 'Application' | 'Kustomization' | 'kpt inventory';
  readonly object: JsonObject;
  readonly name: string;
  /** where in the tree it begins, '' where that is the whole */
  readonly path: string;
  /** `other`: it reads another repository, or another tree of this one. `unknown`: its repository and ours cannot be compared */
  readonly source: 'ours' | 'other' | 'unknown';
  /** as it is written, without who asks; '' where nothing says it */
  readonly repository: string;
  /** whether it applies a file of the tree; undefined where what it reads is made on the host */
  applies(file: string, object: JsonObject): boolean | undefined;
}

export interface Tree {
  /** Applications, ApplicationSets, Kustomizations and their sources, ResourceGroups */
  readonly appliers: readonly JsonObject[];
  /** last folder of the tree's path, `host` */
  readonly folder: string;
  readonly place: Place;
}

/** All that name a path which may be the tree's. */
export function treeAppliers(tree: Tree): readonly Applier[] {
  return tree.appliers.flatMap((object) => READERS[`${groupOf(apiVersionOf(object))}/${kindOf(object)}`]?.(object, tree) ?? []);
}

const READERS: Readonly<Record<string, (object: JsonObject, tree: Tree) => readonly Applier[]>> = {
  'argoproj.io/Application': (object, tree) => fromSources(object, object, tree),
  'argoproj.io/ApplicationSet': (object, tree) =>
    fromSources(object, { ...object, spec: objectAt(object, 'spec', 'template', 'spec') ?? {} }, tree),
  'kustomize.toolkit.fluxcd.io/Kustomization': fromKustomization,
  'kpt.dev/ResourceGroup': (object) => [inventory(object, listedIn(object))],
  // that of the package: kpt applies what lies beside it
  'kpt.dev/Kptfile': (object) => [inventory(object, () => true)],
};

/** An Application for each source of it that leads into the tree, with that one as its only. */
function fromSources(object: JsonObject, application: JsonObject, tree: Tree): readonly Applier[] {
  const several = objectsOf(at(application, 'spec', 'sources'));
  const sources = several.length > 0 ? several : [objectAt(application, 'spec', 'source') ?? {}];
  return sources.flatMap((source): readonly Applier[] => {
    const path = stringAt(source, 'path') ?? '';
    const globs = path.includes('{{') ? directories(object) : undefined;
    const read = (globs === undefined ? [path] : globs.taken).map((one) => inTree(one, tree));
    const [first] = read.filter((found) => found !== undefined).sort((a, b) => a.path.length - b.path.length);
    if (first === undefined) return [];
    const url = stringAt(source, 'repoURL') ?? '';
    // a template is filled in on the host
    const repository = url.includes('{{') ? '' : repositoryOf(url);
    return [
      {
        kind: 'Application',
        object: { ...application, spec: { ...objectAt(application, 'spec'), source } },
        name: refOf(object),
        path: globs === undefined ? first.path : '',
        repository,
        source: compare(first.same, repository, tree.place),
        applies: (file) =>
          globs === undefined ? under(file, first.path) && (first.open ? undefined : true) : inGlobs(`${first.root}/${file}`, globs),
      },
    ];
  });
}

interface Globs {
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

/** Folders that the Git generators of an ApplicationSet find; undefined where it has none, and so makes its paths otherwise. */
function directories(set: JsonObject): Globs | undefined {
  const found = objectsOf(at(set, 'spec', 'generators')).flatMap((generator) => objectsOf(at(generator, 'git', 'directories')));
  if (found.length === 0) return undefined;
  const paths = (exclude: boolean): string[] =>
    found.filter((item) => (at(item, 'exclude') === true) === exclude).map((item) => stepsOf(stringAt(item, 'path') ?? '').join('/'));
  return { taken: paths(false), left: paths(true) };
}

/** Whether a folder above a file is found: what is found is read with all below it. */
function inGlobs(file: string, { taken, left }: Globs): boolean {
  const steps = file.split('/');
  return steps.slice(0, -1).some((_, index) => {
    const folder = steps.slice(0, index + 1).join('/');
    const hit = (glob: string): boolean => globRegExp(glob).test(folder);
    return taken.some(hit) && !left.some(hit);
  });
}

function globRegExp(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`);
}

function fromKustomization(object: JsonObject, tree: Tree): readonly Applier[] {
  const found = inTree(stringAt(object, 'spec', 'path') ?? '', tree);
  if (found === undefined) return [];
  const repository = repositoryOf(sourceUrl(object, tree.appliers) ?? '');
  const leavesOut = objectsOf(at(object, 'spec', 'patches'))
    .filter((patch) => /^\s*\$patch:\s*delete\s*$/m.test(stringAt(patch, 'patch') ?? ''))
    .map((patch) => selects(stringAt(patch, 'target', 'labelSelector') ?? ''));
  return [
    {
      kind: 'Kustomization',
      object,
      name: refOf(object),
      path: found.path,
      repository,
      source: compare(found.same, repository, tree.place),
      applies: (file, item) => under(file, found.path) && !leavesOut.some((hit) => hit(item)),
    },
  ];
}

/** URL of the GitRepository that it reads. A bucket or a registry holds what was put there, which no URL tells. */
function sourceUrl(kustomization: JsonObject, all: readonly JsonObject[]): string | undefined {
  const [kind, name] = [stringAt(kustomization, 'spec', 'sourceRef', 'kind'), stringAt(kustomization, 'spec', 'sourceRef', 'name')];
  const namespace = stringAt(kustomization, 'spec', 'sourceRef', 'namespace') ?? namespaceOf(kustomization);
  const source = all.find((object) => isSource(object) && nameOf(object) === name && namespaceOf(object) === namespace);
  return kind === 'GitRepository' && source !== undefined ? stringAt(source, 'spec', 'url') : undefined;
}

function isSource(object: JsonObject): boolean {
  return kindOf(object) === 'GitRepository' && groupOf(apiVersionOf(object)) === 'source.toolkit.fluxcd.io';
}

/** The selectors that a printed Kustomization has; of any other it is taken that it hits nothing. */
function selects(selector: string): (object: JsonObject) => boolean {
  const [, key = '', not, values = ''] = /^\s*(\S+)\s+(not)?in\s+\(([^)]*)\)\s*$/.exec(selector) ?? [];
  if (key === '') return () => false;
  const named = new Set(values.split(',').map((value) => value.trim()));
  return (object) => named.has(labelsOf(object).get(key) ?? '') === (not === undefined);
}

function inventory(object: JsonObject, holds: (object: JsonObject) => boolean): Applier {
  return {
    kind: 'kpt inventory',
    object,
    name: refOf(object),
    path: '',
    repository: '',
    source: 'ours',
    applies: (_, item) => holds(item),
  };
}

/** What `kpt live` wrote down that it applied. */
function listedIn(group: JsonObject): (object: JsonObject) => boolean {
  const items = objectsOf(at(group, 'spec', 'resources'));
  const listed = new Set(items.map((item) => identity(...['group', 'kind', 'namespace', 'name'].map((field) => stringAt(item, field)))));
  return (object) => listed.has(identity(groupOf(apiVersionOf(object)), kindOf(object), namespaceOf(object), nameOf(object)));
}

function identity(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join('/');
}

interface InTree {
  readonly path: string;
  /** the tree's path in the repository: ours, or what the applier takes for one */
  readonly root: string;
  /** whether that is where our tree lies; undefined where git does not say */
  readonly same: boolean | undefined;
  /** whether it goes on with what is made on the host */
  readonly open: boolean;
}

/** A path of a repository below the tree: what is left of it; undefined where it does not lead there. */
function inTree(path: string, { folder, place }: Tree): InTree | undefined {
  const steps = stepsOf(path);
  const own = place.treePath === undefined ? undefined : stepsOf(place.treePath);
  const fits = own?.every((step, at) => globRegExp(steps[at] ?? '').test(step)) === true;
  const index = fits && own !== undefined ? own.length - 1 : steps.lastIndexOf(folder);
  if (index < 0) return undefined;
  const rest = steps.slice(index + 1);
  const fixed = rest.findIndex((step) => /\{\{|[*?[]/.test(step));
  return {
    path: (fixed < 0 ? rest : rest.slice(0, fixed)).join('/'),
    root: (fits && own !== undefined ? own : steps.slice(0, index + 1)).join('/'),
    same: own === undefined ? undefined : fits,
    open: fixed >= 0,
  };
}

function compare(samePath: boolean | undefined, repository: string, { repositories }: Place): Applier['source'] {
  const comparable = repository !== '' && repositories.length > 0;
  if (samePath === false || (comparable && !repositories.includes(repository))) return 'other';
  return comparable && samePath === true ? 'ours' : 'unknown';
}

export function refOf(object: JsonObject): string {
  const namespace = namespaceOf(object);
  return `${kindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}
