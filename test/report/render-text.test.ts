import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision/decision.ts';
import { leftBehind } from '../../src/core/plan/left-behind.ts';
import type { HostFile } from '../../src/core/plan/plan-types.ts';
import { issueCounts, issuesOf } from '../../src/report/issues.ts';
import { renderText } from '../../src/report/render-text.ts';
import { tally } from '../../src/report/tally.ts';
import { PLAIN } from '../../src/report/text.ts';
import { decision, fileOf, findingOf, noteOf, planOf, projected, refused, tenantPlan } from './fixtures.ts';

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
    expect(text).toContain(
      '\n  0 written\n  frozen: nothing of it is written, its tree stays as it last was, and objects of it may be refused when made anew. Why: A Secret is defined twice.',
    );
    const known = renderText(plan, undefined, { ...PLAIN, standing: (folder) => (folder === 'team-dev' ? 17 : 0) });
    expect(known).toContain(
      '  frozen: nothing of it is written, its 17 files stay as they last were and may be refused when made anew. Why: ',
    );
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

  describe('shared files', () => {
    const guard = { ...fileOf(projected('x')), path: 'platform/validatingadmissionpolicy.yaml' };
    const ofProfile = (profile: string): HostFile => ({
      ...fileOf(decision('IsolationObjectCompiled', { profile, name: profile })),
      path: `platform/${profile}.yaml`,
    });
    const copy = { ...fileOf(decision('ConfigCopied', { name: 'y' })), path: 'config/y.yaml' };

    test('are listed apart', () => {
      const changes = { added: [guard.path], changed: [], removed: ['gone/pod_x.yaml'], unchanged: 0 };
      expect(renderText(planOf([], { shared: [guard] }), changes, PLAIN)).toBe(
        [
          'shared   1 file: 1 for the whole fleet',
          '  1 new',
          '  + host/platform/validatingadmissionpolicy.yaml  TP2001 PolicyMatched',
          '  - host/gone/pod_x.yaml',
          '',
        ].join('\n'),
      );
    });

    test('say in two lines what they are, how many change and for whom', () => {
      const shared = [guard, copy, ofProfile('open'), ofProfile('shut')];
      const none = { added: [], changed: [], removed: [], unchanged: 4 };
      const text = renderText(planOf([], { shared }), none, PLAIN);
      expect(text).toBe(
        'shared   4 files: 1 for the whole fleet, 1 copy of configuration, 1 for profile open, 1 for profile shut\n  4 unchanged\n',
      );
      const some = { ...none, changed: ['config/y.yaml', 'platform/shut.yaml'], removed: ['platform/old.yaml', 'team-dev/x.yaml'] };
      expect(renderText(planOf([], { shared }), some, PLAIN)).toContain(
        '\n  2 changed (copies of configuration, profile shut), 1 removed, 2 unchanged\n',
      );
    });

    test('of many profiles are not all named', () => {
      const shared = Array.from({ length: 30 }, (_, index) => ofProfile(`p${index}`));
      const none = { added: [], changed: [], removed: [], unchanged: 30 };
      expect(renderText(planOf([], { shared }), none, PLAIN)).toContain('1 for profile p3 and 26 more\n');
    });

    test('are not mentioned where nothing is compared with', () => {
      expect(renderText(planOf([], { shared: [guard] }), undefined, PLAIN)).not.toContain('whole fleet');
    });
  });

  describe('what is not rendered is said', () => {
    const lease = decision('KindNotListed', { policy: 'default', kind: 'Lease', snippet: '{kind: Lease}', name: 'lock' });

    test('an object out of scope is named on a line of its own, with its remedy under -v', () => {
      const plan = planOf([tenantPlan([lease])]);
      const line =
        '  . tenants/dev/objects/lock.yaml:12  Pod default/lock  TP2002 KindNotListed: SyncPolicy default has no entry for Lease.';
      expect(renderText(plan, undefined, PLAIN)).toContain(`  0 projected   0 made   1 out of scope\n${line}\n`);
      expect(renderText(plan, undefined, PLAIN)).not.toContain('try:');
      expect(renderText(plan, undefined, { ...PLAIN, verbose: true })).toContain(`${line}\n    try: Add {kind: Lease}`);
    });

    test('many of them are cut like every listing', () => {
      const plan = planOf([tenantPlan(Array.from({ length: 40 }, () => lease))]);
      expect(renderText(plan, undefined, PLAIN)).toContain('… and 30 more objects out of scope (-v lists them all)');
    });

    test('a fact that was read is counted as read, not as out of scope', () => {
      const fact = decision('FactRead', { kind: 'Namespace', source: 'web', name: 'web' });
      const text = renderText(planOf([tenantPlan([fact])]), undefined, PLAIN);
      expect(text).toContain('  0 projected   0 made   1 read\n');
      expect(text).not.toContain('FactRead');
    });

    test('objects outside objects/ in one line, and each where everything is asked for', () => {
      const lost = (causes: readonly string[]): Decision =>
        decision('PlatformObject', { kind: 'Namespace', source: 'web', name: 'web' }, { causes });
      const said = (count: number, causes = ['folder']): string =>
        renderText(planOf([], { decisions: Array.from({ length: count }, () => lost(causes)) }), undefined, PLAIN);
      expect(said(1)).toBe('no tenant\n  . 1 object lies outside any objects/ folder and is not rendered (Pod): -v names it\n');
      expect(said(3)).toContain('  . 3 objects lie outside any objects/ folder and are not rendered (Pod): -v lists them\n');
      expect(said(3, ['kind'])).toBe('');
      const plan = planOf([], { decisions: [lost(['folder'])] });
      expect(renderText(plan, undefined, { ...PLAIN, verbose: true })).toContain('no tenant\n  . tenants/dev/objects/web.yaml:12');
    });
  });

  test('notes for the record are counted, and stand under their object with -v', () => {
    const note = noteOf('AnnotationBlocked', { key: 'example.com/owner' });
    const plan = planOf([tenantPlan([projected('web', { notes: [note, note] })])]);
    expect(renderText(plan, undefined, PLAIN)).toContain('  1 projected   0 made   2 notes (-v shows them)\n');
    expect(renderText(plan, undefined, PLAIN)).not.toContain('TP3037');
    expect(renderText(plan, undefined, { ...PLAIN, verbose: true })).toContain(
      [
        '  = tenants/dev/objects/web.yaml:12  Pod default/web',
        `    TP3037 AnnotationBlocked: ${note.message}`,
        `    try: ${note.remedy}\n`,
      ].join('\n'),
    );
  });

  test('a refused object says what to do about each of its refusals, and nothing twice', () => {
    const host = noteOf('IngressHostBlocked', { host: 'a.example', allowed: 'none' });
    const path = noteOf('IngressPathBlocked', { path: '/$', why: 'no' });
    const item = decision('IngressHostBlocked', { host: 'b.example', allowed: 'none', name: 'web' }, { notes: [path, host, host] });
    const [, , , ...lines] = renderText(planOf([tenantPlan([item])]), undefined, PLAIN).split('\n');
    expect(lines).toEqual([
      `    ${item.message}`,
      `    TP3032 IngressHostBlocked: ${host.message}`,
      `    try: ${host.remedy}`,
      `    TP3033 IngressPathBlocked: ${path.message}`,
      `    try: ${path.remedy}`,
      '',
    ]);
  });

  test('a warning of a finding is counted in the header of its tenant', () => {
    const finding = findingOf(
      'TreeTooLarge',
      { tenant: 'dev', folder: 'host/team-dev', count: '1', limit: '0' },
      { tenant: 'team-dev/dev' },
    );
    expect(renderText(planOf([tenantPlan([projected('a')])], { findings: [finding] }), undefined, PLAIN)).toContain('   1 warning\n  ? ');
  });

  describe('removals', () => {
    const goneFile = (kind: string, name: string): Decision =>
      decision(
        'TenantRemoved',
        { tenant: 'team-qa/qa' },
        {
          action: 'Delete',
          host: { apiVersion: 'v1', kind, namespace: 'team-qa', name, file: `team-qa/${kind}_${name}.yaml` },
          notes: kind === 'PersistentVolumeClaim' ? [noteOf('DataLeftBehind', leftBehind({ kind, namespace: 'team-qa', name }, true))] : [],
        },
      );
    const decisions = [goneFile('Service', 'a'), goneFile('PersistentVolumeClaim', 'b'), goneFile('PersistentVolumeClaim', 'c')];
    const removedPaths = decisions.map((item) => item.host?.file ?? '');
    const plan = planOf([], { decisions });

    test('a tenant that is gone is one line, and data that stays is told by kind', () => {
      const text = renderText(plan, { added: [], changed: [], removed: removedPaths, unchanged: 0 }, PLAIN);
      expect(text.split('\n')).toEqual([
        'removed',
        '  - tenant team-qa/qa: 3 files, 2 PersistentVolumeClaim, 1 Service  TP5003 TenantRemoved',
        '  ? 2 removed objects  TP5007 DataLeftBehind',
        '    Each is taken out of the tree but stays on the host: a claim holds data.',
        '    2 PersistentVolumeClaim: team-qa/b, team-qa/c',
        `    try: ${decisions[1]?.notes[0]?.remedy} persistentvolumeclaim/c`,
        '',
      ]);
    });

    test('its files among the shared ones are counted with it, not a second time', () => {
      const flow = decision(
        'TenantRemoved',
        { tenant: 'team-qa/qa' },
        {
          action: 'Delete',
          host: { apiVersion: 'v1', kind: 'FlowSchema', namespace: '', name: 'qa', file: 'platform/flowschema_qa.yaml' },
        },
      );
      const changes = {
        added: [],
        changed: [],
        removed: [...removedPaths, 'platform/flowschema_qa.yaml', 'platform/other.yaml'],
        unchanged: 0,
      };
      const text = renderText(planOf([], { decisions: [...decisions, flow] }), changes, PLAIN);
      expect(text).toContain('tenant team-qa/qa: 4 files');
      expect(text).toContain('shared\n  1 removed\n');
    });

    test('-v lists its files as well; it is one warning and one issue', () => {
      const changes = { added: [], changed: [], removed: removedPaths, unchanged: 0 };
      expect(renderText(plan, changes, { ...PLAIN, verbose: true })).toContain(`  - host/${removedPaths[0]}`);
      expect(tally(decisions).warnings).toBe(3);
      expect(issuesOf(plan).map((issue) => issue.reason)).toEqual(['TenantRemoved', 'DataLeftBehind', 'DataLeftBehind']);
    });
  });

  test('refusals are counted as objects, in a summary as in the header', () => {
    const twice = refused('w', 'cache', { notes: [noteOf('HostPortBlocked', { container: 'a', port: '80' })] });
    const plan = planOf([tenantPlan([twice])]);
    expect(renderText(plan, undefined, PLAIN)).toContain('   1 refused\n');
    expect(issueCounts(plan)).toEqual({ error: 0, frozen: 0, refused: 1, held: 0, warning: 0 });
  });
});
