import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ledgerPath, ledgerText, merkleRoot } from '../../src/report/ledger.ts';
import { noteOf, projected, refused, tenantPlan } from './fixtures.ts';

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('ledger', () => {
  test('a line for each decision, keys in order, header with count and root', () => {
    const text = ledgerText(tenantPlan([projected('nginx'), refused('worker')]));
    const [header, nginx, worker, ...rest] = text.split('\n');
    expect(JSON.parse(header ?? '')).toEqual({
      ledger: 'v1',
      tenant: 'team-dev/dev',
      mapping: 'tp1',
      lines: 2,
      merkleRoot: `sha256:${merkleRoot([nginx ?? '', worker ?? ''])}`,
    });
    expect(nginx).toBe(
      '{"k":"dev|v1/Pod|default|nginx","id":"d-isowjppc7igjmsfx","action":"Create","disposition":"Planned","code":"TP2001",' +
        '"host":"v1/Pod|team-dev|nginx-x-default-x-dev","rule":"SyncPolicy/default[v1/Pod]","profile":"IsolationProfile/restricted#blockHostPathVolumes",' +
        '"rewrites":["rw.identity"],"source":"tenants/dev/objects/nginx.yaml","out":"host/team-dev/pod_nginx.yaml"}',
    );
    expect(JSON.parse(worker ?? '')).toMatchObject({ action: 'Skip', disposition: 'Rejected', code: 'TP3004' });
    expect(JSON.parse(worker ?? '')).not.toHaveProperty('out');
    expect(rest).toEqual(['']);
  });

  test('input order, first render or hundredth, makes no difference', () => {
    const [a, b, c] = [projected('a'), projected('b'), refused('c')];
    const first = ledgerText(tenantPlan([a, b, c]));
    expect(ledgerText(tenantPlan([c, b, a]))).toBe(first);
    expect(ledgerText(tenantPlan([{ ...a, action: 'Update' }, b, c]))).toBe(first);
  });

  test('a removal leaves no line, or the next render would change the ledger again', () => {
    expect(lines(ledgerText(tenantPlan([projected('gone', { action: 'Delete' })])))).toHaveLength(1);
  });

  test('a compiled object cannot take the key of a tenant object', () => {
    const { source: _, ...compiled } = projected('nginx', {
      host: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'nginx', file: 'x.yaml' },
    });
    const keys = lines(ledgerText(tenantPlan([compiled, projected('nginx')]))).slice(1);
    expect(keys.map((line) => line['k'])).toEqual(['dev|v1/Pod|default|nginx', 'dev|host|v1/Pod|default|nginx'].sort());
  });

  test('two definitions of one object keep a line each', () => {
    const twice = [projected('a'), projected('a', { code: 'TP2002' })];
    expect(lines(ledgerText(tenantPlan(twice)))).toHaveLength(3);
    expect(ledgerText(tenantPlan(twice))).toBe(ledgerText(tenantPlan([...twice].reverse())));
  });

  test('warnings are part of the reason', () => {
    const note = noteOf('ReferenceUnresolved', { pointer: '/spec', target: 'ConfigMap x' });
    expect(lines(ledgerText(tenantPlan([projected('a', { notes: [note, note] })])))[1]).toMatchObject({ notes: ['TP1011'] });
  });

  test('the root is that of RFC 6962', () => {
    const hash = (...parts: (string | Buffer)[]): Buffer => {
      const sum = createHash('sha256');
      for (const part of parts) sum.update(part);
      return sum.digest();
    };
    const leaf = (text: string): Buffer => hash('\0', text);
    const [a, b, c] = [leaf('a'), leaf('b'), leaf('c')];
    expect(merkleRoot([])).toBe(hash('').toString('hex'));
    expect(merkleRoot(['a', 'b', 'c'])).toBe(hash('\u0001', hash('\u0001', a, b), c).toString('hex'));
  });

  test('a long name stays a legal file name', () => {
    const path = ledgerPath({ namespace: 'n'.repeat(63), name: 't'.repeat(253) });
    expect(path.length).toBeLessThan(230);
    expect(ledgerPath({ namespace: 'team-dev', name: 'dev' })).toBe('.tenantplane/team-dev.dev.ndjson');
  });
});
