import { basename, join } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import { type JsonObject, objectAt } from '../../core/kube/json.ts';
import { isHostFacts, objectsFolder } from '../../core/plan/assign.ts';
import { TRUSTED_WRITERS } from '../../core/plan/host-facts.ts';
import { plan } from '../../core/plan/plan.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import { gatherFacts, hostFacts } from '../facts/gather-facts.ts';
import { openHost, type Reach } from '../facts/open-host.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { needObjects } from '../package/need-objects.ts';
import { shownPath } from '../package/shown-path.ts';
import { differenceOf } from '../render/difference-of.ts';
import { type LoadedPackage, type LoadOptions, loadPackage, needFolder } from '../render/load-package.ts';
import { packageStyle } from '../render/package-style.ts';
import { type PlanFlags, type PlannedPackage, planLoaded } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import { resolveConfig } from '../render/render-config.ts';
import { unaccounted } from '../render/unaccounted.ts';
import { askGit } from './ask-git.ts';
import type { Diagnosis } from './diagnosis.ts';
import { doctorAnswer } from './doctor-answer.ts';
import { appliersIn, appliersOnHost, inventoryOf } from './gather-appliers.ts';
import { gitopsChecks } from './gitops-checks.ts';
import { hostChecks } from './host-checks.ts';
import { leftOut } from './left-out.ts';
import type { Place } from './repository.ts';
import { repositoryChecks } from './repository-checks.ts';

export interface DoctorFlags extends PlanFlags, SharedFlags, AnswerFlags {
  /** the host to ask; undefined where only the repository is looked at */
  readonly reach?: Reach;
  /** folder of Applications and Kustomizations, absolute */
  readonly gitops?: string;
}

const GITOPS =
  'Name the folder that holds the Applications or Kustomizations, or leave --gitops out. tenantplane help render application says how they are made.';

/** Looks at a repository and, where it is named, a host. Changes nothing. @returns 1 where something failed or is to be looked at */
export async function runDoctor(flags: DoctorFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  needFolder(flags.root, 'package');
  if (flags.gitops !== undefined) needFolder(flags.gitops, 'folder of Applications', GITOPS);
  let host: Transport | undefined;
  try {
    talk.say('reading');
    const loaded = await loadPackage(flags.root, loadOptions(flags, io.signal));
    // what cannot be read may well be ours, and is told as such
    if (loaded.findings.length === 0) needObjects(loaded);
    const planned = await planLoaded(loaded, { ...flags, allowEmpty: true }, io, talk);
    const style = packageStyle(planned, io, flags);
    const packagePath = shownPath(io.cwd, flags.root);
    const difference = await differenceOf(planned, io.signal);
    const git = await askGit(loaded.hostExists ? planned.tree : flags.root, planned.tree, [...loaded.host.keys()], io.signal);
    const found: Diagnosis[] = [
      ...repositoryChecks({
        plan: planned.plan,
        difference,
        foreign: unaccounted(planned, difference).foreign,
        packagePath,
        treePath: style.hostPrefix,
        ...(flags.platform !== undefined && { platform: shownPath(io.cwd, flags.platform) }),
        git,
        leftOut: leftOut(git.top ?? flags.root, planned.tree, plannedFiles(planned)),
      }),
    ];
    if (flags.reach !== undefined) {
      talk.say('asking the host');
      host = await openHost(flags.reach, io);
      found.push(...(await askHost(flags, host, packagePath, io.signal)));
    }
    found.push(...(await askAppliers(planned, { flags, host, packagePath, place: git.place }, io.signal)));
    talk.clear();
    printAnswer(
      doctorAnswer(found, packagePath, flags.reach === undefined ? '' : reachWords(flags.reach) || '(kubectl’s current context)'),
      flags,
      style,
      io,
    );
    return found.some(({ result }) => result === 'fail' || result === 'warn') ? EXIT.findings : EXIT.done;
  } finally {
    talk.clear();
    host?.close();
  }
}

async function askHost(flags: DoctorFlags, host: Transport, packagePath: string, signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const { spec: live } = await gatherFacts(host, signal);
  // planned anew, with what the host says in place of what the package says of it
  const loaded = await loadPackage(flags.root, loadOptions(flags, signal));
  const { render } = await resolveConfig(flags, loaded.texts);
  const committed = committedFacts(loaded);
  const kept = committed?.spec['networkPolicies'];
  const inputs = loaded.inputs.filter(({ object, source }) => !isHostFacts(object) || objectsFolder(source.path) !== undefined);
  const facts = {
    object: hostFacts({ ...live, ...(kept !== undefined && { networkPolicies: kept }) }),
    source: { path: committed?.path ?? 'facts.yaml', document: 0 },
  };
  const { version: _, ...assumed } = render.host;
  const { findings } = plan({
    inputs: [...inputs, facts],
    unreadable: loaded.findings,
    config: { ...render, host: assumed },
    keepFields: false,
  });
  return hostChecks({
    live,
    ...(committed !== undefined && {
      committed: { ...committed, path: packagePath === '.' ? committed.path : `${packagePath}/${committed.path}` },
    }),
    findings,
    packagePath,
    reach: flags.reach === undefined ? '' : reachWords(flags.reach),
  });
}

function loadOptions({ root, tree, platform }: DoctorFlags, signal: AbortSignal): LoadOptions {
  return { tree: tree ?? join(root, HOST_FOLDER), ...(platform !== undefined && { platform }), signal };
}

function committedFacts({ inputs }: LoadedPackage): { readonly spec: JsonObject; readonly path: string } | undefined {
  const facts = inputs.find(({ object, source }) => isHostFacts(object) && objectsFolder(source.path) === undefined);
  return facts === undefined ? undefined : { spec: objectAt(facts.object, 'spec') ?? {}, path: facts.source.path };
}

interface Asked {
  readonly flags: DoctorFlags;
  readonly host: Transport | undefined;
  readonly packagePath: string;
  readonly place: Place;
}

async function askAppliers(
  planned: PlannedPackage,
  { flags, host, packagePath, place }: Asked,
  signal: AbortSignal,
): Promise<readonly Diagnosis[]> {
  const appliers = [
    ...inventoryOf(flags.root),
    ...(flags.gitops === undefined ? [] : await appliersIn(flags.gitops, signal)),
    ...(host === undefined ? [] : await appliersOnHost(host, signal)),
  ];
  const { tree, loaded } = planned;
  const { render } = await resolveConfig(flags, loaded.texts);
  const trusted = render.host.trustedWriters ?? TRUSTED_WRITERS;
  return gitopsChecks({
    appliers,
    tree: plannedFiles(planned),
    folder: basename(tree),
    trustedWriters: trusted,
    yaml: (text) => parseDocument(text).value,
    asked: flags.gitops !== undefined ? 'folder' : host !== undefined ? 'host' : 'nothing',
    packagePath,
    place,
  });
}

/** The files of the tree, by path relative to it. */
function plannedFiles({ plan: own }: PlannedPackage): ReadonlyMap<string, JsonObject> {
  return new Map([...own.shared, ...own.tenants.flatMap((tenant) => tenant.files)].map((file) => [file.path, file.object]));
}

/** The flags as they would be typed; none where kubectl's own context was asked. */
function reachWords(reach: Reach): string {
  const words = [
    ...(reach.kubeconfig === undefined ? [] : [`--kubeconfig ${shellWord(reach.kubeconfig)}`]),
    ...(reach.context === undefined ? [] : [`--context ${shellWord(reach.context)}`]),
  ];
  return words.join(' ');
}
