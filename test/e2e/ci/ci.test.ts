import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { MARKER } from '../../../src/report/comment/comment.ts';
import { ROOT, scratch } from '../workspace.ts';
import { type Forge, ME, startForge } from './forge.ts';
import { action, bash, type Ended, filled, gitlabJob, workflow } from './steps.ts';

// ten runs of npx and five renders in one test, on a machine that may do other things as well
vi.setConfig({ testTimeout: 240_000 });

const SOURCE = 'fleet/tenants/dev/objects/api.yaml';

function must(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

let tarball = '';
/** npm's cache, new for each run of the tests, since npx keeps what it once made of a path */
let cache = '';
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'tenantplane-npm-'));
  const folder = join(ROOT, 'node_modules/.cache/tenantplane-ci');
  mkdirSync(folder, { recursive: true });
  tarball = join(folder, must('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], ROOT));
});

afterAll(() => rmSync(cache, { recursive: true, force: true }));

let forge: Forge | undefined;
afterEach(async () => {
  await forge?.stop();
  forge = undefined;
});

interface Repository {
  readonly folder: string;
  readonly base: string;
  commit(message: string): void;
  render(): void;
}

/** `main` holds a package and its tree, `change` one edit on top; the working tree is at `change`. The example has an object that is refused. */
function repository({ refused = false } = {}): Repository {
  const folder = scratch();
  const git = (...args: string[]): string => must('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], folder);
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  const render = (): void => void must('node', [join(ROOT, 'dist/tenantplane.mjs'), 'render', 'fleet', '--fail-on', 'never'], folder);
  git('init', '--quiet', '--initial-branch', 'main');
  cpSync(join(ROOT, 'examples/first-tenant'), join(folder, 'fleet'), { recursive: true });
  if (!refused) rmSync(join(folder, 'fleet/tenants/dev/objects/log-shipper.yaml'));
  render();
  commit('a package');
  const base = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'change');
  const text = readFileSync(join(folder, SOURCE), 'utf8');
  const edited = text.replace(/replicas: \d+/, 'replicas: 7');
  expect(edited).not.toBe(text);
  writeFileSync(join(folder, SOURCE), edited);
  render();
  commit('seven of them');
  return { folder, base, commit, render };
}

/** Nothing of the machine that runs the test but its programs. */
function machine(folder: string): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    npm_config_cache: cache,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** Every step of the action, as its conditions say: after a failure too. */
async function runAction({ folder, base }: Repository, port: number): Promise<readonly (Ended & { name: string })[]> {
  const { inputs, runs } = action();
  const given: Record<string, string> = { package: 'fleet', tenantplane: tarball, base, 'pull-request': '12', token: 'secret' };
  const context: Record<string, string> = {
    'github.server_url': 'https://github.example',
    'github.repository': 'org/repo',
    'github.run_id': '99',
    ...Object.fromEntries(Object.entries(inputs).map(([name, row]) => [`inputs.${name}`, given[name] ?? row.default])),
  };
  const home = scratch();
  const ended: (Ended & { name: string })[] = [];
  for (const step of runs.steps) {
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, context)]));
    const runner = {
      ...machine(home),
      GITHUB_REPOSITORY: 'org/repo',
      GITHUB_STEP_SUMMARY: join(home, 'summary.md'),
      GH_HOST: 'github.localhost',
      HTTP_PROXY: `http://127.0.0.1:${port}`,
    };
    ended.push({ name: step.name, ...(await bash(step.run, folder, { ...runner, ...env })) });
  }
  const summary = readFileSync(join(home, 'summary.md'), 'utf8');
  expect(summary).toContain('1 host object changes');
  return ended;
}

describe('the GitHub action', () => {
  test('comments once, then keeps that comment up to date, and touches nobody else’s', async () => {
    const repo = repository();
    const theirs = { id: 1, author: 'mallory', body: `${MARKER}\nall is well` };
    forge = await startForge([theirs]);
    for (const step of await runAction(repo, forge.port)) expect(`${step.name}: ${step.code}\n${step.out}`).toMatch(/: 0\n/);
    const comments = '/repos/org/repo/issues/12/comments';
    expect(forge.requests).toEqual([`GET ${comments}`, `POST ${comments}`]);
    const [, mine] = forge.notes;
    expect(mine?.body).toContain(`${MARKER}\n### tenantplane: 1 host object changes (\`~1\`) in 1 tenant`);
    expect(mine?.body).toMatch(
      /`fleet\/tenants\/dev\/objects\/api\.yaml:\d+` `Deployment default\/api` changed: `spec\.replicas` `\d` → `7`/,
    );
    expect(mine?.body).toContain('(<https://github.example/org/repo/actions/runs/99>)');

    await runAction(repo, forge.port);
    expect(forge.requests.slice(2)).toEqual([`GET ${comments}`, 'PATCH /repos/org/repo/issues/comments/2']);
    expect(forge.notes.map(({ author, body }) => [author, body.split('\n')[1]])).toEqual([
      ['mallory', 'all is well'],
      [ME, mine?.body.split('\n')[1]],
    ]);
  });

  test('fails where the tree was forgotten, and still comments', async () => {
    const repo = repository();
    const text = readFileSync(join(repo.folder, SOURCE), 'utf8');
    writeFileSync(join(repo.folder, SOURCE), text.replace('replicas: 7', 'replicas: 8'));
    repo.commit('eight, and no render');
    forge = await startForge();
    const [check, ...rest] = await runAction(repo, forge.port);
    expect(check?.code).toBe(4);
    expect(rest.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(forge.notes[0]?.body).toContain('→ `8`');
  });

  test('writes the reports that the workflow keeps', async () => {
    const repo = repository();
    forge = await startForge();
    await runAction(repo, forge.port);
    const read = (name: string): string => readFileSync(join(repo.folder, 'tenantplane-reports', name), 'utf8');
    expect(JSON.parse(read('tenantplane.sarif')).version).toBe('2.1.0');
    expect(read('junit.xml')).toContain('<testsuites name="tenantplane">');
    expect(read('diff.html')).toContain('<!doctype html>');
    expect(JSON.parse(read('diff.json')).kind).toBe('DiffReport');
  });

  test('has the least rights, runs GitHub’s own actions only, and puts no expression into a script', () => {
    const { permissions, jobs } = workflow();
    expect(permissions).toEqual({});
    const job = jobs['review'];
    expect(job?.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(job?.steps.map(({ uses }) => uses)).toEqual([
      'actions/checkout@v4',
      'actions/setup-node@v4',
      './.github/actions/tenantplane',
      'actions/upload-artifact@v4',
    ]);
    expect(action().runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
    const always = action()
      .runs.steps.slice(1)
      .map((step) => step.if ?? '');
    expect(always.filter((condition) => !condition.includes('!cancelled()'))).toEqual([]);
  });
});

describe('the GitLab job', () => {
  async function runJob({ folder, base }: Repository, port: number, token = 'secret'): Promise<Ended> {
    const { variables, before_script, script } = gitlabJob();
    const env = {
      ...machine(scratch()),
      ...variables,
      TENANTPLANE: tarball,
      TENANTPLANE_TOKEN: token,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: '5',
      CI_MERGE_REQUEST_IID: '7',
      CI_JOB_URL: 'https://gitlab.example/org/repo/-/jobs/3',
    };
    return bash([...before_script, ...script].join('\n'), folder, env);
  }

  test('comments once, then keeps that comment up to date', async () => {
    const repo = repository({ refused: true });
    forge = await startForge([{ id: 1, author: 'mallory', body: `${MARKER}\nall is well` }]);
    for (const time of ['first', 'second']) expect(await runJob(repo, forge.port), time).toMatchObject({ code: 1 });
    const notes = '/api/v4/projects/5/merge_requests/7/notes';
    const user = 'GET /api/v4/user';
    expect(forge.requests).toEqual([user, `GET ${notes}`, `POST ${notes}`, user, `GET ${notes}`, `PUT ${notes}/2`]);
    expect(forge.notes.map(({ body }) => body.split('\n')[1])).toEqual(['all is well', expect.stringContaining('1 host object changes')]);
    const quality = readFileSync(join(repo.folder, 'tenantplane-reports/quality.json'), 'utf8');
    expect(JSON.parse(quality)[0].location.path).toMatch(/^fleet\//);
  });

  test('without a token says where the comment is', async () => {
    const repo = repository();
    forge = await startForge();
    const { out } = await runJob(repo, forge.port, '');
    expect(out).toContain('no TENANTPLANE_TOKEN: the comment is only in tenantplane-reports/comment.md');
    expect(forge.requests).toEqual([]);
  });
});
