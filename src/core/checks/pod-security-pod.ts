import { at, type JsonObject, objectAt, type Path } from '../kube/json.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import { type SecurityStamps, securityStamps } from '../translate/pod/security-stamps.ts';
import { containersOf, inContainer, type PlacedContainer } from './containers.ts';
import { podSpecOf } from './pod-spec.ts';

/** A pod as the controls of Pod Security look at it. */
export interface Pod {
  readonly spec: JsonObject;
  readonly base: Path;
  readonly securityContext: JsonObject | undefined;
  readonly containers: readonly PlacedContainer[];
  readonly annotations: JsonObject | undefined;
  readonly ctx: TenantContext;
  readonly stamps: SecurityStamps;
  /** true where the host is known to be of this minor version or later */
  since(minor: number): boolean;
}

export interface Finding {
  readonly what: string;
  readonly path: Path;
}

/** A place that has a security context: the pod, or one of its containers. Paths are made for findings only. */
export interface Place {
  readonly pod: Pod;
  readonly container?: PlacedContainer;
}

export function finding(place: Place, what: (where: string) => string, ...rest: string[]): Finding[] {
  const { pod, container } = place;
  if (container === undefined) return [{ what: what('the pod'), path: [...pod.base, 'securityContext', ...rest] }];
  return [{ what: what(`container ${container.name}`), path: inContainer(pod.base, container, 'securityContext', ...rest) }];
}

export const NOTHING: readonly Finding[] = [];

/** Each container with its security context, where it has one. */
export function each(pod: Pod, look: (context: JsonObject | undefined, place: Place) => readonly Finding[]): readonly Finding[] {
  let found: Finding[] | undefined;
  for (const container of pod.containers) {
    const more = look(objectAt(container.spec, 'securityContext'), { pod, container });
    if (more.length > 0) found = found === undefined ? [...more] : [...found, ...more];
  }
  return found ?? NOTHING;
}

/** Each security context: the pod's and the containers'. */
export function contexts(pod: Pod, look: (context: JsonObject, place: Place) => readonly Finding[]): readonly Finding[] {
  const own = pod.securityContext === undefined ? NOTHING : look(pod.securityContext, { pod });
  const others = each(pod, (context, place) => (context === undefined ? NOTHING : look(context, place)));
  return own.length === 0 ? others : [...own, ...others];
}

/** The oldest version that is looked at: an unknown host is judged by it, where versions only ever allow more. */
const OLDEST = 28;

export function podOf(subject: Subject, ctx: TenantContext): Pod | undefined {
  const pod = podSpecOf(subject);
  if (pod === undefined) return undefined;
  const { spec, base } = pod;
  const meta = subject.row.podMeta === undefined ? undefined : at(subject.object, ...subject.row.podMeta);
  return {
    spec,
    base,
    securityContext: objectAt(spec, 'securityContext'),
    containers: containersOf(spec),
    annotations: objectAt(meta, 'annotations'),
    ctx,
    stamps: securityStamps(spec, ctx),
    since: (minor) => minor <= (ctx.host.minor ?? OLDEST),
  };
}
