import { at, equal, objectAt, stringAt } from '../../kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../kube/object.ts';
import { covers } from './covers.ts';

/** A part of an object that Kubernetes never changes once it is made. What a spec decides is not among them: `immutableChanges` tells of that. */
interface Row {
  readonly kind: string;
  readonly differs: (live: KubeObject, desired: KubeObject) => boolean;
  /** what a live one is that differs */
  readonly is: string;
}

const spec =
  (field: string): Row['differs'] =>
  (live, desired) =>
    !equal(at(live, 'spec', field), at(desired, 'spec', field));

const ROWS: readonly Row[] = [
  { kind: 'StatefulSet', differs: spec('selector'), is: 'selects other pods' },
  { kind: 'StatefulSet', differs: spec('serviceName'), is: 'has its pods named by another Service' },
  { kind: 'StatefulSet', differs: spec('podManagementPolicy'), is: 'starts its pods in another way (podManagementPolicy)' },
  { kind: 'Service', differs: otherAddress, is: 'has a cluster address where it needs none, or has none' },
  { kind: 'ConfigMap', differs: sealed, is: 'is immutable' },
];

/** What of a live object keeps it from becoming the desired one: the API server would refuse the update for ever. */
export function fixedFields(live: KubeObject, desired: KubeObject): readonly string[] {
  return ROWS.filter(({ kind, differs }) => kind === kindOf(desired) && differs(live, desired)).map(
    ({ kind, is }) => `${kind} ${nameOf(desired)} ${is}`,
  );
}

/** One that is headless stays so, and one that is not gets no less; an ExternalName has no address yet, and may get either. */
function otherAddress(live: KubeObject, desired: KubeObject): boolean {
  const address = stringAt(live, 'spec', 'clusterIP') ?? '';
  return address !== '' && (address === 'None') !== (stringAt(desired, 'spec', 'clusterIP') === 'None');
}

function sealed(live: KubeObject, desired: KubeObject): boolean {
  return live['immutable'] === true && !covers(live, { data: objectAt(desired, 'data') ?? {} });
}
