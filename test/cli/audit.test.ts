import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tenantplane, twoTenants } from './harness.ts';
import { scratch } from './tree/disk.ts';

const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: canary-7f3a}\n';

let root: string;
let evidence: string;
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', root, ...words], { encoding: 'utf8' });
const ledgers = (): string[] => readdirSync(join(root, '.tenantplane')).filter((name) => name.endsWith('.ndjson'));
const verify = async (...flags: string[]): Promise<{ code: number; report: Report }> => {
  const { code, out } = await tenantplane(['audit', 'verify', '-o', 'json', ...flags], { cwd: root });
  return { code, report: JSON.parse(out) };
};
interface Report {
  readonly kind: string;
  readonly commit: string | null;
  readonly proves: readonly string[];
  readonly checks: readonly { check: string; subject: string; result: string; detail: string; code?: string }[];
}
const failed = ({ checks }: Report): string[] =>
  checks.flatMap(({ check, subject, result, code }) => (result === 'failed' ? [`${check} ${subject} ${code ?? ''}`.trim()] : []));

beforeEach(async () => {
  evidence = join(scratch(), 'evidence');
  root = twoTenants();
  await tenantplane(['render', '--ledger', '-q'], { cwd: root });
});

describe('audit verify', () => {
  test('says that everything agrees, and what that proves', async () => {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'x');
    const { code, report } = await verify();
    expect(code).toBe(0);
    expect(report.checks.map(({ result }) => result)).not.toContain('failed');
    expect(report.commit).toBe(git('rev-parse', 'HEAD').trim());
    expect(report.proves).toHaveLength(3);
    const { out } = await tenantplane(['audit', 'verify'], { cwd: root });
    expect(out).toContain('Everything agrees.');
    expect(out).toContain('It does not prove');
  });

  test('claims nothing about what it could not check', async () => {
    rmSync(join(root, '.tenantplane'), { recursive: true });
    const { code, report } = await verify();
    expect(code).toBe(0);
    expect(report.proves).toHaveLength(1);
    expect(report.checks.filter(({ result }) => result === 'unproven').map(({ check }) => check)).toEqual(['commit', 'ledger']);
    expect((await verify('--require-ledger')).code).toBe(4);
  });

  test('finds a host file that was edited, taken out or added', async () => {
    const [folder = ''] = readdirSync(join(root, 'host')).filter((name) => name.startsWith('team-'));
    const names = readdirSync(join(root, 'host', folder));
    appendFileSync(join(root, 'host', folder, names[0] ?? ''), '# edited\n');
    rmSync(join(root, 'host', folder, names[1] ?? ''));
    const { code, report } = await verify();
    expect(code).toBe(4);
    expect(failed(report).sort()).toEqual(
      [`tree host/`, `tree host/${folder}/${names[0]} TP9003`, `tree host/${folder}/${names[1]} TP9003`].sort(),
    );
    expect(report.proves.join()).not.toContain('rendered tree');
  });

  test('tells a ledger that was changed from one that is of another time, and from none', async () => {
    const name = '.tenantplane/team-dev.dev.ndjson';
    const path = join(root, name);
    const old = readFileSync(path, 'utf8');
    writeFileSync(path, old.replace('"Create"', '"Skip"'));
    expect(failed((await verify()).report)).toEqual([`ledger ${name} TP9020`]);
    // a whole ledger, of the package when it had one object less
    writeFileSync(join(root, 'tenants/dev/objects/new.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n');
    await tenantplane(['render', '--ledger', '-q'], { cwd: root });
    expect(readFileSync(path, 'utf8')).not.toBe(old);
    writeFileSync(path, old);
    expect(failed((await verify()).report)).toEqual([`ledger ${name} TP9021`]);
    rmSync(path);
    expect(failed((await verify()).report)).toEqual(['ledger team-dev/dev TP9022']);
  });

  test('a ledger that no tenant has is told', async () => {
    writeFileSync(join(root, '.tenantplane/gone.gone.ndjson'), readFileSync(join(root, '.tenantplane', ledgers()[0] ?? '')));
    expect(failed((await verify()).report)).toEqual(['ledger .tenantplane/gone.gone.ndjson TP9021']);
  });

  test('sources that contradict themselves are an error of input', async () => {
    writeFileSync(join(root, 'bad.yaml'), 'a: [\n');
    const { code, err } = await tenantplane(['audit', 'verify'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain('bad.yaml');
  });

  test.each(['host/evil.yml', 'host/team-dev/evil.json', 'host/kustomization.yaml', 'host/team-dev/.hidden.yaml', 'host/notes.txt'])(
    'finds %s, which no source gives',
    async (path) => {
      writeFileSync(join(root, path), 'kind: ClusterRoleBinding\n');
      const { code, report } = await verify();
      expect(code).toBe(4);
      expect(failed(report)).toContain(`tree ${path} TP9003`);
    },
  );

  test('does not say that the commit has what it has not', async () => {
    writeFileSync(join(root, '.gitignore'), 'local.yaml\n');
    writeFileSync(join(root, 'tenants/dev/objects/local.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local}\n');
    await tenantplane(['render', '--ledger', '-q'], { cwd: root });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'x');
    const commit = async (): Promise<string> => (await verify()).report.checks.find(({ check }) => check === 'commit')?.detail ?? '';
    expect(await commit()).toBe('1 file of the package is not as this commit has it: tenants/dev/objects/local.yaml');
    rmSync(join(root, 'tenants/dev/objects/local.yaml'));
    await tenantplane(['render', '--ledger', '-q'], { cwd: root });
    git('commit', '-qam', 'y');
    expect(await commit()).toBe('the package is as this commit has it');
    const tenant = 'tenants/dev/tenant.yaml';
    git('update-index', '--assume-unchanged', tenant);
    appendFileSync(join(root, tenant), '# edited\n');
    expect(await commit()).toContain(tenant);
    git('update-index', '--no-assume-unchanged', tenant);
    git('checkout', '-q', tenant);
    git('update-index', '--skip-worktree', tenant);
    rmSync(join(root, tenant));
    expect(await commit()).toContain(tenant);
  });

  test('what says which files are read counts as one that was read', async () => {
    const elsewhere = join(scratch(), 'link');
    writeFileSync(join(root, 'tenants/.krmignore'), 'drafts/\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'x');
    const extra = 'tenants/dev/objects/extra.yaml';
    writeFileSync(join(root, extra), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n');
    git('add', '-A');
    git('commit', '-qm', 'a source without its rendering');
    const commit = async (): Promise<string> => (await verify()).report.checks.find(({ check }) => check === 'commit')?.detail ?? '';
    const differs = (path: string): string => `1 file of the package is not as this commit has it: ${path}`;
    writeFileSync(join(root, '.krmignore'), `${extra}\n`);
    expect(await commit()).toBe(differs('.krmignore'));
    rmSync(join(root, '.krmignore'));
    expect(await commit()).toBe('the package is as this commit has it');
    writeFileSync(join(root, 'tenants/.krmignore'), 'dev/objects/extra.yaml\n');
    expect(await commit()).toBe(differs('tenants/.krmignore'));
    rmSync(join(root, 'tenants/.krmignore'));
    expect(await commit()).toBe(differs('tenants/.krmignore'));
    // a link is not read, wherever it points
    writeFileSync(elsewhere, 'drafts/\n');
    symlinkSync(elsewhere, join(root, 'tenants/.krmignore'));
    expect(await commit()).toBe(differs('tenants/.krmignore'));
  });

  test('a frozen tenant proves nothing and fails nothing', async () => {
    writeFileSync(join(root, 'tenants/dev/objects/bad.yaml'), 'a: [\n');
    const { code, report } = await verify();
    expect(code).toBe(0);
    expect(report.checks.filter(({ result }) => result === 'unproven').map(({ check }) => check)).toEqual([
      'commit',
      'tree',
      'tree',
      'ledger',
    ]);
    expect(report.proves).toEqual([]);
  });
});

describe('audit export', () => {
  test('is checked with sha256sum and Python alone, and is the same each time', async () => {
    const { code, out } = await tenantplane(['audit', 'export', '--out', evidence], { cwd: root });
    expect(code).toBe(0);
    expect(out).toMatch(/^wrote \S+evidence: \d+ files, 0 left out/);
    const cwd = evidence;
    execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd });
    const files = readdirSync(join(cwd, 'ledger')).map((name) => `ledger/${name}`);
    expect(files).toHaveLength(2);
    execFileSync('python3', ['check_ledger.py', ...files], { cwd });
    const sums = readFileSync(join(cwd, 'SHA256SUMS'), 'utf8');
    rmSync(cwd, { recursive: true });
    await tenantplane(['audit', 'export', '--out', evidence], { cwd: root });
    expect(readFileSync(join(cwd, 'SHA256SUMS'), 'utf8')).toBe(sums);
    const edited = join(cwd, files[0] ?? '');
    writeFileSync(edited, readFileSync(edited, 'utf8').replace('"Create"', '"Skip"'));
    expect(() => execFileSync('python3', ['check_ledger.py', ...files], { cwd, stdio: 'pipe' })).toThrow();
  });

  test('holds no Secret, neither its value nor a digest of its file', async () => {
    writeFileSync(join(root, 'tenants/dev/objects/s.yaml'), SECRET);
    writeFileSync(join(root, 'tenants/dev/objects/broken.yaml'), `${SECRET}  : [\n`);
    await tenantplane(['audit', 'export', '--out', evidence], { cwd: root });
    const cwd = evidence;
    expect(readFileSync(join(cwd, 'LEFT-OUT.txt'), 'utf8')).toBe(
      'inputs/tenants/dev/objects/broken.yaml\ninputs/tenants/dev/objects/s.yaml\n',
    );
    const all = execFileSync(
      'cat',
      readdirSync(cwd, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
      ),
      { encoding: 'utf8' },
    );
    expect(all).not.toContain('canary-7f3a');
    expect(all).not.toContain(Buffer.from('canary-7f3a').toString('base64'));
    const digest = execFileSync('sha256sum', [join(root, 'tenants/dev/objects/s.yaml')], { encoding: 'utf8' }).split(' ')[0] ?? '';
    expect(all).not.toContain(digest);
    expect(existsSync(join(cwd, 'README.md'))).toBe(true);
  });

  test('is never mixed with what is there', async () => {
    mkdirSync(evidence);
    expect((await tenantplane(['audit', 'export', '--out', evidence], { cwd: root })).code).toBe(0);
    const again = await tenantplane(['audit', 'export', '--out', evidence], { cwd: root });
    expect(again.code).toBe(2);
    expect(again.err).toContain('evidence is not empty');
    const inside = await tenantplane(['audit', 'export', '--out', 'evidence'], { cwd: root });
    expect(inside.code).toBe(2);
    expect(inside.err).toContain('lies in the package');
    expect((await tenantplane(['audit', 'export', '--out', '.evidence'], { cwd: root })).code).toBe(0);
  });

  test('leaves out what no source gives, and what no disk could hold, and is not led astray by a link', async () => {
    writeFileSync(join(root, 'host/n.yaml'), 'kind: ConfigMap\ndata: {a: canary-7f3a}\n');
    writeFileSync(join(root, 'tenants/dev/objects/a\nb.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd}\n');
    await tenantplane(['audit', 'export', '--out', evidence], { cwd: root });
    expect(readFileSync(join(evidence, 'LEFT-OUT.txt'), 'utf8')).toBe('inputs/tenants/dev/objects/a\\nb.yaml\nhost/n.yaml\n');
    const link = join(scratch(), 'link');
    symlinkSync(root, link);
    expect((await tenantplane(['audit', 'export', '--out', join(link, 'tenants/ev')], { cwd: root })).code).toBe(2);
  });

  test('what does not agree is exported, and said', async () => {
    appendFileSync(join(root, '.tenantplane', ledgers()[0] ?? ''), 'x\n');
    const { code, err } = await tenantplane(['audit', 'export', '--out', evidence], { cwd: root });
    expect(code).toBe(4);
    expect(err).toContain('1 check failed');
    expect(readFileSync(join(evidence, 'README.md'), 'utf8')).toContain('**1 check failed.**');
  });
});
