import type { ReasonName } from '../../core/decision/reasons.ts';
import { fill, reasonOf } from '../../core/decision/reasons.ts';

/** By what a render holds a tenant of the mode, as long as its TenantCluster is as the generator prints it. */
const HELD_BY: ReadonlyMap<string, ReasonName> = new Map([
  ['private', 'ModeNotImplemented'],
  ['dedicated', 'NodePoolMissing'],
]);

/** For stderr, beside a TenantCluster that is legal and will not be rendered; empty for any other. */
export function modeWarning(mode: string): string {
  const name = HELD_BY.get(mode);
  if (name === undefined) return '';
  const { code, message, remedy } = reasonOf(name);
  return `warning: as printed here it is held by a render: ${code} ${name}: ${fill(message, { mode })}\n  try: ${remedy}\n`;
}
