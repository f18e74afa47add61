import { asString, at, type Json, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, nameOf } from '../../core/kube/object.ts';
import { isSystemPriority } from '../../core/plan/host-facts.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import { type Discovered, find } from '../../kube/discovery/discovered.ts';
import { discovery } from '../../kube/discovery/discovery.ts';
import type { Result } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import { listAll } from '../../kube/reflector/list-pages.ts';
import { sendJson } from '../../kube/transport/send-json.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import { masked } from '../../report/mask-credentials.ts';
import { checkConfigOf } from '../../schema/check-config.ts';
import { FUNCTION_GROUP, VERSION } from '../../schema/config-kinds.ts';
import { NO_API_SERVER } from './host-hints.ts';
import { unanswered, unreachable } from './open-host.ts';
import { withinLimit } from './within-limit.ts';

export interface Gathered {
  /** fields of a HostFacts spec, in the order in which they are written */
  readonly spec: JsonObject;
  /** what could not be found out, with the host's own words */
  readonly missing: readonly { readonly fact: string; readonly why: string }[];
}

/** Some facts, the objects that they are found in, and how those are read; undefined where they do not tell. */
interface Question {
  readonly facts: readonly string[];
  readonly group: string;
  readonly plural: string;
  /** the one object, where not all are wanted */
  readonly object?: { readonly namespace: string; readonly name: string };
  read(objects: readonly JsonObject[]): JsonObject | undefined;
  /** what a render takes for true where the host does not tell */
  readonly assumed?: string;
}

const names = (objects: readonly JsonObject[]): string[] => objects.map(nameOf).sort();

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

const QUESTIONS: readonly Question[] = [
  {
    facts: ['serviceCIDRs'],
    // served since Kubernetes 1.33 (KEP-1880)
    group: 'networking.k8s.io',
    plural: 'servicecidrs',
    read: (objects) => {
      const ranges = objects.flatMap((range) => strings(at(range, 'spec', 'cidrs')));
      return ranges.length === 0 ? undefined : { serviceCIDRs: ranges.sort() };
    },
  },
  {
    facts: ['clusterDomain'],
    assumed: 'cluster.local is assumed, so write it into the file where it is another',
    group: '',
    plural: 'configmaps',
    object: { namespace: 'kube-system', name: 'coredns' },
    read: ([coredns]) => {
      const domain = /^\s*kubernetes\s+([a-z0-9.-]+)/m.exec(stringAt(coredns, 'data', 'Corefile') ?? '')?.[1]?.replace(/\.$/, '');
      return domain === undefined ? undefined : { clusterDomain: domain };
    },
  },
  {
    facts: ['runtimeClasses', 'runtimeTolerations'],
    group: 'node.k8s.io',
    plural: 'runtimeclasses',
    read: (objects) => ({
      runtimeClasses: names(objects),
      runtimeTolerations: objects.flatMap((entry) =>
        objectsOf(at(entry, 'scheduling', 'tolerations')).map(({ key, operator, value, effect }) =>
          given({ runtimeClass: nameOf(entry), key, operator, value, effect }),
        ),
      ),
    }),
  },
  {
    facts: ['storageClasses', 'defaultStorageClass'],
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    read: (classes) => {
      const chosen = classes.filter((entry) => annotationsOf(entry).get(DEFAULT_CLASS) === 'true').sort(newestFirst)[0];
      return { storageClasses: names(classes), defaultStorageClass: chosen === undefined ? '' : nameOf(chosen) };
    },
  },
  {
    facts: ['ingressClasses'],
    group: 'networking.k8s.io',
    plural: 'ingressclasses',
    read: (objects) => ({ ingressClasses: names(objects) }),
  },
  {
    facts: ['priorityClasses', 'defaultPriorityClass'],
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    read: (classes) => {
      const chosen = classes.find((entry) => entry['globalDefault'] === true);
      return { priorityClasses: names(classes), defaultPriorityClass: chosen === undefined ? '' : nameOf(chosen) };
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
export function gatherFacts(host: Transport, interrupt: AbortSignal, limit?: number): Promise<Gathered> {
  return withinLimit(interrupt, (signal) => askAll(host, signal), limit);
}

async function askAll(host: Transport, signal: AbortSignal): Promise<Gathered> {
  const version = await sendJson(host, { path: '/version', signal });
  if ('failure' in version) throw unanswered(version.failure);
  const server = stringAt(version.value, 'gitVersion');
  if (server === undefined) throw unreachable('it names no version.', NO_API_SERVER);
  const spec: JsonObject = { version: server };
  const missing: { fact: string; why: string }[] = [];
  const served = await discovery(host, SYSTEM_CLOCK).all(signal);
  const answers = await Promise.all(
    QUESTIONS.map((question) => ('failure' in served ? served : ask(host, question, served.value, signal))),
  );
  QUESTIONS.forEach(({ facts, read, assumed }, index) => {
    const answer = answers[index];
    const found = answer !== undefined && 'value' in answer ? read(answer.value) : undefined;
    if (found !== undefined) Object.assign(spec, found);
    else {
      const said = answer !== undefined && 'failure' in answer ? masked(answer.failure.message) : 'the host does not tell';
      const why = assumed === undefined ? said : `${said}; ${assumed}`;
      for (const fact of facts) missing.push({ fact, why });
    }
  });
  if ('failure' in served) missing.push({ fact: 'apiVersions', why: masked(served.failure.message) });
  else spec['apiVersions'] = [...served.value.apiVersions].sort();
  missing.push(...takeOut(spec));
  missing.push({ fact: 'networkPolicies', why: 'no API says whether the network plugin enforces them' });
  return { spec, missing };
}

async function ask(host: Transport, question: Question, served: Discovered, signal: AbortSignal): Promise<Result<readonly JsonObject[]>> {
  const { group, plural, object } = question;
  const resource = find(served, { group, plural });
  if (resource === undefined)
    return { failure: { kind: 'malformed', message: `the host serves no ${group === '' ? plural : `${plural}.${group}`}` } };
  if (object === undefined) {
    const listed = await listAll(host, { resource }, signal);
    return 'failure' in listed ? listed : { value: listed.value.objects };
  }
  const found = await getObject({ resource, ...object }, { transport: host, signal });
  return 'failure' in found ? found : { value: [found.value] };
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

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((item) => asString(item) ?? []) : [];
}
