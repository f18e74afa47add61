import { shellWord } from '../../core/decision/shell-word.ts';
import { type JsonObject, stringAt } from '../../core/kube/json.ts';
import { nameOf } from '../../core/kube/object.ts';
import { plural } from '../../report/text.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';
import { withoutSecret } from './repository.ts';
import type { Applier } from './tree-appliers.ts';

export interface FolderFacts {
  /** those whose path may be the tree's */
  readonly named: readonly Applier[];
  /** objects of the rendered tree, by path relative to it */
  readonly tree: ReadonlyMap<string, JsonObject>;
  /** last folder of the tree's path, `host` */
  readonly folder: string;
  /** the package as it would be typed */
  readonly packagePath: string;
  /** the tree's path in its repository; `host` where git does not say */
  readonly treePath: string;
  /** whether a host was asked, or a folder of appliers: then nothing found means that nothing is there */
  readonly asked: 'host' | 'folder' | 'nothing';
}

/** Whether something applies the tree, and the whole of it. Pure. */
export function folderChecks(facts: FolderFacts): readonly Diagnosis[] {
  const found = facts.named.filter(({ source }) => source !== 'other');
  return [somethingApplies(found, facts), ...(found.length > 0 || facts.asked === 'folder' ? everyFolder(found, facts) : [])];
}

function somethingApplies(found: readonly Applier[], { named, asked }: FolderFacts): Diagnosis {
  if (found.length === 0) {
    const none =
      asked === 'host'
        ? 'neither an Application of Argo CD nor a Kustomization of Flux names the tree on this host'
        : 'no Application of Argo CD and no Kustomization of Flux was seen that names the tree';
    return diagnosis(
      'TPD301',
      'unknown',
      `${none}${othersText(named)}`,
      'Name the folder they are in (--gitops FOLDER), or print them: tenantplane render application --help',
    );
  }
  const kinds = (['Application', 'Kustomization', 'kpt inventory'] as const)
    .map((kind): [string, number] => [kind, found.filter((applier) => applier.kind === kind).length])
    .filter(([, many]) => many > 0)
    .map(([kind, many]) => (kind === 'kpt inventory' && many !== 1 ? `${many} kpt inventories` : plural(many, kind)))
    .join(' and ');
  const unsure = found.filter(({ source }) => source === 'unknown');
  if (unsure.length === 0) return diagnosis('TPD301', 'ok', `${kinds}${othersText(named)}`);
  const sourceless = unsure.some(({ repository }) => repository === '');
  return diagnosis(
    'TPD301',
    'unknown',
    `${kinds} with a path as the tree has it; whether ${unsure.length === 1 ? 'one reads' : `${unsure.length} read`} this repository is not known: ${
      sourceless ? 'the source is not among what was seen, or is no GitRepository' : 'git names no remote of the package'
    }${othersText(named)}`,
    sourceless
      ? 'Put the GitRepository that they name (sourceRef) into the folder of --gitops, or ask the host (--cluster).'
      : 'Run it in a clone, or: git remote add origin URL',
  );
}

/** What has the same path and reads something else, as the other package of two repositories does. */
function othersText(named: readonly Applier[]): string {
  const others = named.filter(({ source }) => source === 'other');
  const from = [...new Set(others.map(({ repository }) => repository).filter(Boolean))].sort();
  if (others.length === 0) return '';
  return ` (${plural(others.length, 'other')} of another package${from.length === 0 ? '' : `, from ${from.slice(0, 3).join(', ')}`})`;
}

/** Folders that a line names. */
const NAMED = 20;

function everyFolder(found: readonly Applier[], facts: FolderFacts): readonly Diagnosis[] {
  const folders = new Map<string, { missing: number; unsure: number; all: number }>();
  for (const [path, object] of facts.tree) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    const tally = folders.get(folder) ?? { missing: 0, unsure: 0, all: 0 };
    const answers = found.map((applier) => ({ applies: applier.applies(path, object), source: applier.source }));
    if (!answers.some(({ applies }) => applies !== false)) tally.missing += 1;
    else if (!answers.some(({ applies, source }) => applies === true && source === 'ours')) tally.unsure += 1;
    tally.all += 1;
    folders.set(folder, tally);
  }
  if (folders.size === 0) return [];
  const missing = [...folders].filter(([, tally]) => tally.missing > 0);
  if (missing.length > 0) {
    const names = missing
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, NAMED)
      .map(
        ([folder, tally]) => `${facts.folder}/${folder}${tally.missing < tally.all ? ` (${tally.missing} of ${tally.all} objects)` : ''}`,
      );
    const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
    return [
      diagnosis(
        'TPD307',
        'warn',
        `nothing that was found applies ${names.join(', ')}${more}`,
        `Print what does: ${printCommand(found, facts)}`,
      ),
    ];
  }
  const unsure = [...folders.values()].filter((tally) => tally.unsure > 0).length;
  return [
    unsure === 0
      ? diagnosis('TPD307', 'ok', `${plural(folders.size, 'folder')} of the tree, each applied`)
      : diagnosis(
          'TPD307',
          'unknown',
          `${plural(unsure, 'folder')} of ${folders.size} may be applied by what reads another repository`,
          'Compare what they read (repoURL, sourceRef) with git remote -v here.',
        ),
  ];
}

/** With the names that those of the same package have already: others would be there twice. */
function printCommand(found: readonly Applier[], { packagePath, treePath }: FolderFacts): string {
  const alike = found.find(({ kind }) => kind === 'Kustomization') ?? found.find(({ kind }) => kind === 'Application');
  const prefix = alike === undefined ? undefined : prefixOf(alike);
  const name = prefix === undefined || prefix === 'tenantplane' ? '' : ` --name ${shellWord(prefix)}`;
  const words = `${shellWord(packagePath)}${name}`;
  if (alike?.kind === 'Kustomization') {
    const source = `${stringAt(alike.object, 'spec', 'sourceRef', 'kind') ?? 'GitRepository'}/${stringAt(alike.object, 'spec', 'sourceRef', 'name') ?? 'NAME'}`;
    return `tenantplane render kustomization ${words} --source ${shellWord(source)} --path ${shellWord(treePath)}`;
  }
  const repo = withoutSecret((alike === undefined ? undefined : stringAt(alike.object, 'spec', 'source', 'repoURL')) ?? 'URL');
  return `tenantplane render application ${words} --repo ${shellWord(repo)} --path ${shellWord(treePath)}`;
}

/** `fleet` of `fleet-team-dev`; undefined where it is called otherwise. */
function prefixOf({ object, path }: Applier): string | undefined {
  const [name, ending] = [nameOf(object), `-${path.replaceAll('/', '.')}`];
  return path !== '' && name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;
}
