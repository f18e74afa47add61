import type { TenantPlan } from '../../core/plan/plan-types.ts';
import { PLATFORM } from '../render/load-package.ts';
import { placeAt } from './places.ts';

/** What thaws a frozen tenant: the line of the input that froze it, where that is in a file. */
export async function fixOf({ frozenAt }: TenantPlan, texts: ReadonlyMap<string, string>): Promise<string | undefined> {
  if (frozenAt === undefined) return undefined;
  const { path, line } = await placeAt(frozenAt.source, frozenAt.pointer ?? '', texts);
  const words = path.startsWith(PLATFORM) ? `${path.slice(PLATFORM.length)} of the platform` : path;
  return `Fix ${words}${line === undefined ? '' : `:${line}`}; the next render writes it.`;
}
