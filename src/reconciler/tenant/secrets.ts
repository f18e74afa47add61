import type { ControlPlaneSettings } from '../../core/controlplane/control-plane-settings.ts';
import type { KubeconfigIssue, Presence, SecretStates } from '../../core/controlplane/lifecycle/observation.ts';
import { isOwn } from '../../core/controlplane/lifecycle/stamp.ts';
import { AUTHORITIES_SECRET, KUBECONFIG_SECRET, TOKEN_KEY, TOKEN_SECRET } from '../../core/controlplane/names.ts';
import { objectAt, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, type KubeObject } from '../../core/kube/object.ts';
import { type Failure, isReason } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import type { Authorities } from '../pki/make-authorities.ts';
import { authorityProblems, publicDigest } from '../pki/read-authorities.ts';
import { authorityLifetimes } from './authority-lifetimes.ts';
import { SECRET } from './resources.ts';

/** What the kubeconfig Secret says of itself, in annotations: nobody has to read a certificate to know when it ends. */
export const ISSUE = {
  authorities: 'tenantplane.io/authorities',
  server: 'tenantplane.io/server',
  access: 'tenantplane.io/access',
  issuedAt: 'tenantplane.io/issued-at',
  expiresAt: 'tenantplane.io/expires-at',
} as const;

/** The Secrets of one control plane: what may be said of them, and apart from it the material itself. */
export interface SecretReadings {
  readonly states: SecretStates;
  /** PEM by the Secret's keys; only what signs and connects may have it */
  readonly authorities?: Authorities;
  /** uids, for deletions */
  readonly uids: ReadonlyMap<string, string>;
  /** of a Secret that could not be read, for a reason other than that it is not there */
  readonly failure?: Failure;
}

export async function readSecrets(
  call: Call,
  namespace: string,
  tenantCluster: string,
  datastore: ControlPlaneSettings['datastore'] | undefined,
): Promise<SecretReadings> {
  const wanted = [AUTHORITIES_SECRET, TOKEN_SECRET, KUBECONFIG_SECRET, ...(datastore?.type === 'postgres' ? [datastore.secret.name] : [])];
  const read = await Promise.all(wanted.map((name) => getObject({ resource: SECRET, namespace, name }, call)));
  const found = new Map<string, KubeObject>();
  const unknown = new Set<string>();
  let failure: Failure | undefined;
  read.forEach((result, index) => {
    const name = wanted[index] ?? '';
    if ('value' in result) found.set(name, result.value);
    else if (!isReason(result.failure, 'NotFound')) {
      unknown.add(name);
      failure = result.failure;
    }
  });
  const presence = (name: string): 'present' | 'absent' | 'unknown' =>
    found.has(name) ? 'present' : unknown.has(name) ? 'unknown' : 'absent';
  const ours = (name: string): boolean => {
    const object = found.get(name);
    return object !== undefined && isOwn(object, tenantCluster);
  };
  const material = dataOf(found.get(AUTHORITIES_SECRET));
  const issued = issueOf(found.get(KUBECONFIG_SECRET));
  const fixed = fixedWords(found.get(KUBECONFIG_SECRET));
  const key = datastore?.type === 'postgres' ? datastore.secret : undefined;
  return {
    uids: new Map([...found].map(([name, object]) => [name, stringAt(object, 'metadata', 'uid') ?? ''])),
    ...(material !== undefined && { authorities: material }),
    ...(failure !== undefined && { failure }),
    states: {
      authorities: authoritiesState(presence(AUTHORITIES_SECRET), material, ours(AUTHORITIES_SECRET)),
      token: tokenState(presence(TOKEN_SECRET), dataOf(found.get(TOKEN_SECRET)), ours(TOKEN_SECRET)),
      kubeconfig: {
        state: presence(KUBECONFIG_SECRET),
        ours: ours(KUBECONFIG_SECRET),
        ...(issued !== undefined && { issued }),
        ...(fixed !== undefined && { fixed }),
      },
      datastore:
        key === undefined
          ? 'absent'
          : presence(key.name) === 'present' && dataOf(found.get(key.name))?.[key.key] === undefined
            ? 'absent'
            : presence(key.name),
    },
  };
}

function authoritiesState(
  state: 'present' | 'absent' | 'unknown',
  material: Authorities | undefined,
  ours: boolean,
): SecretStates['authorities'] {
  if (state !== 'present' || material === undefined) return { state: state === 'present' ? 'unknown' : state };
  const problems = authorityProblems(material);
  if (problems.length > 0) return { state: 'broken', ours, problems };
  return { state, ours, digest: publicDigest(material), lifetimes: authorityLifetimes(material) };
}

function tokenState(state: Presence, data: Readonly<Record<string, string>> | undefined, ours: boolean): SecretStates['token'] {
  return state === 'present' && !data?.[TOKEN_KEY] ? { state: 'broken', ours, problems: [`${TOKEN_KEY} is missing`] } : { state, ours };
}

/** An immutable Secret takes no other content, and none takes another type. */
function fixedWords(secret: KubeObject | undefined): string | undefined {
  if (secret === undefined) return undefined;
  if (secret['immutable'] === true) return 'is immutable';
  const type = stringAt(secret, 'type') ?? 'Opaque';
  return type === 'Opaque' ? undefined : `is of the type ${type}`;
}

function dataOf(secret: KubeObject | undefined): Readonly<Record<string, string>> | undefined {
  if (secret === undefined) return undefined;
  const data = Object.entries(objectAt(secret, 'data') ?? {});
  return Object.fromEntries(
    data.map(([key, value]) => [key, typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '']),
  );
}

function issueOf(secret: KubeObject | undefined): KubeconfigIssue | undefined {
  if (secret === undefined) return undefined;
  const annotations = annotationsOf(secret);
  const [notBefore, notAfter] = [Date.parse(annotations.get(ISSUE.issuedAt) ?? ''), Date.parse(annotations.get(ISSUE.expiresAt) ?? '')];
  const [authorities, server, access] = [annotations.get(ISSUE.authorities), annotations.get(ISSUE.server), annotations.get(ISSUE.access)];
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter) || authorities === undefined || server === undefined) return undefined;
  return { name: 'kubeconfig', notBefore, notAfter, authorities, server, access: access ?? '' };
}
