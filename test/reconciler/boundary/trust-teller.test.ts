import { expect, test } from 'vitest';
import { trustTeller } from '../../../src/reconciler/boundary/trust-teller.ts';
import type { Fields } from '../../../src/reconciler/log/log.ts';

test('whom policies trust is told once, and as a warning when it changes; not where somebody said it', () => {
  const lines: (readonly [string, string, Fields | undefined])[] = [];
  const tell = trustTeller({
    info: (message, fields) => lines.push(['info', message, fields]),
    warn: (message, fields) => lines.push(['warn', message, fields]),
  });
  const trusted = (...writers: string[]) => ({ writers, groups: ['ops'], taken: true });
  tell({ ...trusted('stated'), taken: false });
  expect(lines).toEqual([]);
  tell(trusted('applier'));
  tell(trusted('applier'));
  tell(trusted('applier', 'mallory'));
  tell(trusted('applier', 'mallory'));
  expect(lines.map(([level, , fields]) => [level, fields])).toEqual([
    ['info', { writers: ['applier'], groups: ['ops'] }],
    ['warn', { writers: ['applier', 'mallory'], groups: ['ops'] }],
  ]);
});
