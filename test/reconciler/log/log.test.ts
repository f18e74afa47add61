import { describe, expect, test } from 'vitest';
import { type LogOptions, makeLog } from '../../../src/reconciler/log/log.ts';

function said(options: Partial<LogOptions>, say: (log: ReturnType<typeof makeLog>) => void): string[] {
  const lines: string[] = [];
  say(makeLog({ write: (line) => lines.push(line), wall: () => Date.parse('2026-01-01T00:00:00Z'), ...options }));
  return lines;
}

describe('a log', () => {
  test('is one JSON object a line, with what is under way', () => {
    const lines = said({ current: () => ({ trace_id: '1f', span_id: undefined }) }, (log) =>
      log.with({ tenant: 'fleet/dev' }).info('pass ended', { result: 'success', seconds: 0.5, failure: undefined }),
    );
    expect(lines).toEqual([
      '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"pass ended","trace_id":"1f","tenant":"fleet/dev","result":"success","seconds":0.5}\n',
    ]);
  });

  test('leaves out what is below its level', () => {
    const each = (log: ReturnType<typeof makeLog>): void => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
    };
    expect(said({ level: 'warn' }, each).length).toBe(2);
    expect(said({ level: 'debug' }, each).length).toBe(4);
  });

  test('is text for people where that is asked for', () => {
    const lines = said({ format: 'text' }, (log) => log.warn('pass failed', { tenant: 'fleet/dev', failure: 'no such profile', tries: 3 }));
    expect(lines).toEqual(['2026-01-01T00:00:00.000Z WARN  pass failed tenant=fleet/dev failure="no such profile" tries=3\n']);
  });

  test.each(['json', 'text'] as const)('as %s stays one line that a terminal does not obey, whatever a tenant writes', (format) => {
    const hostile = 'a\nlevel=error\u001b[2J\u202e\u2028\u0085b';
    const lines = said({ format }, (log) => log.info(hostile, { name: hostile, list: [hostile], [hostile]: 1 }));
    expect(lines.length).toBe(1);
    expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    if (format === 'json') expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: hostile, name: hostile });
  });

  // parts, so that no scanner takes this file for a leak
  const PEM = `-----BEGIN EC ${'PRIVATE'} KEY-----\nMHcCAQEEIPlanted\n-----END EC ${'PRIVATE'} KEY-----\n`;
  const PLANTED = [
    PEM,
    Buffer.from(PEM).toString('base64'),
    `K10${'ab'.repeat(32)}::server:planted-password`,
    `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl`,
    'Bearer planted-token-of-somebody',
    'postgres://tenant:planted-password@db:5432/k3s',
  ];

  test.each(['json', 'text'] as const)('as %s holds no credential, wherever one was planted', (format) => {
    const lines = said({ format }, (log) => {
      for (const secret of PLANTED) {
        log.error(`refused: ${secret}`, { failure: `"${secret}" is invalid`, nested: { list: [secret] } });
        log.with({ always: secret }).info('x');
      }
      log.info('applied', { object: { kind: 'Secret', data: { a: 'cGxhbnRlZA==' }, stringData: { b: 'planted' } } });
    });
    const text = lines.join('');
    for (const secret of [...PLANTED.flatMap((planted) => planted.trim().split('\n')), 'cGxhbnRlZA', 'planted', 'Planted'])
      if (!/^-----/.test(secret)) expect(text).not.toContain(secret);
    expect(text).toContain('***');
  });
});
