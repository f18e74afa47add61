import { describe, expect, it } from 'vitest';
import { previousFile } from '../../../src/cli/render/previous-tree.ts';
import type { Plan, PreviousObject } from '../../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { devPackage, type Files, planFiles, previousOf, profile, tenant, treeOf } from '../../support/observe.ts';

const LEVEL = 'platform/prioritylevelconfiguration.flowcontrol.apiserver.k8s.io_tenantplane-tenant.yaml';
const PROFILE = 'platform/profile.yaml';
const files = devPackage({});
/** the tenant's own input is at fault */
const BAD: Files = { 'tenants/dev/objects/bad.yaml': tenant('mine') };
/** the platform's is: nothing of the tenant is written */
const unknownPolicy = (more = {}): Files => ({ 'tenants/dev/tenant.yaml': tenant('dev', { ...more, policy: 'gone' }) });

/** As the shells hand it over: a file says whether it is the same. */
function treeOn(given: Files): PreviousObject[] {
  return previousOf(planFiles(given)).map((entry) => ({ ...entry, matches: (desired) => emitYaml(desired) === emitYaml(entry.object) }));
}

const restricted = (result: Plan): Map<string, string> =>
  new Map([...treeOf(result)].filter(([path]) => /^platform\/validatingadmissionpolicy.*_tenantplane-restricted-/.test(path)));
const saidOf = (result: Plan): string[] =>
  result.findings.filter(({ reason }) => /^Profile(Held|MovedOn)$/.test(reason)).map(({ severity, message }) => `${severity}: ${message}`);
const NAMESPACE = 'team-dev/namespace_team-dev.yaml';

const waitsOf = ({ findings }: Plan): string[] => findings.filter(({ reason }) => reason === 'BoundaryWaits').map(({ message }) => message);

describe('a tenant whose tree stays as it was', () => {
  // a neighbour under the same profile, whose tree is written
  const two: Files = { ...files, 'tenants/qa/tenant.yaml': tenant('qa') };

  it.each<[string, string, RegExp]>([
    ['a stricter one', profile('restricted', 'sandboxed'), /kata-qemu/],
    ['a weaker one', profile('restricted', 'restricted', '  allow: {storageClasses: [fast]}'), /fast/],
  ])('delays no profile for its neighbours: %s', (_, text, sign) => {
    const result = planFiles({ ...two, ...BAD, [PROFILE]: text }, {}, treeOn(two));
    expect(result.tenants.map(({ name, frozen }) => [name, frozen !== undefined])).toEqual([
      ['dev', true],
      ['qa', false],
    ]);
    expect(restricted(result)).toEqual(restricted(planFiles({ ...two, [PROFILE]: text })));
    expect([...restricted(result).values()].join('')).toMatch(sign);
    // its FlowSchema moves on as well
    expect(result.removed.filter((path) => path !== LEVEL)).toEqual([]);
    expect(saidOf(result)).toContainEqual(
      expect.stringMatching(/^warning: IsolationProfile restricted \(.*\) changes, also for team-dev,/),
    );
  });

  it('holds up no policy that its profile, which is still there, asks for no more', () => {
    const result = planFiles(
      { ...two, ...BAD, [PROFILE]: profile('restricted', 'restricted', '  allow: {daemonSets: true}') },
      {},
      treeOn(two),
    );
    const gone = [...restricted(planFiles(two)).keys()].filter((path) => path.includes('daemonsets'));
    expect(gone).toHaveLength(2);
    expect(result.removed).toEqual(gone);
    const mended = planFiles({ ...two, [PROFILE]: profile('restricted', 'restricted', '  allow: {daemonSets: true}') }, {}, treeOn(two));
    expect(mended.removed).toEqual(gone);
  });

  it.each<[string, Files, string[]]>([
    [
      'renamed',
      { ...files, ...unknownPolicy({ profile: 'open' }), [PROFILE]: profile('open', 'sandboxed') },
      [expect.stringContaining('IsolationProfile restricted needs no more')],
    ],
    // that its profile is missing is an error of its own
    ['removed', { ...Object.fromEntries(Object.entries(files).filter(([path]) => path !== PROFILE)), ...BAD }, []],
  ])('is never left without the policies of its profile: %s', (_, given, said) => {
    const result = planFiles(given, { maxDeletions: 100 }, treeOn(files));
    expect(treeOn(files).find(({ source }) => source.path === NAMESPACE)).toBeDefined();
    expect(result.removed).toEqual([]);
    expect(saidOf(result)).toEqual(said);
  });

  const renamed = { ...files, 'tenants/dev/tenant.yaml': tenant('dev', { profile: 'open' }), [PROFILE]: profile('open', 'sandboxed') };

  it('goes over to another profile although its own input is at fault: no policy of the old one is left, and those of the new one hold it', () => {
    const result = planFiles({ ...renamed, ...BAD }, { maxDeletions: 100 }, treeOn(files));
    expect(result.removed).toEqual(expect.arrayContaining([...restricted(planFiles(files)).keys()]));
    expect(treeOf(result).get(NAMESPACE)).toContain('tenantplane.io/isolation-profile: open');
    expect([...treeOf(result).keys()]).toContainEqual(expect.stringContaining('_tenantplane-open-pods'));
  });

  it('lets the policies of its old profile go once it is well again', () => {
    const result = planFiles(renamed, { maxDeletions: 100 }, treeOn(files));
    expect(result.removed).toEqual(expect.arrayContaining([...restricted(planFiles(files)).keys()]));
    expect(result.removed).toContain('config/isolationprofile.tenantplane.io_restricted.yaml');
  });

  it.each<[string, Files]>([
    ['the same profile', { ...two, ...BAD, 'platform/open.yaml': profile('open', 'baseline') }],
    ['a profile of others', { ...two, ...BAD, 'platform/open.yaml': profile('open', 'restricted') }],
  ])('is not mentioned for %s', (_, given) => {
    const before = {
      ...two,
      'tenants/qa/tenant.yaml': tenant('qa', { profile: 'open' }),
      'platform/open.yaml': profile('open', 'baseline'),
    };
    expect(saidOf(planFiles({ ...given, 'tenants/qa/tenant.yaml': before['tenants/qa/tenant.yaml'] }, {}, treeOn(before)))).toEqual([]);
  });

  it.each<[string, (text: string) => string, boolean]>([
    ['a comment', (text) => `# by hand\n${text}`, false],
    ['the order of its keys', (text) => text.replace(/^(kind: .*\n)([\s\S]*)/m, '$2$1'), false],
    ['who made it', (text) => text.replace(/tenantplane.io\/caused-by: .*/, 'tenantplane.io/caused-by: somebody'), false],
    ['the words of a refusal', (text) => text.replace(/( message: )"?.*/, '$1reworded'), false],
    ['what it does when it fails', (text) => text.replace('failurePolicy: Fail', 'failurePolicy: Ignore'), true],
    ['what it refuses', (text) => text.replace(/( expression: ).*/, '$1"true"'), true],
    ['whom it is for', (text) => text.replace('- CREATE\n', '- DELETE\n'), true],
  ])('is told that its profile moved on by what is meant, not by bytes: %s', (_, edit, told) => {
    const path = [...restricted(planFiles(two)).keys()].find((name) => /policy\.admission.*-pods\.yaml$/.test(name)) ?? '';
    const edited = treeOn(two).map((entry) => {
      if (entry.source.path !== path) return entry;
      const before = emitYaml(entry.object);
      const text = edit(before);
      expect(text).not.toBe(before);
      return previousFile(path, () => text);
    });
    expect(saidOf(planFiles({ ...two, ...BAD }, {}, edited))).toHaveLength(told ? 1 : 0);
  });

  it.each<[string, Files]>([
    ['its own objects are at fault', { ...files, ...BAD }],
    ['its SyncPolicy is missing', { ...files, ...unknownPolicy() }],
    ['its profile is missing', { ...files, [PROFILE]: '' }],
  ])('is not told of a FlowSchema that nobody takes away: %s', (_, given) => {
    const result = planFiles(given, { maxDeletions: 100 }, treeOn(files));
    expect(result.tenants.map(({ frozen }) => frozen !== undefined)).toEqual([true]);
    expect(waitsOf(result).join()).not.toContain('FlowSchema');
  });

  it.each<[string, Files]>([
    ['its profile asks for none any more', { ...files, ...BAD, [PROFILE]: profile('restricted', 'baseline') }],
    ['its SyncPolicy is missing, too', { ...files, ...unknownPolicy(), [PROFILE]: profile('restricted', 'baseline') }],
    [
      'its TenantCluster names another profile, and the old one is gone',
      { ...files, ...unknownPolicy({ profile: 'open' }), [PROFILE]: profile('open', 'baseline') },
    ],
  ])('keeps the priority level that its FlowSchema names, and the copy of its profile: %s', (_, given) => {
    const result = planFiles(given, { maxDeletions: 100 }, treeOn(files));
    expect(treeOn(files).map(({ source }) => source.path)).toContain(LEVEL);
    expect(result.removed).toEqual([]);
  });

  it('is told of its FlowSchema where its profile asks for none any more', () => {
    const result = planFiles({ ...files, ...BAD, [PROFILE]: profile('restricted', 'baseline') }, { maxDeletions: 100 }, treeOn(files));
    expect(waitsOf(result)).toEqual([
      'Tenant team-dev/dev is frozen, and this of its boundary with it: FlowSchema/tenantplane-team-dev would change and stay as they last were.',
    ]);
  });
});
