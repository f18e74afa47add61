import { clone, equal, isObject, type Json, type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import { apiVersionOf, type KubeObject, kindOf, nameOf } from '../../../src/core/kube/object.ts';
import { type AdmissionCase, type Other, REQUESTERS } from '../../support/admission-cases/case.ts';
import { namespaceOf, targetOf } from '../../support/admission-cases/evaluate.ts';
import type { Answer, ApiClient, Identity } from './api-client.ts';

/** Who stopped a request: a rule of ours by policy and message, somebody else, or nobody. */
export interface Stopped {
  readonly by: 'policy' | Other | 'nobody';
  readonly policy?: string;
  readonly message: string;
}

const DRY = 'dryRun=All';

/** Whoever makes what stands there before: allowed everything, and left alone by policies. */
const MAKER = { user: 'system:kube-controller-manager', groups: ['system:masters'] } as const;

/** Makes what a case changes, under a name of its own. */
export async function makeBefore(api: ApiClient, row: AdmissionCase, run: string): Promise<KubeObject> {
  if (row.before === undefined) throw new Error(`${row.name} changes nothing`);
  return make(api, renamed(row.before, run), nameOf(namespaceOf(row.where, row.profile ?? 'restricted')));
}

/**
 * Sends a case as a dry run, by its own identity. What it changes is made before, and removed.
 *
 * @param stood what it changes, where that was made already
 */
export async function sendCase(api: ApiClient, row: AdmissionCase, run: string, stood?: KubeObject): Promise<Stopped> {
  const operation = row.operation ?? 'CREATE';
  const by = REQUESTERS[row.by ?? 'intruder'];
  const namespace = nameOf(namespaceOf(row.where, row.profile ?? 'restricted'));
  if (operation === 'CREATE' && row.subresource === undefined) return sendCreate(api, row.object, namespace, by);
  if (operation === 'CREATE')
    return stopped(
      await api.send(
        'POST',
        `${path(row.object, namespace, nameOf(row.object))}/${row.subresource}?${DRY}`,
        inside(row.object, namespace),
        by,
      ),
    );
  if (operation === 'CONNECT') {
    const method = row.subresource === 'proxy' ? 'GET' : 'POST';
    return stopped(
      await api.send(method, `${path(row.object, namespace, nameOf(row.object))}/${row.subresource}?command=ls`, undefined, by),
    );
  }
  if (row.before === undefined)
    return stopped(await api.send('DELETE', `${path(row.object, namespace, nameOf(row.object))}?${DRY}`, undefined, by));
  const before = stood ?? (await makeBefore(api, row, run));
  try {
    return await sendChange(api, row, before, namespace);
  } finally {
    await api.send(
      'DELETE',
      `${path(before, namespace, nameOf(before))}?gracePeriodSeconds=0&propagationPolicy=Background`,
      undefined,
      MAKER,
    );
  }
}

/** Creates an object as a dry run. */
export async function sendCreate(api: ApiClient, object: KubeObject, namespace: string, by: Identity): Promise<Stopped> {
  return stopped(await api.send('POST', `${path(object, namespace)}?${DRY}`, inside(object, namespace), by));
}

async function sendChange(api: ApiClient, row: AdmissionCase, before: KubeObject, namespace: string): Promise<Stopped> {
  const by = REQUESTERS[row.by ?? 'intruder'];
  const object = path(before, namespace, nameOf(before));
  if (row.operation === 'DELETE') return stopped(await api.send('DELETE', `${object}?${DRY}`, undefined, by));
  const target = row.subresource === undefined ? object : `${object}/${row.subresource}`;
  const scale = row.subresource === 'scale';
  // A controller may write at the same time.
  for (;;) {
    const live = (await api.send('GET', scale ? target : object)).object;
    const wanted = scale ? { ...live, spec: row.object['spec'] } : changed(live, row.before ?? {}, row.object);
    const answer = await api.send('PUT', `${target}?${DRY}`, wanted, by);
    if (answer.status !== 409) return stopped(answer);
  }
}

function path(object: KubeObject, namespace: string, name?: string): string {
  const { group, version, plural, namespaced } = targetOf(object);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}${name === undefined ? '' : `/${name}`}`;
}

function inside(object: KubeObject, namespace: string): KubeObject {
  return targetOf(object).namespaced ? { ...object, metadata: { ...objectAt(object, 'metadata'), namespace } } : object;
}

function renamed(object: KubeObject, run: string): KubeObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), name: `${nameOf(object)}-${run}` } };
}

async function make(api: ApiClient, object: KubeObject, namespace: string): Promise<KubeObject> {
  const made = await api.send('POST', path(object, namespace), inside(object, namespace), MAKER);
  if (made.status >= 300) throw new Error(`cannot make ${apiVersionOf(object)} ${kindOf(object)} ${nameOf(object)}: ${made.message}`);
  return made.object;
}

/** The live object with what differs between two states: lists that it did not have are added to, since the API server fills them. */
function changed(live: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const result = clone(live);
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now, current]: (Json | undefined)[] = [before[key], after[key], live[key]];
    if (key === 'name' || equal(old, now)) continue;
    if (now === undefined) delete result[key];
    else if (isObject(now) && isObject(current)) result[key] = changed(current, isObject(old) ? old : {}, now);
    else if (Array.isArray(now) && Array.isArray(current) && old === undefined) result[key] = [...current, ...now];
    else result[key] = now;
  }
  return result;
}

const DENIED = /ValidatingAdmissionPolicy '([^']+)' with binding '([^']+)' denied request: ([\s\S]*)$/;

/** By the words of those who refuse. */
const REFUSALS: readonly (readonly [Other, RegExp])[] = [
  ['Pod Security', /violates PodSecurity/],
  ['RBAC', /cannot (create|update|delete|get) resource/],
  ['ResourceQuota', /exceeded quota/],
  ['LimitRange', /(maximum|minimum) \S+ usage per/],
];

function stopped({ status, message }: Answer): Stopped {
  const denied = DENIED.exec(message);
  if (denied !== null) {
    if (denied[1] !== denied[2]) throw new Error(`policy ${denied[1]} by binding ${denied[2]}`);
    return { by: 'policy', policy: denied[1] ?? '', message: denied[3] ?? '' };
  }
  // What was let in and then was not there, or was there already: admission comes first.
  if (
    status < 400 ||
    status === 404 ||
    (status === 409 && /already exists/.test(message)) ||
    (status === 500 && /dial|no route|unreachable|address/.test(message))
  )
    return { by: 'nobody', message };
  return { by: REFUSALS.find(([, words]) => words.test(message))?.[0] ?? 'the API itself', message };
}
