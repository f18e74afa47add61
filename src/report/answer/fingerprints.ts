import { digest } from '../../core/identity/digest.ts';
import type { Issue } from '../issues.ts';

/**
 * A name for each issue that stays the same while lines move and sentences improve: its code, file, object and field, and a
 * number where these are the same.
 */
export function fingerprints(issues: readonly Issue[]): readonly string[] {
  const seen = new Map<string, number>();
  return issues.map(({ code, source, object, pointer }) => {
    const parts = [code, source?.path ?? '', object ?? '', (pointer ?? '').replace(/\/\d+(?=\/|$)/g, '/*')];
    const key = JSON.stringify(parts);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return digest([...parts, String(count)], 26);
  });
}
