import { posix } from 'node:path';
import { objectsFolder } from '../../core/plan/assign.ts';
import { mayClaimHosts } from '../../core/plan/old-tree.ts';
import { plan } from '../../core/plan/plan.ts';
import type { Finding, InputObject, Observation, Plan } from '../../core/plan/plan-types.ts';
import { claimedHosts } from '../../core/translate/kinds/ingress-hosts.ts';
import { HOST_FOLDER, readListed } from '../../krm/package.ts';
import { YAML_PRINTER } from '../../krm/printer.ts';
import { PLATFORM } from '../render/load-package.ts';
import { previousFile } from '../render/previous-tree.ts';
import { type Cluster, type OpenPackage, readText } from './open-package.ts';
import { withStandingCopy } from './standing-copy.ts';

/** A plan of some tenants, the same as in a plan of all, and what it was made from. */
export interface PlanPart {
  readonly plan: Plan;
  readonly inputs: readonly InputObject[];
  readonly texts: ReadonlyMap<string, string>;
  /** what the planner was shown, for questions about what is not in the package */
  readonly observed: Observation;
  /** whether it is the plan of the whole package */
  readonly whole: boolean;
}

/**
 * Plans these tenants only. A tenant's plan depends on its own objects, on all configuration, and on the others in one point
 * alone: who holds an Ingress host. So the objects of others are read only where such a host is named twice.
 * @param clusters undefined plans everything
 */
export async function planPart(open: OpenPackage, clusters: readonly Cluster[] | undefined, signal: AbortSignal): Promise<PlanPart> {
  const inputs: InputObject[] = [...open.config];
  const findings: Finding[] = [...open.findings];
  const texts = new Map(open.texts);
  const add = async (paths: readonly string[]): Promise<readonly InputObject[]> => {
    const read = await readListed(
      open.root,
      paths.filter((path) => !texts.has(path)),
      signal,
    );
    inputs.push(...read.inputs);
    findings.push(...read.findings);
    for (const file of read.files) texts.set(file.path, file.text);
    return read.inputs;
  };
  const folders = clusters === undefined ? undefined : new Set(clusters.map(({ folder }) => folder));
  const own = await add(open.sources.filter((path) => folders?.has(objectsFolder(path) ?? '') !== false));
  const hosts = new Set(own.flatMap(({ object }) => claimedHosts(object)));
  if (folders !== undefined && hosts.size > 0) await add(await rivals(open, hosts, folders, signal));

  const observed: Observation = {
    inputs,
    unreadable: findings,
    ...(open.hostExists && { previous: hostFiles(open, clusters, hosts.size > 0).map((path) => standing(open, path)) }),
    // what a part does not show is not removed
    config: clusters === undefined ? open.render : { ...open.render, allowEmpty: true, maxDeletions: Number.MAX_SAFE_INTEGER },
    foreign: ({ path }) => path.startsWith(PLATFORM),
    ...(clusters !== undefined && { only: new Set(clusters.map(({ key }) => key)) }),
  };
  const made = plan({ ...observed, printer: YAML_PRINTER });
  return {
    plan: clusters === undefined ? withCopies(made, open) : told(made, open),
    inputs,
    texts,
    observed,
    whole: clusters === undefined,
  };
}

function withCopies(made: Plan, open: OpenPackage): Plan {
  return { ...made, decisions: made.decisions.map((decision) => withStandingCopy(decision, open)) };
}

/** Of a part's plan, what it can tell: of what is shared, only what stands on the disk just so and can therefore be held for nobody. */
function told(made: Plan, open: OpenPackage): Plan {
  const same = made.shared.filter(
    ({ path, text, decision }) => decision.tenant.name === '' && readText(open, posix.join(HOST_FOLDER, path)) === text,
  );
  return { ...made, shared: same, decisions: [], removed: [] };
}

function standing(open: OpenPackage, path: string): ReturnType<typeof previousFile> {
  return previousFile(path, () => readText(open, posix.join(HOST_FOLDER, path)) ?? '');
}

/** Files of the tree that these tenants' plan looks at: their own, shared ones, those of tenants that are gone, and who holds a host. */
function hostFiles(open: OpenPackage, clusters: readonly Cluster[] | undefined, claims: boolean): readonly string[] {
  if (clusters === undefined) return open.hostFiles;
  const wanted = new Set(clusters.map(({ namespace }) => namespace));
  const others = new Set(open.clusters.map(({ namespace }) => namespace).filter((namespace) => !wanted.has(namespace)));
  return open.hostFiles.filter((path) => !others.has(path.slice(0, path.indexOf('/'))) || (claims && mayClaimHosts(path)));
}

/** Escapes by which YAML and JSON may spell a letter: where there is one, only a parser knows what the text says. */
const SPELT = /\\(?:[xu]|\r?\n)/;
/** Outside of it, lower case depends on what stands beside. */
const ASCII = /^[\x21-\x7e]+$/;

/** Files of the other tenants that name one of these hosts, with all else that those tenants have. */
async function rivals(
  open: OpenPackage,
  hosts: ReadonlySet<string>,
  own: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const others = open.sources.filter((path) => !own.has(objectsFolder(path) ?? ''));
  // a host with www. may be claimed by one without, and the other way round (host-annotations.ts)
  const names = [...hosts].map((host) => host.replace(/^www\./, ''));
  const plain = names.every((name) => ASCII.test(name));
  const likely = others.filter((path) => {
    const text = (readText(open, path) ?? '').toLowerCase();
    return !plain || names.some((name) => text.includes(name)) || SPELT.test(text);
  });
  const read = await readListed(open.root, likely, signal);
  const folders = new Set(
    read.inputs
      .filter(({ object }) => claimedHosts(object).some((host) => hosts.has(host)))
      .map(({ source }) => objectsFolder(source.path)),
  );
  return others.filter((path) => folders.has(objectsFolder(path)));
}
