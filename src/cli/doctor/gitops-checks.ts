import { shellWord } from '../../core/decision/shell-word.ts';
import { at, isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, apiVersionOf, groupOf, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { CREATE_ONLY_MARK } from '../../core/plan/delivery.ts';
import { plural } from '../../report/text.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';

export interface GitopsFacts {
  /** Applications, ApplicationSets, Kustomizations, `argocd-cm`: from files or from the host */
  readonly appliers: readonly JsonObject[];
  /** objects of the rendered tree, by path relative to it */
  readonly tree: ReadonlyMap<string, JsonObject>;
  /** last folder of the tree's path, `host` */
  readonly folder: string;
  readonly trustedWriters: readonly string[];
  /** reads YAML inside YAML; undefined where it is none */
  readonly yaml: (text: string) => Json | undefined;
  /** whether a host was asked, so that nothing found means that nothing is there */
  readonly asked: boolean;
}

/** How an applier has to be set so that it applies the tree as it is. Pure. */
export function gitopsChecks(facts: GitopsFacts): readonly Diagnosis[] {
  const applications = facts.appliers.flatMap((applier) => sourcesOf(applier, facts.folder));
  const kustomizations = facts.appliers.filter(
    (applier) =>
      isKind(applier, 'kustomize.toolkit.fluxcd.io', 'Kustomization') &&
      inTree(stringAt(applier, 'spec', 'path'), facts.folder) !== undefined,
  );
  const found = applications.length + kustomizations.length;
  const none = facts.asked
    ? 'neither an Application of Argo CD nor a Kustomization of Flux names the tree on this host'
    : 'no Application of Argo CD and no Kustomization of Flux was seen that names the tree';
  return [
    found === 0
      ? diagnosis(
          'TPD301',
          'unknown',
          none,
          'Name the folder they are in (--gitops FOLDER), or print them: tenantplane render application --help',
        )
      : diagnosis(
          'TPD301',
          'ok',
          [count(applications.length, 'Application'), count(kustomizations.length, 'Kustomization')].filter(Boolean).join(' and '),
        ),
    ...faultsOr('TPD302', applications, (application) => problems(ARGO, application, facts)),
    ...faultsOr(
      'TPD303',
      kustomizations.map((object) => ({ object, name: refOf(object), path: '' })),
      (kustomization) => problems(FLUX, kustomization, facts),
    ),
    ...facts.appliers
      .filter((object) => kindOf(object) === 'ConfigMap')
      .flatMap((settings) => [tracking(settings), exclusions(settings, facts), argoTrust(settings, facts)]),
  ];
}

/** An applier that names the tree: the part of its spec that says how, and where in the tree it begins. */
interface Applier {
  readonly object: JsonObject;
  readonly name: string;
  /** relative to the tree, '' where it is the whole */
  readonly path: string;
}

interface Setting {
  readonly result: 'warn' | 'fail';
  readonly what: string;
  readonly fix: string;
  wrong(spec: JsonObject, facts: GitopsFacts, path: string): boolean;
}

const options = (spec: JsonObject): readonly Json[] => {
  const list = at(spec, 'syncPolicy', 'syncOptions');
  return Array.isArray(list) ? list : [];
};
const has = (spec: JsonObject, option: string): boolean => options(spec).includes(option);
const createOnly = ({ tree }: GitopsFacts): boolean =>
  [...tree.values()].some((object) => annotationsOf(object).get(CREATE_ONLY_MARK.key) === CREATE_ONLY_MARK.value);

/** Settings of an Application under which the tree is not applied as it is. A new one is a row. */
const ARGO: readonly Setting[] = [
  {
    result: 'fail',
    what: 'syncs with Replace=true, which writes over what is written once and recreates what cannot be changed',
    fix: 'Take Replace=true out of spec.syncPolicy.syncOptions; objects that need it carry it themselves.',
    wrong: (spec) => has(spec, 'Replace=true') || has(spec, 'Force=true'),
  },
  {
    result: 'warn',
    what: 'does not apply on the server, so each manifest is copied into an annotation, and a large one is refused',
    fix: 'Add ServerSideApply=true to spec.syncPolicy.syncOptions.',
    wrong: (spec) => !has(spec, 'ServerSideApply=true'),
  },
  {
    result: 'fail',
    what: 'undoes what the host changes in objects that are written once (fromHost, bidirectional)',
    fix: 'Print the Application anew (tenantplane render application): it has the ignoreDifferences and RespectIgnoreDifferences=true.',
    wrong: (spec, facts) =>
      createOnly(facts) &&
      !(has(spec, 'RespectIgnoreDifferences=true') && JSON.stringify(at(spec, 'ignoreDifferences') ?? null).includes(CREATE_ONLY_MARK.key)),
  },
  {
    result: 'fail',
    what: 'reads one folder only, and files of the tree lie deeper',
    fix: 'Set spec.source.directory.recurse to true.',
    wrong: (spec, { tree }, path) =>
      at(spec, 'source', 'directory', 'recurse') !== true &&
      [...tree.keys()].some(
        (file) => file.startsWith(path === '' ? '' : `${path}/`) && file.slice(path === '' ? 0 : path.length + 1).includes('/'),
      ),
  },
  {
    result: 'fail',
    what: 'changes names, labels or images on the way (spec.source.kustomize), so references and selectors lead nowhere',
    fix: 'Take spec.source.kustomize out.',
    wrong: (spec) => objectAt(spec, 'source', 'kustomize') !== undefined,
  },
  {
    result: 'warn',
    what: 'does not prune, so what leaves the tree stays on the host',
    fix: 'Set spec.syncPolicy.automated.prune to true.',
    wrong: (spec) => objectAt(spec, 'syncPolicy', 'automated') !== undefined && at(spec, 'syncPolicy', 'automated', 'prune') !== true,
  },
];

const FLUX: readonly Setting[] = [
  {
    result: 'fail',
    what: 'has force: true, which deletes and recreates what cannot be changed',
    fix: 'Take spec.force out; objects that need it carry it themselves.',
    wrong: (spec) => at(spec, 'force') === true,
  },
  {
    result: 'fail',
    what: 'moves or renames objects (targetNamespace, namePrefix, nameSuffix), so they leave their tenant',
    fix: 'Take these fields out of its spec.',
    wrong: (spec) => ['targetNamespace', 'namePrefix', 'nameSuffix'].some((field) => at(spec, field) !== undefined),
  },
  {
    result: 'warn',
    what: 'does not prune, so what leaves the tree stays on the host',
    fix: 'Set spec.prune to true.',
    wrong: (spec) => at(spec, 'prune') !== true,
  },
];

function problems(settings: readonly Setting[], { object, name, path }: Applier, facts: GitopsFacts): readonly Diagnosis[] {
  const spec = objectAt(object, 'spec') ?? {};
  const id = settings === ARGO ? 'TPD302' : 'TPD303';
  return settings
    .filter((setting) => setting.wrong(spec, facts, path))
    .map(({ result, what, fix }) => diagnosis(id, result, `${name} ${what}`, fix));
}

function faultsOr(
  id: 'TPD302' | 'TPD303',
  appliers: readonly Applier[],
  check: (applier: Applier) => readonly Diagnosis[],
): readonly Diagnosis[] {
  if (appliers.length === 0) return [];
  const found = appliers.flatMap(check);
  return found.length > 0 ? found : [diagnosis(id, 'ok', `${plural(appliers.length, 'applier')} set as the tree needs it`)];
}

/** Applications, and what an ApplicationSet makes them from. */
function sourcesOf(object: JsonObject, folder: string): readonly Applier[] {
  if (groupOf(apiVersionOf(object)) !== 'argoproj.io') return [];
  const application =
    kindOf(object) === 'ApplicationSet' ? { ...object, spec: objectAt(object, 'spec', 'template', 'spec') ?? {} } : object;
  if (kindOf(object) !== 'Application' && kindOf(object) !== 'ApplicationSet') return [];
  const path = inTree(stringAt(application, 'spec', 'source', 'path'), folder);
  return path === undefined ? [] : [{ object: application, name: refOf(object), path }];
}

/** A path of a repository below the tree: what is left of it; undefined where it does not lead there. */
function inTree(path: string | undefined, folder: string): string | undefined {
  const steps = (path ?? '').split('/').filter((step) => step !== '' && step !== '.');
  const index = steps.lastIndexOf(folder);
  // a template's path names its folder by a placeholder: it begins there, at the least
  return index < 0
    ? undefined
    : steps
        .slice(index + 1)
        .filter((step) => !step.includes('{{'))
        .join('/');
}

function tracking(settings: JsonObject): Diagnosis {
  const method = stringAt(settings, 'data', 'application.resourceTrackingMethod') ?? 'annotation';
  const name = refOf(settings);
  if (method === 'annotation') return diagnosis('TPD304', 'ok', 'Argo CD tracks by annotation');
  const patch = `kubectl patch configmap argocd-cm -n ${shellWord(namespaceOf(settings) ?? 'argocd')} --type merge -p '{"data":{"application.resourceTrackingMethod":"annotation"}}'`;
  return diagnosis('TPD304', 'warn', `${name} tracks by ${method}: a label of at most 63 characters is written onto every object`, patch);
}

/** Kinds that Argo CD leaves out of every Application; since 3.0 Endpoints and EndpointSlices are among its defaults. */
function exclusions(settings: JsonObject, { tree, yaml }: GitopsFacts): Diagnosis {
  const rules = excluded(yaml(stringAt(settings, 'data', 'resource.exclusions') ?? ''));
  const left = new Map<string, number>();
  for (const object of tree.values()) {
    const [group, kind] = [groupOf(apiVersionOf(object)), kindOf(object)];
    if (rules.some((rule) => rule.groups.some((glob) => matches(glob, group)) && rule.kinds.some((glob) => matches(glob, kind))))
      left.set(kind, (left.get(kind) ?? 0) + 1);
  }
  if (left.size === 0) return diagnosis('TPD305', 'ok', 'Argo CD leaves out no kind of the tree');
  const kinds = [...left].map(([kind, many]) => `${many} ${kind}`).join(', ');
  return diagnosis(
    'TPD305',
    'fail',
    `${refOf(settings)} leaves out ${kinds} of the tree (resource.exclusions)`,
    'Take these kinds out of resource.exclusions, or exclude them for the other clusters only.',
  );
}

interface Exclusion {
  readonly groups: readonly string[];
  readonly kinds: readonly string[];
}

function excluded(rules: Json | undefined): readonly Exclusion[] {
  return objectsOf(rules).map((rule) => ({ groups: globs(at(rule, 'apiGroups')), kinds: globs(at(rule, 'kinds')) }));
}

function globs(value: Json | undefined): readonly string[] {
  return Array.isArray(value) && value.length > 0 ? value.filter((item) => typeof item === 'string') : ['*'];
}

function matches(glob: string, text: string): boolean {
  const pattern = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(text);
}

function argoTrust(settings: JsonObject, { trustedWriters }: GitopsFacts): Diagnosis {
  const account = `system:serviceaccount:${namespaceOf(settings) ?? 'argocd'}:argocd-application-controller`;
  return trustedWriters.includes(account)
    ? diagnosis('TPD306', 'ok', `${account} is trusted`)
    : diagnosis(
        'TPD306',
        'fail',
        `${account} is not among host.trustedWriters, so our own admission policies refuse what it applies`,
        `Add it to host.trustedWriters of the RenderTenant object, then render.`,
      );
}

function isKind(object: JsonObject, group: string, kind: string): boolean {
  return kindOf(object) === kind && groupOf(apiVersionOf(object)) === group;
}

function refOf(object: JsonObject): string {
  const namespace = namespaceOf(object);
  return `${kindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}

function count(number: number, what: string): string {
  return number === 0 ? '' : plural(number, what);
}

/** Whether an object says how a tree is applied. */
export function isApplier(value: Json): value is JsonObject {
  if (!isObject(value)) return false;
  const group = groupOf(apiVersionOf(value));
  return (
    group === 'argoproj.io' || group === 'kustomize.toolkit.fluxcd.io' || (kindOf(value) === 'ConfigMap' && nameOf(value) === 'argocd-cm')
  );
}
