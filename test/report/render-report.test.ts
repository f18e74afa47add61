import { describe, expect, test } from 'vitest';
import { cause, decisionRecord } from '../../src/report/decision-record.ts';
import { githubCommands } from '../../src/report/github.ts';
import { fails, issuesOf } from '../../src/report/issues.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { findingOf, noteOf, planOf, projected, refused, tenantPlan } from './fixtures.ts';

const text = (...args: Parameters<typeof renderReport>): string => [...renderReport(...args)].join('');

describe('the JSON report', () => {
  test('is one document with its kind, every decision in full', () => {
    const plan = planOf([tenantPlan([projected('nginx'), refused('worker')])], {
      findings: [findingOf('UnknownField', { pointer: '/spec/x', near: '' })],
    });
    const report = JSON.parse(text(plan, { added: ['a'], changed: [], removed: [], unchanged: 3 }));
    expect(report).toMatchObject({
      apiVersion: 'report.tenantplane.io/v1alpha1',
      kind: 'RenderReport',
      summary: { projected: 1, refused: 1, byCode: { 'TP2001 PolicyMatched': 1 } },
      changes: { added: ['a'], unchanged: 3 },
      findings: [{ code: 'TP9002', file: { path: 'profiles/restricted.yaml', line: 3 } }],
    });
    expect(report.decisions).toHaveLength(2);
    expect(report.decisions[0]).toMatchObject({
      kind: 'DecisionRecord',
      fields: [{ pointer: '/metadata/name', op: 'Replace', by: 'rw.identity' }],
      causes: [
        { ref: 'SyncPolicy/default', entry: 'v1/Pod' },
        { ref: 'IsolationProfile/restricted', control: 'blockHostPathVolumes' },
      ],
    });
  });

  test('is legal JSON with nothing in it', () => {
    expect(JSON.parse(text(planOf([]), undefined))).toMatchObject({ decisions: [], changes: null });
  });

  test('an entry may hold slashes and brackets', () => {
    expect(cause('SyncPolicy/default[apps/v1/Deployment]')).toEqual({ ref: 'SyncPolicy/default', entry: 'apps/v1/Deployment' });
    expect(cause('TenantCluster/dev')).toEqual({ ref: 'TenantCluster/dev' });
  });

  test('no value of a Secret is in it, even where a change carries one', () => {
    const secret = projected('token', {
      source: { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'token', file: { path: 'a.yaml', document: 0 } },
      fields: [
        { path: ['data', 'password'], op: 'Remove', before: 'aHVudGVyMg==', rule: 'rw.secret' },
        { path: ['metadata', 'annotations'], op: 'Remove', before: { note: 'hunter2' }, rule: 'rw.annotations' },
        { path: ['metadata', 'name'], op: 'Replace', before: 'token', after: 'token-x-default-x-dev', rule: 'rw.identity' },
      ],
    });
    const json = JSON.stringify(decisionRecord(secret));
    expect(json).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(json).toContain('token-x-default-x-dev');
  });

  test('the last applied configuration of any object is not in it', () => {
    const pod = projected('p', {
      fields: [
        {
          path: ['metadata', 'annotations'],
          op: 'Remove',
          before: { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2', a: 'b' },
          rule: 'rw.annotations',
        },
        {
          path: ['metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration'],
          op: 'Remove',
          before: 'hunter2',
          rule: 'rw.annotations',
        },
      ],
    });
    expect(JSON.stringify(decisionRecord(pod))).not.toContain('hunter2');
  });
});

describe('what makes a command fail', () => {
  const skip = planOf([tenantPlan([refused('w')])]);
  const rejected = planOf([tenantPlan([], { frozen: 'why' })]);
  const warned = planOf([tenantPlan([projected('a', { notes: [noteOf('ReferenceUnresolved', { pointer: '/a', target: 'b' })] })])]);
  const clean = planOf([tenantPlan([projected('a')])]);
  const broken = planOf([], { findings: [findingOf('UnknownField', { pointer: '/x', near: '' })] });

  test.each([
    ['a skipped object', skip, [false, false, true, true]],
    ['a frozen tenant', rejected, [false, true, true, true]],
    ['a finding', broken, [false, true, true, true]],
    ['a warning', warned, [false, false, false, true]],
    ['nothing', clean, [false, false, false, false]],
  ] as const)('%s', (_, plan, wanted) => {
    expect((['never', 'rejected', 'refused', 'warning'] as const).map((level) => fails(plan, level))).toEqual(wanted);
  });
});

describe('workflow commands', () => {
  test('file, line, title and message', () => {
    const commands = githubCommands(
      issuesOf(planOf([tenantPlan([refused('worker')])])),
      (path) => `shop/${path}`,
      (source) => source.line,
    );
    expect(commands).toMatch(
      /^::error file=shop\/tenants\/dev\/objects\/worker.yaml,line=12,title=TP3004 HostPathBlocked::Pod default\/worker: .+\n$/,
    );
  });

  test('what a tenant wrote is never a command', () => {
    const commands = githubCommands(
      issuesOf(planOf([tenantPlan([refused('w', 'x\n::stop-commands::%0A::error::')])])),
      (path) => path,
      () => undefined,
    );
    expect(commands.trimEnd().split('\n')).toHaveLength(1);
    expect(commands).not.toContain('%0A');
  });

  test('past ten of a kind it says how many there are', () => {
    const many = Array.from({ length: 14 }, (_, index) => refused(`w${index}`));
    const lines = githubCommands(
      issuesOf(planOf([tenantPlan(many)])),
      (path) => path,
      () => undefined,
    )
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toContain('10 of 14 findings');
  });
});
