import { describe, expect, test } from 'vitest';
import { renderText } from '../../src/report/render-text.ts';
import { PLAIN } from '../../src/report/text.ts';
import { fileOf, findingOf, noteOf, planOf, projected, refused, tenantPlan } from './fixtures.ts';

const removed = projected('old', { action: 'Delete', code: 'TP5001', reason: 'SourceRemoved' });

describe('the text of a render', () => {
  test('counts, changed files with their reason, refusals with place, sentence and remedy', () => {
    const plan = planOf([tenantPlan([projected('nginx'), projected('same'), refused('worker'), removed])]);
    const changes = { added: ['team-dev/pod_nginx.yaml'], changed: [], removed: ['team-dev/pod_old.yaml'], unchanged: 1 };
    expect(renderText(plan, changes, { ...PLAIN, sourcePath: (path) => `shop/${path}`, hostPrefix: 'shop/host/' })).toBe(
      [
        'tenant team-dev/dev   policy default   profile restricted',
        '  2 projected   0 made   1 refused   1 removed',
        '  + shop/host/team-dev/pod_nginx.yaml  TP2001 PolicyMatched',
        '  - shop/host/team-dev/pod_old.yaml  TP5001 SourceRemoved',
        '  ! shop/tenants/dev/objects/worker.yaml:12  Pod default/worker  TP3004 HostPathBlocked',
        `    ${refused('worker').message}`,
        `    try: ${refused('worker').remedy}`,
        '',
      ].join('\n'),
    );
  });

  test('a long list says how many more there are, and -v shows them', () => {
    const many = Array.from({ length: 500 }, (_, index) => projected(`pod-${index}`));
    const plan = planOf([tenantPlan([...many, ...Array.from({ length: 40 }, (_, index) => refused(`bad-${index}`))])]);
    const changes = { added: many.map((item) => item.host?.file ?? ''), changed: [], removed: [], unchanged: 0 };
    const short = renderText(plan, changes, PLAIN);
    expect(short).toContain('… and 490 more new files');
    expect(short).toContain('… and 30 more refused objects');
    expect(short.split('\n').length).toBeLessThan(60);
    expect(renderText(plan, changes, { ...PLAIN, verbose: true })).toContain('pod_pod-499.yaml');
  });

  test('a tenant cannot write lines of its own or colour the terminal', () => {
    const text = renderText(planOf([tenantPlan([refused('w', 'x\u001b[2J\n  + host/fake.yaml')])]), undefined, PLAIN);
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').some((line) => line.startsWith('  + host/fake'))).toBe(false);
  });

  test('a pointer is printed with its own line, looked up only when needed', () => {
    const note = noteOf('HostPathBlocked', { volume: 'cache' });
    const plan = planOf([tenantPlan([projected('a'), refused('worker', 'cache', { notes: [note] })])]);
    const asked: (string | undefined)[] = [];
    const locate = (_: unknown, pointer?: string): number => {
      asked.push(pointer);
      return 31;
    };
    expect(renderText(plan, undefined, { ...PLAIN, locate })).toContain('worker.yaml:31');
    expect(asked).toEqual(['/spec/volumes/0']);
  });

  test('a frozen tenant says why, a finding of the platform stands by itself', () => {
    const plan = planOf([tenantPlan([], { frozen: 'A Secret is defined twice.' })], {
      findings: [findingOf('UnknownField', { pointer: '/spec/levle', near: ' (did you mean level?)' })],
    });
    const text = renderText(plan, undefined, PLAIN);
    expect(text).toContain('  frozen: its tree stays as it last was. Why: A Secret is defined twice.');
    expect(text).toContain('package\n  ! profiles/restricted.yaml:3  TP9002 UnknownField');
  });

  test('warnings that go with a rendered object are shown as such', () => {
    const note = noteOf('ReferenceUnresolved', { pointer: '/spec/volumes/0', target: 'ConfigMap default/settings' });
    const text = renderText(planOf([tenantPlan([projected('web', { notes: [note] })])]), undefined, PLAIN);
    expect(text).toContain('1 warning\n  ? tenants/dev/objects/web.yaml:12  Pod default/web  TP1011 ReferenceUnresolved');
  });

  test('a fleet hides the tenants that have nothing to say', () => {
    const calm = Array.from({ length: 49 }, (_, index) => tenantPlan([projected('a')], { name: `t${index}`, namespace: `team-${index}` }));
    const text = renderText(planOf([...calm, tenantPlan([refused('b')])]), undefined, PLAIN);
    expect(text).toContain('49 tenants without changes or warnings');
    expect(text).toContain('tenant team-dev/dev');
    expect(text).not.toContain('team-7/');
  });

  test('shared files are listed apart', () => {
    const shared = { ...fileOf(projected('x')), path: 'platform/validatingadmissionpolicy.yaml' };
    const text = renderText(
      planOf([], { shared: [shared] }),
      { added: [shared.path], changed: [], removed: ['gone/pod_x.yaml'], unchanged: 0 },
      PLAIN,
    );
    expect(text).toBe('shared\n  + host/platform/validatingadmissionpolicy.yaml  TP2001 PolicyMatched\n  - host/gone/pod_x.yaml\n');
  });
});
