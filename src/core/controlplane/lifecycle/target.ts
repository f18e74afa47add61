import { stringAt } from '../../kube/json.ts';
import { annotationsOf, type KubeObject } from '../../kube/object.ts';
import { type KubernetesRelease, nextStep } from '../kubernetes-versions.ts';
import { ANNOTATION } from '../names.ts';
import { type ControlPlaneInput, controlPlaneObjects } from '../objects.ts';
import { restartDue } from './certificates.ts';
import { type Found, found } from './condition-reasons.ts';
import { type Settled, wasReady } from './observation.ts';
import { hasRolledOut, serversFound } from './servers.ts';
import { stamped } from './stamp.ts';

/** Where the control plane is to get to in this pass. */
export interface Target {
  readonly release: KubernetesRelease;
  /** why the pods are replaced, where they are */
  readonly work: 'Provisioning' | 'Upgrading' | 'RollingRestart' | 'Updating';
  readonly message: string;
  readonly objects: readonly KubeObject[];
}

/** The version of the StatefulSet as it stands: where an upgrade is under way, the one that it goes to now. */
export function standingVersion(statefulSet: KubeObject | undefined): string | undefined {
  return statefulSet === undefined ? undefined : annotationsOf(statefulSet).get(ANNOTATION.kubernetesVersion);
}

/** One minor version at a time: the next one begins when all servers run this one, and say so. */
export function releaseFor(o: Settled): { readonly release: KubernetesRelease; readonly last: boolean } | { readonly blocked: Found } {
  if (o.release === undefined) {
    const known = o.releases.map(({ version }) => version).join(', ');
    const wanted = stringAt(o.tenantCluster, 'spec', 'kubernetesVersion') ?? '';
    return { blocked: found('Stalled', 'VersionUnsupported', `No k3s release is known for Kubernetes ${wanted}; known are ${known}.`) };
  }
  const standing = standingVersion(o.live.statefulSet);
  const stuck = standing !== undefined && cannotPull(o, standing);
  // an annotation is soon edited: what the servers say of themselves counts too
  const served = o.api.kind === 'answers' ? bare(o.api.version) : undefined;
  const back = nextStep(served, o.release, o.releases);
  // where nothing of it ever ran, it is from what did that a step is made: to whatever is legal from there
  const from = stuck ? servedRelease(o) : (standing ?? served);
  const step = 'refused' in back && back.refused === 'downgrade' ? back : nextStep(from, o.release, o.releases);
  if ('refused' in step) {
    const reason = step.refused === 'downgrade' ? 'DowngradeRefused' : 'VersionUnsupported';
    return { blocked: found('Stalled', reason, step.why) };
  }
  if (stuck || standing === undefined) return { release: step.to, last: step.last };
  if (step.to.version === standing) return { release: step.to, last: true };
  const settled = hasRolledOut(o.live.statefulSet) && o.api.kind === 'answers' && sameRelease(o.api.version, standing);
  const current = o.releases.find(({ version }) => version === standing);
  // a release that was taken out of the table still runs; there is only the way on
  return settled || current === undefined ? { release: step.to, last: step.last } : { release: current, last: false };
}

/** No pod could pull the image of the version that the StatefulSet has, and the tenant's API never answered as that version. */
function cannotPull(o: Settled, standing: string): boolean {
  const served = servedRelease(o);
  return serversFound(o).reason === 'ImagePullFailing' && (served === undefined || !sameRelease(served, standing));
}

/** What the tenant's API answered as when it last did. */
function servedRelease({ tenantCluster }: Settled): string | undefined {
  const served = stringAt(tenantCluster, 'status', 'kubernetesVersion');
  return served === undefined ? undefined : bare(served);
}

/** `v1.34.2+k3s1` is the release 1.34.2. */
export function sameRelease(served: string, release: string): boolean {
  return bare(served) === bare(release);
}

function bare(version: string): string {
  return version.replace(/^v/, '').split(/[+-]/)[0] ?? '';
}

export function targetOf(o: Settled, release: KubernetesRelease, digest: string): Target {
  const { statefulSet } = o.live;
  const before = stringAt(statefulSet, 'spec', 'template', 'metadata', 'annotations', ANNOTATION.restartedAt);
  const restart = restartDue(o, before);
  const restartedAt = restart ? new Date(o.now).toISOString() : before;
  const objects = controlPlaneObjects(inputOf(o, release, digest, restartedAt)).map(stamped);
  const served = servedRelease(o);
  if (statefulSet === undefined || served === undefined)
    return { release, objects, work: 'Provisioning', message: `Kubernetes ${release.version} is being started.` };
  if (!sameRelease(served, release.version))
    return { release, objects, work: 'Upgrading', message: `From Kubernetes ${served} to ${release.version}${goal(o, release)}.` };
  if (restart) return { release, objects, work: 'RollingRestart', message: 'Certificates of the servers are near their end.' };
  return { release, objects, work: 'Updating', message: 'Its servers are being brought to the spec.' };
}

function goal(o: Settled, release: KubernetesRelease): string {
  return o.release === undefined || o.release.version === release.version ? '' : `, on the way to ${o.release.version}`;
}

function inputOf(o: Settled, release: KubernetesRelease, authorities: string, restartedAt: string | undefined): ControlPlaneInput {
  return { settings: o.config.settings, release, authorities, begun: wasReady(o), ...(restartedAt !== undefined && { restartedAt }) };
}
