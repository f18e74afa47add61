import type { ReasonName } from '../../core/decision/reasons.ts';
import { CHANGE_WHYS } from './change-whys.ts';
import { IDENTITY_WHYS } from './identity-whys.ts';
import { INPUT_WHYS } from './input-whys.ts';
import { ISOLATION_WHYS } from './isolation-whys.ts';
import { REFINEMENT_WHYS } from './refinement-whys.ts';
import { REMOVAL_WHYS } from './removal-whys.ts';
import { SCOPE_WHYS } from './scope-whys.ts';
import type { Why } from './why.ts';

/** Why each rule exists. A code without a row does not compile. */
export const WHYS: Readonly<Record<ReasonName, Why>> = {
  ...IDENTITY_WHYS,
  ...SCOPE_WHYS,
  ...ISOLATION_WHYS,
  ...REFINEMENT_WHYS,
  ...REMOVAL_WHYS,
  ...CHANGE_WHYS,
  ...INPUT_WHYS,
};
