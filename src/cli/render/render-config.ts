import { readFileSync } from 'node:fs';
import { at, type JsonObject } from '../../core/kube/json.ts';
import { NEWEST, OLDEST, versionProblem } from '../../core/kube/known-versions.ts';
import { apiVersionOf, groupOf, kindOf } from '../../core/kube/object.ts';
import type { RenderConfig } from '../../core/plan/plan-types.ts';
import { locate } from '../../krm/yaml/locate.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import type { FailOn } from '../../report/issues.ts';
import { FUNCTION_GROUP, FUNCTION_SCHEMAS, type RenderTenantConfig } from '../../schema/config-kinds.ts';
import { FORMATS } from '../../schema/formats.ts';
import { functionConfig } from '../../schema/function-config-map.ts';
import { nearest } from '../../schema/nearest.ts';
import { shown } from '../../schema/problems.ts';
import { TenantplaneError } from '../errors.ts';

/** Flags that say the same as fields of a RenderTenant; a flag wins. */
export interface ConfigFlags {
  readonly config?: string;
  readonly failOn?: FailOn;
  readonly allowEmpty?: boolean;
  readonly maxDeletions?: number;
  readonly hostVersion?: string;
}

export interface ResolvedConfig {
  readonly render: RenderConfig;
  readonly failOn: FailOn;
  /** whether sources get the annotation that keeps them out of an apply */
  readonly mark: boolean;
}

const KIND = 'RenderTenant';

/**
 * @param texts source files of the package, by path
 * @param fallback what `failOn` is where neither flag nor file says it
 */
export async function resolveConfig(flags: ConfigFlags, texts: ReadonlyMap<string, string>, fallback?: FailOn): Promise<ResolvedConfig> {
  const object = flags.config === undefined ? packagedConfig(texts) : configFile(flags.config);
  const spec = await specOf(object);
  const { host } = spec;
  const version = flags.hostVersion ?? host.version;
  if (flags.hostVersion !== undefined && !FORMATS['kubernetes-version'].test(flags.hostVersion)) {
    throw new TenantplaneError('usage', `--host-version is ${flags.hostVersion}, which is no Kubernetes version.`, {
      hint: 'Write it as 1.34.',
    });
  }
  const problem = versionProblem(flags.hostVersion ?? '');
  if (problem !== undefined) {
    throw new TenantplaneError('usage', `--host-version ${problem}`, {
      hint: `Use a version from 1.${OLDEST} to 1.${NEWEST}, or leave the flag out for the strictest of all.`,
    });
  }
  const maxDeletions = flags.maxDeletions ?? spec.maxDeletions;
  return {
    render: {
      ...(spec.tenant !== undefined && { tenant: spec.tenant }),
      output: { config: spec.output.config, shards: spec.output.shards },
      host: {
        ...(version !== undefined && { version }),
        clusterDomain: host.clusterDomain,
        ...(host.serviceCIDRs !== undefined && { serviceCIDRs: host.serviceCIDRs }),
        ...(host.trustedWriters !== undefined && { trustedWriters: host.trustedWriters }),
        ...(host.trustedGroups !== undefined && { trustedGroups: host.trustedGroups }),
      },
      allowEmpty: flags.allowEmpty ?? spec.allowEmpty,
      ...(maxDeletions !== undefined && { maxDeletions }),
      scope: 'everything',
    },
    mark: spec.output.sources === 'mark',
    // A default that the schema filled in is not what the file says.
    failOn: flags.failOn ?? (saysFailOn(object) ? spec.failOn : (fallback ?? spec.failOn)),
  };
}

function saysFailOn(found: ConfigObject | undefined): boolean {
  if (found === undefined) return false;
  return at(found.object, 'spec', 'failOn') !== undefined || at(found.object, 'data', 'failOn') !== undefined;
}

interface ConfigObject {
  readonly object: JsonObject;
  readonly path: string;
  readonly text: string;
  /** its number in the file, as the reader counts */
  readonly document: number;
}

async function specOf(found: ConfigObject | undefined): Promise<RenderTenantConfig['spec']> {
  const checked = functionConfig(found?.object, KIND);
  if (checked.value !== undefined) return checked.value.spec;
  const [first] = checked.problems;
  const place = found === undefined ? undefined : await locate(found.text, found.document, first?.pointer ?? '');
  const where = `${found?.path ?? KIND}${place === undefined ? '' : `:${place.line}`}`;
  throw new TenantplaneError('input', `${where}: ${checked.problems.map((problem) => problem.message).join(' ')}`, {
    hint: first?.remedy ?? '',
  });
}

/** A RenderTenant at the root of the package; deeper ones belong to other packages or, below objects/, to tenants. */
function packagedConfig(texts: ReadonlyMap<string, string>): ConfigObject | undefined {
  const found: ConfigObject[] = [];
  for (const [path, text] of texts) {
    if (path.includes('/') || !text.includes(FUNCTION_GROUP)) continue;
    found.push(...configsIn(text, path));
  }
  if (found.length > 1) {
    const places = found.map((config) => config.path).join(', ');
    throw new TenantplaneError('input', `The package has ${found.length} ${KIND} objects (${places}); one of them would be ignored.`, {
      hint: 'Keep one, or name it with --config.',
    });
  }
  return found[0];
}

function configFile(path: string): ConfigObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new TenantplaneError('usage', `--config ${path} cannot be read.`, {
      hint: `Name a file that holds a ${KIND} object.`,
      cause: error,
    });
  }
  const read = readDocuments(text, path);
  const problem = read.findings.find((found) => found.severity === 'error');
  if (problem !== undefined)
    throw new TenantplaneError('input', `${path}:${problem.source.line ?? 1}: ${problem.message}`, { hint: problem.remedy });
  const [first] = read.objects;
  if (first === undefined || read.objects.length > 1) {
    throw new TenantplaneError('input', `${path} holds ${read.objects.length} objects, not one.`, {
      hint: `Write one ${KIND} object into it.`,
    });
  }
  return { object: first.object, path, text, document: first.source.document };
}

function configsIn(text: string, path: string): ConfigObject[] {
  const ours = readDocuments(text, path).objects.filter(({ object }) => groupOf(apiVersionOf(object)) === FUNCTION_GROUP);
  for (const { object, source } of ours) {
    const kind = kindOf(object);
    if (Object.hasOwn(FUNCTION_SCHEMAS, kind) || kind === 'HostFacts') continue;
    // left alone, it would be passed over without a word, and the defaults would hold
    throw new TenantplaneError('input', `${path}:${source.line ?? 1}: kind is ${shown(kind)}, which is no kind of ${FUNCTION_GROUP}.`, {
      hint: `Did you mean ${nearest(kind, Object.keys(FUNCTION_SCHEMAS)) ?? KIND}?`,
    });
  }
  return ours
    .filter(({ object }) => kindOf(object) === KIND)
    .map(({ object, source }) => ({ object, path, text, document: source.document }));
}
