import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { markerOf } from '../../../src/report/comment/marker.ts';
import { type Forge, ME, type Note, startForge } from './forge.ts';
import { repository, shallow } from './repository.ts';
import { startRunners } from './runners.ts';
import { action, workflow } from './steps.ts';

// runs of npx and renders by the dozen, on a machine that may do other things as well
vi.setConfig({ testTimeout: 300_000 });

const runners = startRunners();
let forge: Forge | undefined;
afterEach(async () => {
  await forge?.stop();
  forge = undefined;
});

async function forgeWith(...notes: readonly Note[]): Promise<Forge> {
  forge = await startForge(notes);
  return forge;
}

const TWO = ['fleet', 'teams/b/fleet'] as const;
const MARKER = markerOf('fleet');
/** Written by somebody else, who knows the marker. */
const THEIRS: Note = { id: 1, author: 'mallory', body: `${MARKER}\nall is well` };

function codes(steps: readonly { readonly code: number | null }[]): readonly (number | null)[] {
  return steps.map(({ code }) => code);
}

/** The first line of each comment that is not hidden, and who wrote it. */
function heads({ notes }: Forge): readonly string[] {
  return notes.map(({ author, body }) => `${author}: ${body.split('\n')[1] ?? ''}`);
}

describe('the GitHub action', () => {
  const COMMENTS = '/repos/org/repo/issues/12/comments';

  test('comments once, then keeps that comment up to date, and touches nobody else’s', async () => {
    const repo = repository();
    const at = await forgeWith({ ...THEIRS });
    const { steps, summary } = await runners.action(repo, at.port);
    for (const step of steps) expect(`${step.name}: ${step.code}\n${step.out}`).toMatch(/: 0\n/);
    expect(steps.length).toBe(5);
    expect(at.requests).toEqual([`GET ${COMMENTS}`, `POST ${COMMENTS}`]);
    const [, mine] = at.notes;
    expect(mine?.body).toContain(`${MARKER}\n### tenantplane \`fleet\`: 1 host object changes (\`~1\`) in 1 tenant`);
    expect(mine?.body).toMatch(
      /`fleet\/tenants\/dev\/objects\/api\.yaml:\d+` `Deployment default\/api` changed: `spec\.replicas` `\d` → `7`/,
    );
    expect(mine?.body).toContain('(<https://github.example/org/repo/actions/runs/99>)');
    expect(summary).toContain('1 host object changes');

    await runners.action(repo, at.port);
    expect(at.requests.slice(2)).toEqual([`GET ${COMMENTS}`, `PATCH ${COMMENTS.replace('/12', '')}/2`]);
    expect(heads(at)).toEqual(['mallory: all is well', `${ME}: ${mine?.body.split('\n')[1]}`]);
  });

  test('keeps one comment for each of two packages', async () => {
    const repo = repository({ paths: TWO });
    const at = await forgeWith();
    const run = async (path: string): Promise<void> => {
      const { steps } = await runners.action(repo, at.port, { inputs: { package: path, reports: `reports/${path}` } });
      expect(codes(steps), path).toEqual([0, 0, 0, 0, 0]);
    };
    for (const path of TWO) await run(path);
    repo.edit(TWO[0], 9);
    repo.commit('nine');
    for (const path of [...TWO].reverse()) await runners.action(repo, at.port, { inputs: { package: path } });
    const changes = at.requests.filter((request) => !request.startsWith('GET'));
    expect(changes).toEqual([`POST ${COMMENTS}`, `POST ${COMMENTS}`, ...[2, 1].map((id) => `PATCH ${COMMENTS.replace('/12', '')}/${id}`)]);
    expect(at.notes.map(({ body }) => body.split('\n')[0])).toEqual(TWO.map(markerOf));
    expect(at.notes.map(({ body }) => /→ `\d`/.exec(body)?.[0])).toEqual(['→ `9`', '→ `7`']);
    expect(at.notes[1]?.body).toContain('`teams/b/fleet/tenants/dev/objects/api.yaml:');
  });

  test('takes over the older comment of a repository that is one package', { tags: 'release' }, async () => {
    const at = await forgeWith({ id: 1, author: ME, body: '<!-- tenantplane:pr:v1 -->\n### tenantplane: as it was' });
    const { steps } = await runners.action(repository({ paths: ['.'] }), at.port, { inputs: { package: '.' } });
    expect(codes(steps), steps.map(({ out }) => out).join('')).toEqual([0, 0, 0, 0, 0]);
    expect(heads(at)).toEqual([expect.stringContaining(': ### tenantplane: 1 host object changes')]);
  });

  test('of a fork has the comment in its summary, writes none, and still fails where it should', async () => {
    const at = await forgeWith();
    const { steps, summary } = await runners.action(repository({ refused: true }), at.port, { head: 'mallory/repo' });
    expect(codes(steps)).toEqual([0, 1, 0, 0]);
    expect(at.requests).toEqual([]);
    expect(summary).toContain(`${MARKER}\n### tenantplane \`fleet\`: 1 host object changes (\`~1\`)`);
  });

  test('says that nothing changes, and tells a package that is new', { tags: 'release' }, async () => {
    const at = await forgeWith();
    const quiet = await runners.action(repository({ change: 'nothing' }), at.port);
    expect(codes(quiet.steps)).toEqual([0, 0, 0, 0, 0]);
    expect(heads(at)).toEqual([`${ME}: ### tenantplane \`fleet\`: no host object changes, isolation unchanged`]);
    const first = await runners.action(repository({ change: 'packages' }), at.port);
    expect(codes(first.steps)).toEqual([0, 0, 0, 0, 0]);
    expect(heads(at)).toEqual([expect.stringMatching(/`fleet`: \d+ host objects change \(`\+\d+`\) in 1 tenant/)]);
  });

  test('in a shallow clone says so, and leaves the comment as it is', async () => {
    const at = await forgeWith({ id: 1, author: ME, body: `${MARKER}\nas it was` });
    const { steps, summary } = await runners.action(shallow(repository()), at.port);
    expect(codes(steps)).toEqual([0, 0, 3]);
    expect(steps.at(-1)?.out).toContain('fetch-depth: 0');
    expect([at.requests, summary, heads(at)]).toEqual([[], '', [`${ME}: as it was`]]);
  });

  test('fails where the tree was forgotten, and still comments', async () => {
    const repo = repository();
    repo.edit('fleet', 8);
    repo.commit('eight, and no render');
    const at = await forgeWith();
    expect(codes((await runners.action(repo, at.port)).steps)).toEqual([4, 0, 0, 0, 0]);
    expect(at.notes[0]?.body).toContain('→ `8`');
  });

  test('writes the reports that the workflow keeps', async () => {
    const repo = repository();
    await runners.action(repo, (await forgeWith()).port);
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
  const NOTES = '/api/v4/projects/5/merge_requests/7/notes';
  const USER = 'GET /api/v4/user';

  test('comments once, then keeps that comment up to date', async () => {
    const repo = repository({ refused: true });
    const at = await forgeWith({ ...THEIRS });
    for (const time of ['first', 'second']) expect(await runners.job(repo, at.port), time).toMatchObject({ code: 1 });
    expect(at.requests).toEqual([USER, `GET ${NOTES}`, `POST ${NOTES}`, USER, `GET ${NOTES}`, `PUT ${NOTES}/2`]);
    expect(heads(at)).toEqual(['mallory: all is well', expect.stringContaining('`fleet`: 1 host object changes')]);
    const quality = readFileSync(join(repo.folder, 'tenantplane-reports/quality.json'), 'utf8');
    expect(JSON.parse(quality)[0].location.path).toMatch(/^fleet\//);
  });

  test('keeps one comment for each of two packages', { tags: 'release' }, async () => {
    const repo = repository({ paths: TWO });
    const at = await forgeWith();
    for (const path of [...TWO, ...TWO]) expect(await runners.job(repo, at.port, { PACKAGE: path }), path).toMatchObject({ code: 0 });
    const changes = at.requests.filter((request) => !request.startsWith('GET'));
    expect(changes).toEqual([`POST ${NOTES}`, `POST ${NOTES}`, `PUT ${NOTES}/1`, `PUT ${NOTES}/2`]);
    expect(heads(at)).toEqual(TWO.map((path) => expect.stringContaining(`### tenantplane \`${path}\`: 1 host object changes`)));
  });

  test('takes over the older comment of a repository that is one package', { tags: 'release' }, async () => {
    const at = await forgeWith({ id: 1, author: ME, body: '<!-- tenantplane:pr:v1 -->\n### tenantplane: as it was' });
    expect(await runners.job(repository({ paths: ['.'] }), at.port, { PACKAGE: '.' })).toMatchObject({ code: 0 });
    expect(heads(at)).toEqual([expect.stringContaining('### tenantplane: 1 host object changes')]);
  });

  test('without a token says where the comment is, and still fails where it should', async () => {
    const repo = repository({ refused: true });
    const at = await forgeWith();
    const { code, out } = await runners.job(repo, at.port, { TENANTPLANE_TOKEN: '' });
    expect(code).toBe(1);
    expect(out).toContain('no TENANTPLANE_TOKEN: the comment is only in tenantplane-reports/comment.md');
    expect(at.requests).toEqual([]);
    const text = readFileSync(join(repo.folder, 'tenantplane-reports/comment.md'), 'utf8');
    expect(text).toContain('1 host object changes');
  });

  test('says that nothing changes, and tells a package that is new', { tags: 'release' }, async () => {
    const at = await forgeWith();
    expect(await runners.job(repository({ change: 'nothing' }), at.port)).toMatchObject({ code: 0 });
    expect(heads(at)).toEqual([`${ME}: ### tenantplane \`fleet\`: no host object changes, isolation unchanged`]);
    expect(await runners.job(repository({ change: 'packages' }), at.port)).toMatchObject({ code: 0 });
    expect(heads(at)).toEqual([expect.stringMatching(/`fleet`: \d+ host objects change \(`\+\d+`\) in 1 tenant/)]);
  });

  test('in a shallow clone says so, and leaves the comment as it is', async () => {
    const at = await forgeWith({ id: 1, author: ME, body: `${MARKER}\nas it was` });
    const { code, out } = await runners.job(shallow(repository()), at.port);
    expect(code).toBe(3);
    expect(out).toContain('fetch --unshallow');
    expect([at.requests, heads(at)]).toEqual([[], [`${ME}: as it was`]]);
  });
});
