import { asString, at, isObject, type Json, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, nameOf } from '../../core/kube/object.ts';
import { isSystemPriority } from '../../core/plan/host-facts.ts';
import { checkConfigOf } from '../../schema/check-config.ts';
import { FUNCTION_GROUP, VERSION } from '../../schema/config-kinds.ts';
import { TenantplaneError } from '../errors.ts';
import { askKubectl, type Reach } from './ask-kubectl.ts';

export interface Gathered {
  /** fields of a HostFacts spec, in the order in which they are written */
  readonly spec: JsonObject;
  /** what could not be found out, with the host's own words */
  readonly missing: readonly { readonly fact: string; readonly why: string }[];
}

/** One fact, the question that finds it, and how the answer is read; undefined where the answer does not tell. */
interface Question {
  readonly facts: readonly string[];
  readonly ask: readonly string[];
  read(answer: Json): JsonObject | undefined;
  /** what a render takes for true where the host does not tell */
  readonly assumed?: string;
}

const names = (answer: Json): string[] => objectsOf(at(answer, 'items')).map(nameOf).sort();
const list = (fact: string, resource: string): Question => ({
  facts: [fact],
  ask: ['get', resource, '-o', 'json'],
  read: (answer) => ({ [fact]: names(answer) }),
});

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

const QUESTIONS: readonly Question[] = [
  {
    facts: ['serviceCIDRs'],
    // served since Kubernetes 1.33 (KEP-1880)
    ask: ['get', 'servicecidrs.networking.k8s.io', '-o', 'json'],
    read: (answer) => {
      const ranges = objectsOf(at(answer, 'items')).flatMap((range) => strings(at(range, 'spec', 'cidrs')));
      return ranges.length === 0 ? undefined : { serviceCIDRs: ranges.sort() };
    },
  },
  {
    facts: ['clusterDomain'],
    assumed: 'cluster.local is assumed, so write it into the file where it is another',
    ask: ['get', 'configmap', 'coredns', '-n', 'kube-system', '-o', 'json'],
    read: (answer) => {
      const domain = /^\s*kubernetes\s+([a-z0-9.-]+)/m.exec(stringAt(answer, 'data', 'Corefile') ?? '')?.[1]?.replace(/\.$/, '');
      return domain === undefined ? undefined : { clusterDomain: domain };
    },
  },
  {
    facts: ['runtimeClasses', 'runtimeTolerations'],
    ask: ['get', 'runtimeclasses.node.k8s.io', '-o', 'json'],
    read: (answer) => ({
      runtimeClasses: names(answer),
      runtimeTolerations: objectsOf(at(answer, 'items')).flatMap((entry) =>
        objectsOf(at(entry, 'scheduling', 'tolerations')).map(({ key, operator, value, effect }) =>
          given({ runtimeClass: nameOf(entry), key, operator, value, effect }),
        ),
      ),
    }),
  },
  {
    facts: ['storageClasses', 'defaultStorageClass'],
    ask: ['get', 'storageclasses.storage.k8s.io', '-o', 'json'],
    read: (answer) => {
      const classes = objectsOf(at(answer, 'items'));
      const chosen = classes.filter((entry) => annotationsOf(entry).get(DEFAULT_CLASS) === 'true').sort(newestFirst)[0];
      return { storageClasses: names(answer), defaultStorageClass: chosen === undefined ? '' : nameOf(chosen) };
    },
  },
  list('ingressClasses', 'ingressclasses.networking.k8s.io'),
  {
    facts: ['priorityClasses', 'defaultPriorityClass'],
    ask: ['get', 'priorityclasses.scheduling.k8s.io', '-o', 'json'],
    read: (answer) => {
      const chosen = objectsOf(at(answer, 'items')).find((entry) => entry['globalDefault'] === true);
      return { priorityClasses: names(answer), defaultPriorityClass: chosen === undefined ? '' : nameOf(chosen) };
    },
  },
];

/** Without what is not there. */
function given(fields: { readonly [key: string]: Json | undefined }): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) object[key] = value;
  return object;
}

/** Of several defaults the API server takes the newest (KEP-3333). */
function newestFirst(a: JsonObject, b: JsonObject): number {
  const born = (object: JsonObject): string => stringAt(object, 'metadata', 'creationTimestamp') ?? '';
  return born(b).localeCompare(born(a)) || nameOf(a).localeCompare(nameOf(b));
}

/** Milliseconds for all questions together: kubectl's own limit knows nothing of a credential plugin that waits for somebody. */
const LIMIT = 60_000;

/**
 * Asks a host what a render has to know of it.
 * @throws TenantplaneError where the host cannot be reached at all: facts of nothing would read as a host that has nothing
 */
export async function gatherFacts(reach: Reach, interrupt: AbortSignal, limit: number = LIMIT): Promise<Gathered> {
  const late = AbortSignal.timeout(limit);
  try {
    return await askAll(reach, AbortSignal.any([interrupt, late]));
  } catch (error) {
    if (interrupt.aborted) throw new TenantplaneError('interrupted', 'Interrupted.', { cause: error });
    if (!late.aborted || error instanceof TenantplaneError) throw error;
    throw new TenantplaneError('system', `The host did not answer everything within ${limit / 1000} s.`, {
      hint: 'Call kubectl version with the same --kubeconfig and --context, and look what it waits for.',
      cause: error,
    });
  }
}

async function askAll(reach: Reach, signal: AbortSignal): Promise<Gathered> {
  const version = await askKubectl(reach, ['version', '-o', 'json'], signal);
  const server = 'text' in version ? stringAt(parsed(version.text), 'serverVersion', 'gitVersion') : undefined;
  if (server === undefined) {
    const why = 'refused' in version ? version.refused : 'kubectl names no version of the server.';
    throw new TenantplaneError('system', `The host cannot be reached: ${why}`, {
      hint: 'Name it with --kubeconfig and --context, as kubectl has them.',
    });
  }
  const spec: JsonObject = { version: server };
  const missing: { fact: string; why: string }[] = [];
  const [versions, ...answers] = await Promise.all([
    askKubectl(reach, ['api-versions'], signal),
    ...QUESTIONS.map(({ ask }) => askKubectl(reach, ask, signal)),
  ]);
  QUESTIONS.forEach(({ facts, read, assumed }, index) => {
    const answer = answers[index];
    const told = answer !== undefined && 'text' in answer ? parsed(answer.text) : undefined;
    const found = told === undefined ? undefined : read(told);
    if (found !== undefined) Object.assign(spec, found);
    else {
      const said = answer !== undefined && 'refused' in answer ? answer.refused : 'the host does not tell';
      const why = assumed === undefined ? said : `${said}; ${assumed}`;
      for (const fact of facts) missing.push({ fact, why });
    }
  });
  if ('text' in versions) spec['apiVersions'] = versions.text.split('\n').filter(Boolean).sort();
  else missing.push({ fact: 'apiVersions', why: versions.refused });
  missing.push(...takeOut(spec));
  missing.push({ fact: 'networkPolicies', why: 'no API says whether the network plugin enforces them' });
  return { spec, missing };
}

/** Takes answers out that cannot be facts: one odd name is no reason to know nothing of the host. */
function takeOut(spec: JsonObject): Gathered['missing'] {
  const odd = new Map<string, string>();
  for (const { pointer, message } of checkConfigOf(hostFacts(spec), 'HostFacts').problems) {
    const fact = pointer.split('/')[2];
    if (fact !== undefined && !odd.has(fact)) odd.set(fact, message);
  }
  const chosen = asString(spec['defaultPriorityClass']) ?? '';
  if (isSystemPriority(chosen)) odd.set('defaultPriorityClass', `it is ${chosen}, which no tenant may have`);
  for (const fact of odd.keys()) delete spec[fact];
  return [...odd].map(([fact, why]) => ({ fact, why }));
}

export function hostFacts(spec: JsonObject): JsonObject {
  return {
    apiVersion: `${FUNCTION_GROUP}/${VERSION}`,
    kind: 'HostFacts',
    metadata: { name: 'host', annotations: { 'config.kubernetes.io/local-config': 'true' } },
    spec,
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((item) => asString(item) ?? []) : [];
}
