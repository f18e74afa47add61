import type { BoundaryState, BoundaryWork } from '../../core/controlplane/lifecycle/observation.ts';
import { type BoundaryReport, opens } from '../../core/isolation/verify/boundary-report.ts';
import type { BoundaryDelivery } from '../../core/isolation/verify/boundary-to-apply.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { HostView } from './host-view.ts';
import { resourceOf } from './resources.ts';

/** A verification as the lifecycle reads it, with what the reconciler does about it itself where that is asked for. */
export function boundaryState({ rows, enforced }: BoundaryReport, delivery?: BoundaryWork): BoundaryState {
  const wrong = rows.filter(({ verdict }) => verdict !== 'as-planned');
  return {
    kind: 'verified',
    enforced,
    missing: wrong.filter(({ verdict }) => verdict === 'missing').length,
    problems: [...wrong.filter(opens), ...wrong.filter((row) => !opens(row))].map(({ sentence }) => sentence),
    ...(delivery !== undefined && { delivery }),
  };
}

export function boundaryWork({ apply, remove, teardown }: BoundaryDelivery, view: HostView): BoundaryWork {
  return { apply: apply.map((object) => ({ object, standing: isStanding(object, view) })), remove, teardown };
}

function isStanding(object: KubeObject, view: HostView): boolean {
  const namespace = namespaceOf(object);
  const key = namespace === undefined ? nameOf(object) : `${namespace}/${nameOf(object)}`;
  return view.store(resourceOf(kindOf(object)).plural).get(key) !== undefined;
}
