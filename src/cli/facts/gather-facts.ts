import { asString, at, isObject, type Json, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, nameOf } from '../../core/kube/object.ts';
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

/**
 * Asks a host what a render has to know of it.
 * @throws TenantplaneError where the host cannot be reached at all: facts of nothing would read as a host that has nothing
 */
export async function gatherFacts(reach: Reach, signal: AbortSignal): Promise<Gathered> {
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
    const found = answer !== undefined && 'text' in answer ? read(parsed(answer.text)) : undefined;
    if (found !== undefined) Object.assign(spec, found);
    else {
      const said = answer !== undefined && 'refused' in answer ? answer.refused : 'the host does not tell';
      const why = assumed === undefined ? said : `${said}; ${assumed}`;
      for (const fact of facts) missing.push({ fact, why });
    }
  });
  if ('text' in versions) spec['apiVersions'] = versions.text.split('\n').filter(Boolean).sort();
  else missing.push({ fact: 'apiVersions', why: versions.refused });
  missing.push({ fact: 'networkPolicies', why: 'no API says whether the network plugin enforces them' });
  return { spec, missing };
}

function parsed(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((item) => asString(item) ?? []) : [];
}
