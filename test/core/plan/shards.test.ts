import { describe, expect, it } from 'vitest';
import { devPackage, planFiles, policy, previousOf, treeOf } from '../../support/observe.ts';

describe('a tenant that is spread', () => {
  const web =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      securityContext: {runAsNonRoot: true}\n      containers: [{name: c, image: a:1, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]\n';
  const files = devPackage({ 'a.yaml': web });

  it('falls into stable subfolders: a new object moves no other', () => {
    const config = { output: { config: 'exclude', shards: 4 } } as const;
    const before = [...treeOf(planFiles(files, config)).keys()];
    expect(new Set(before.map((path) => path.split('/')[1])).size).toBeGreaterThan(1);
    const more = { ...files, 'tenants/dev/objects/z.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: zed}\n' };
    expect([...treeOf(planFiles(more, config)).keys()]).toEqual(expect.arrayContaining(before));
  });

  // each folder is applied by itself, and a pod that starts before its policies stands open
  it('keeps Namespaces and what closes them together', () => {
    const tree = treeOf(planFiles(files, { output: { config: 'exclude', shards: 4 } }));
    const apart = [...tree].filter(([, text]) => /^kind: (Namespace|NetworkPolicy|ResourceQuota|LimitRange)$/m.test(text));
    expect(apart.length).toBeGreaterThan(5);
    for (const [path] of apart) expect(path).toMatch(/^team-dev\/isolation\//);
    expect([...tree.keys()].find((path) => path.includes('deployment'))).toMatch(/^team-dev\/shard-0\d\//);
  });

  it.each([
    ['unsharded', 1001, 1, true],
    ['in shards that are still too big', 2200, 2, true],
    ['in shards that are small enough', 1001, 2, false],
  ])('warns of a folder that grows past a thousand objects: %s', (_, count, shards, warns) => {
    const many = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`c${index}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${index}}\n`]),
    );
    const reasons = planFiles(devPackage(many), { output: { config: 'include', shards } }).findings.map(({ reason }) => reason);
    expect(reasons.includes('TreeTooLarge')).toBe(warns);
  });

  // one Application of Argo CD takes them all
  it.each([
    [3400, false],
    [3600, true],
  ])('warns of a tenant of %i objects, however many shards it has: %s', (count, warns) => {
    const many = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`c${index}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${index}}\n`]),
    );
    const plan = planFiles(devPackage(many), { output: { config: 'include', shards: 8 } });
    const total = plan.tenants[0]?.files.filter(({ path }) => path.startsWith('team-dev/')).length;
    const said = plan.findings.filter(({ code }) => code === 'TP9030').map(({ severity, message }) => `${severity}: ${message}`);
    expect(said).toEqual(warns ? [expect.stringMatching(`^warning: Tenant team-dev/dev has ${total} objects; past 3500 `)] : []);
    expect(plan.findings.map(({ reason }) => reason)).not.toContain('TreeTooLarge');
  });

  it.each([
    [3400, false],
    [3600, true],
  ])('warns of %i copies of configuration, which one Application takes: %s', (count, warns) => {
    const policies = Array.from({ length: count }, (_, index) => policy(['v1/ConfigMap'], `p${index}`)).join('---\n');
    const plan = planFiles(devPackage({}), {});
    const many = planFiles({ ...devPackage({}), 'platform/many.yaml': policies }, { output: { config: 'include', shards: 1 } });
    const config = many.shared.filter(({ path }) => path.startsWith('config/')).length;
    const said = ({ findings }: typeof plan): string[] =>
      findings.filter(({ code }) => code === 'TP9035').map(({ severity, message }) => `${severity}: ${message}`);
    expect(said(plan)).toEqual([]);
    expect(said(many)).toEqual(warns ? [expect.stringMatching(`^warning: host/config has ${config} objects; past 3500 `)] : []);
  });

  it('keeps a claim that moves to another folder: it is the same on the host', () => {
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
    const given = devPackage({ 'a.yaml': web, 'data.yaml': claim });
    const spread = (shards: number): { output: { config: 'include'; shards: number } } => ({ output: { config: 'include', shards } });
    const path = ({ tenants }: ReturnType<typeof planFiles>): string | undefined =>
      tenants.flatMap((each) => each.files).find(({ object }) => object['kind'] === 'PersistentVolumeClaim')?.path;
    const before = planFiles(given, spread(1));
    const after = planFiles(given, { ...spread(3), maxDeletions: 100 }, previousOf(before));
    expect(after.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(path(after)).toMatch(/shard-0/);
    expect(path(after)).not.toBe(path(before));
    expect(after.tenants.map(({ frozen }) => frozen)).toEqual([undefined]);
  });

  it('loses nothing on the host by moving to other folders, but what its input has no more', () => {
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
    const given = devPackage({ 'a.yaml': web, 'data.yaml': claim });
    const before = planFiles(given, { output: { config: 'include', shards: 1 } });
    const spread = { output: { config: 'include', shards: 3 }, maxDeletions: 100 } as const;
    const gone = (files: Parameters<typeof planFiles>[0]): (string | undefined)[] =>
      planFiles(files, spread, previousOf(before))
        .tenants.flatMap(({ decisions }) => decisions)
        .filter(({ action }) => action === 'Delete')
        .map(({ host }) => host?.kind);
    expect(gone(given)).toEqual([]);
    expect(gone({ ...given, 'tenants/dev/objects/data.yaml': '' })).toEqual(['PersistentVolumeClaim']);
  });

  describe('says which objects move to another folder', () => {
    const spread = (shards: number): { output: { config: 'include'; shards: number } } => ({ output: { config: 'include', shards } });
    const said = (from: number, to: number): string[] => {
      const old = previousOf(planFiles(files, spread(from)));
      const { findings } = planFiles(files, spread(to), old);
      return findings.filter(({ code }) => code === 'TP9031').map(({ severity, message, tenant }) => `${severity} ${tenant} ${message}`);
    };

    it('where their number changes', () => {
      const count = [...treeOf(planFiles(files, spread(1))).keys()].filter((path) => path.startsWith('team-dev/')).length;
      // none stays where it was
      expect(said(1, 2)).toEqual([expect.stringMatching(`^warning team-dev/dev ${count} objects of tenant team-dev/dev move `)]);
    });

    it('and not where it stays', () => {
      expect([said(1, 1), said(3, 3)]).toEqual([[], []]);
    });
  });
});
