import { shellWord } from '../../core/decision/shell-word.ts';
import { at, isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, apiVersionOf, groupOf, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { CREATE_ONLY_MARK } from '../../core/plan/delivery.ts';
import { plural } from '../../report/text.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';
import { type FolderFacts, folderChecks } from './folder-checks.ts';
import { type Applier, refOf, type Tree, treeAppliers } from './tree-appliers.ts';

export interface GitopsFacts extends Omit<FolderFacts, 'named' | 'treePath'>, Tree {
  readonly trustedWriters: readonly string[];
  /** reads YAML inside YAML; undefined where it is none */
  readonly yaml: (text: string) => Json | undefined;
}

/** How an applier has to be set so that it applies the tree as it is. Pure. */
export function gitopsChecks(facts: GitopsFacts): readonly Diagnosis[] {
  const named = treeAppliers(facts).filter(
    // inventories of other packages lie on the same host
    ({ kind, applies }) => kind !== 'kpt inventory' || [...facts.tree].some(([path, object]) => applies(path, object) === true),
  );
  const ours = named.filter(({ source }) => source !== 'other');
  const of = (kind: Applier['kind']): readonly Applier[] => ours.filter((applier) => applier.kind === kind);
  return [
    ...folderChecks({ ...facts, named, treePath: facts.place.treePath ?? facts.folder }),
    ...faultsOr('TPD302', of('Application'), (application) => problems(ARGO, application, facts)),
    ...faultsOr('TPD303', of('Kustomization'), (kustomization) => problems(FLUX, kustomization, facts)),
    ...facts.appliers
      .filter((object) => kindOf(object) === 'ConfigMap')
      .flatMap((settings) => [tracking(settings), exclusions(settings, facts), argoTrust(settings, facts)]),
  ];
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

const GROUPS: ReadonlySet<string> = new Set(['argoproj.io', 'kustomize.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io', 'kpt.dev']);

/** Whether an object says how a tree is applied. */
export function isApplier(value: Json): value is JsonObject {
  if (!isObject(value)) return false;
  const group = groupOf(apiVersionOf(value));
  return GROUPS.has(group) || (kindOf(value) === 'ConfigMap' && nameOf(value) === 'argocd-cm');
}
