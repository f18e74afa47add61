import type { ControlRow } from '../isolation/controls.ts';
import type { TenantPlan } from '../plan/plan-types.ts';
import { declaredTexts } from './declared-texts.ts';
import type { Judged } from './judged-settings.ts';

/** What a tenant's isolation declares, as text by control, and by which kinds of means each is enforced. */
export interface Declared {
  readonly value: string;
  /** undefined where that is not known: of a frozen tenant, of a profile alone */
  readonly means?: ReadonlySet<string>;
  readonly gap?: string;
}

/** @param tenant its plan, where the tenant's isolation is planned */
export function declaredBy(side: Judged, other: Judged, tenant: TenantPlan | undefined): ReadonlyMap<string, Declared> {
  const rows = new Map(tenant?.controls.map((row) => [row.field, row]));
  return new Map(
    [...declaredTexts(side, other)].map(([control, value]) => {
      const row = rows.get(control);
      return [control, row === undefined ? { value } : { value, ...meansOf(row) }];
    }),
  );
}

function meansOf({ enforcedBy, notEnforced }: ControlRow): Omit<Declared, 'value'> {
  return {
    means: new Set(enforcedBy.map((means) => means.split('/', 1)[0] ?? '')),
    ...(notEnforced !== undefined && { gap: notEnforced.why }),
  };
}
