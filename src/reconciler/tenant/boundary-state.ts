import type { BoundaryState } from '../../core/controlplane/lifecycle/observation.ts';
import { type BoundaryReport, opens } from '../../core/isolation/verify/boundary-report.ts';

/** A verification as the lifecycle reads it. */
export function boundaryState({ rows, enforced }: BoundaryReport): BoundaryState {
  const wrong = rows.filter(({ verdict }) => verdict !== 'as-planned');
  return {
    kind: 'verified',
    enforced,
    missing: wrong.filter(({ verdict }) => verdict === 'missing').length,
    problems: [...wrong.filter(opens), ...wrong.filter((row) => !opens(row))].map(({ sentence }) => sentence),
    toApply: [],
  };
}
