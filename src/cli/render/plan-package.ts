import { join } from 'node:path';
import { shellWord } from '../../core/decision/shell-word.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { plan } from '../../core/plan/plan.ts';
import type { HostFile, InputObject, Plan } from '../../core/plan/plan-types.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { YAML_PRINTER } from '../../krm/printer.ts';
import type { FailOn } from '../../report/issues.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { shownPath } from '../package/shown-path.ts';
import { type LoadedPackage, loadPackage, PLATFORM } from './load-package.ts';
import { previousTree } from './previous-tree.ts';
import type { Progress } from './progress.ts';
import { type ConfigFlags, resolveConfig } from './render-config.ts';
import { selectTenants } from './select-tenants.ts';

export interface PlanFlags extends ConfigFlags {
  /** absolute */
  readonly root: string;
  /** absolute path of the tree; `host/` in the package where undefined */
  readonly tree?: string;
  readonly platform?: string;
  readonly tenants: readonly string[];
  /** whether decisions list the fields that changed */
  readonly fields?: boolean;
  /** whether the objects of the input are kept after the plan is made */
  readonly inputs?: boolean;
  /** `failOn` where neither flag nor file says it */
  readonly failOnDefault?: FailOn;
}

export interface Withheld {
  /** what a whole render would write */
  readonly files: readonly HostFile[];
  /** how many more it would write, were there not something else in their place */
  readonly foreign: number;
}

export interface PlannedPackage {
  readonly loaded: LoadedPackage;
  /** absolute path of the tree */
  readonly tree: string;
  readonly plan: Plan;
  /** shared files that `--tenant` leaves out */
  readonly withheld: Withheld;
  /** whether the plan holds some of the tenants only */
  readonly partial: boolean;
  readonly failOn: FailOn;
  /** whether sources get the annotation that keeps them out of an apply */
  readonly mark: boolean;
}

/** Reads a package and plans it; writes nothing. */
export async function planPackage(flags: PlanFlags, io: CliIo, progress: Progress): Promise<PlannedPackage> {
  progress.say('reading');
  const loaded = await loadPackage(flags.root, {
    tree: treeOf(flags),
    ...(flags.platform !== undefined && { platform: flags.platform }),
    signal: io.signal,
  });
  return planLoaded(loaded, flags, io, progress);
}

/** Plans what was read already, such as a commit. */
export async function planLoaded(loaded: LoadedPackage, flags: PlanFlags, io: CliIo, progress: Progress): Promise<PlannedPackage> {
  const tree = treeOf(flags);
  const { render, failOn, mark } = await resolveConfig(flags, loaded.texts, flags.failOnDefault);
  progress.say(`planning ${loaded.inputs.length} objects`);
  const whole = plan({
    inputs: loaded.inputs,
    unreadable: loaded.findings,
    ...(loaded.hostExists && { previous: previousTree(loaded.host) }),
    config: render,
    foreign: ({ path }) => path.startsWith(PLATFORM),
    printer: YAML_PRINTER,
    keepFields: flags.fields === true,
    ...(flags.inputs !== true && { release: letGo }),
  });
  if (!render.allowEmpty && render.tenant === undefined) needTenant(whole, loaded, io.cwd);
  return {
    loaded,
    tree,
    plan: selectTenants(whole, flags.tenants),
    withheld: flags.tenants.length === 0 ? { files: [], foreign: 0 } : withheldOf(whole),
    partial: flags.tenants.length > 0,
    failOn,
    mark,
  };
}

function withheldOf({ shared, decisions }: Plan): Withheld {
  return { files: shared, foreign: decisions.filter(({ reason }) => reason === 'HostObjectForeign').length };
}

function treeOf({ root, tree }: PlanFlags): string {
  return tree ?? join(root, HOST_FOLDER);
}

/**
 * A folder that is no package: a wrong path in a pipeline would be green for ever. Where there is a tree, the planner's own
 * guard speaks (EmptyOutput), and where something could not be read, that is what has to be said.
 */
function needTenant(whole: Plan, loaded: LoadedPackage, cwd: string): void {
  if (whole.tenants.length > 0 || loaded.hostExists || whole.stopped) return;
  if (whole.findings.some(({ severity }) => severity === 'error')) return;
  const folder = shownPath(cwd, loaded.root);
  throw new TenantplaneError('input', `There is no TenantCluster in ${folder === '.' ? 'this folder' : `the folder ${folder}`}.`, {
    hint: `Name the package, make one (tenantplane init ${shellWord(folder)}), or say that it holds no tenant yet: --allow-empty.`,
  });
}

const NOTHING: JsonObject = {};

/** An input's object is most of what a big package holds in memory. */
function letGo(input: InputObject): void {
  (input as { object: JsonObject }).object = NOTHING;
}
