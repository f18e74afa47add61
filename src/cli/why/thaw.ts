import type { Decision } from '../../core/decision/decision.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import { PLATFORM } from '../render/load-package.ts';
import { placeAt } from './places.ts';
import { waitsAsCopy } from './standing-copy.ts';

/** What becomes of an object once its frozen tenant is mended: it is written, it is refused as it is now, or only then is it judged. */
export type Outlook = 'written' | 'refused' | 'undecided';

export function outlookOf(decision: Decision): Outlook {
  const { action, host, source } = decision;
  if (action !== 'Skip') return 'written';
  if (!waitsAsCopy(decision)) return 'refused';
  // what stood once was projected, and the reconciler's copies always are
  return host !== undefined || source?.apiVersion.startsWith('tenantplane.io/') === true ? 'written' : 'undecided';
}

const PROMISES: Readonly<Record<Outlook, string>> = {
  written: '; the next render writes it.',
  undecided: '; the next render decides on it.',
  refused: '.',
};

/** Where nothing more is known than that the tenant is frozen. */
export const NOT_JUDGED = 'Fix what is reported for the tenant; the next render decides on it.';

/** What mends the tenant of an object, with what comes of that for the object. @param fix as `fixOf` has it */
export function remedyFor(decision: Decision, fix: string): string {
  return `${fix}${PROMISES[outlookOf(decision)]}`;
}

/** What thaws a frozen tenant: the line of the input that froze it, where that is in a file. */
export async function fixOf({ frozenAt }: TenantPlan, texts: ReadonlyMap<string, string>): Promise<string | undefined> {
  if (frozenAt === undefined) return undefined;
  const { path, line } = await placeAt(frozenAt.source, frozenAt.pointer ?? '', texts);
  const words = path.startsWith(PLATFORM) ? `${path.slice(PLATFORM.length)} of the platform` : path;
  return `Fix ${words}${line === undefined ? '' : `:${line}`}`;
}
