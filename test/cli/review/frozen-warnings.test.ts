import { expect, test } from 'vitest';
import type { Review } from '../../../src/core/review/review.ts';
import { ANSWER_FORMATS } from '../../../src/report/answer/format-names.ts';
import { policy, profile, tenant } from '../../support/observe.ts';
import { configMap, tenantplane } from '../harness.ts';
import { put } from '../tree/disk.ts';
import { type Repository, repository } from './repository.ts';

/** A tenant that broke its own YAML, and then a stricter profile: a review says of it what the render would. */

const WAYS = [
  ['the tenant’s own YAML', { 'tenants/dev/objects/bad.yaml': 'a: [' }, 'TP2030', 'ProfileMovedOn', 'made anew of them may be refused'],
  [
    'the platform’s input',
    { 'tenants/dev/tenant.yaml': tenant('dev', { spec: '  networking: {egressPolicy: unrestricted}\n' }) },
    'TP2032',
    'BoundaryWaits',
    'stay as they last were',
  ],
] as const;
const ENV = { PATH: process.env['PATH'] ?? '' };

async function tightened(broken: Readonly<Record<string, string>>): Promise<Repository> {
  const repo = repository();
  const qa = { 'tenants/qa/tenant.yaml': tenant('qa'), 'tenants/qa/objects/a.yaml': configMap('a') };
  const dev = { 'tenants/dev/tenant.yaml': tenant('dev'), 'tenants/dev/objects/a.yaml': configMap('a') };
  put(repo.root, { 'platform/profile.yaml': profile(), 'platform/policy.yaml': policy(), ...qa, ...dev });
  await tenantplane(['render', '-q'], { cwd: repo.root });
  put(repo.root, broken);
  await tenantplane(['render', '-q'], { cwd: repo.root });
  repo.commit({});
  repo.commit({ 'platform/profile.yaml': profile('restricted', 'sandboxed') });
  return repo;
}

const RANGE = 'HEAD~1..HEAD';

async function said({ root }: Repository, ...argv: readonly string[]): Promise<string> {
  return (await tenantplane(argv, { cwd: root, env: ENV })).out;
}

test.each(WAYS)('frozen by %s: diff and comment tell it', async (_, broken, code, reason, words) => {
  const repo = await tightened(broken);
  const text = await said(repo, 'diff', RANGE);
  expect(text).toMatch(/^(?:1 tenant would be frozen, )?\d+ host objects change .+ \d warnings? for frozen tenants$/m);
  expect(text).toContain(`${code} ${reason}\n`);
  expect(text.replace(/\s+/g, ' ')).toContain(words);
  const comment = await said(repo, 'pr-comment', RANGE);
  expect(comment).toMatch(/^### .*frozen\*\*.* \d warnings? for frozen tenants$/m);
  expect(comment).toContain(`${code} ${reason}: `);
  expect(comment).toContain(words);
  // the job that comments has but the document
  const { out } = await tenantplane(['pr-comment', '--from', '-'], { stdin: await said(repo, 'diff', RANGE, '-o', 'json') });
  expect(out).toContain(`${code} ${reason}: `);
});

test.each(ANSWER_FORMATS)('in -o %s', async (format) => {
  const out = await said(await tightened(WAYS[0][1]), 'diff', RANGE, '-o', format);
  expect(out).toContain('TP2030');
  expect(out.replace(/\s+/g, ' ')).toContain('may be refused');
});

test('the report has it', async () => {
  const changes = /<section id="changes"[\s\S]*?<\/section>/.exec(
    await said(await tightened(WAYS[0][1]), 'report', 'html', '.', RANGE),
  )?.[0];
  expect(changes).toContain('TP2030 ProfileMovedOn');
});

test('another tenant is not told of it, and no change is no news', async () => {
  const repo = await tightened(WAYS[0][1]);
  const warnings = async (...argv: readonly string[]): Promise<Review['warnings']> => {
    const review: Review = JSON.parse(await said(repo, 'diff', ...argv, '-o', 'json'));
    return review.warnings;
  };
  expect((await warnings(RANGE)).map(({ tenant: of, reason }) => [of, reason])).toContainEqual(['team-dev/dev', 'ProfileMovedOn']);
  expect((await warnings(RANGE, '--tenants', 'qa')).map(({ tenant: of }) => of)).not.toContain('team-dev/dev');
  expect(await warnings('HEAD~1..HEAD~1')).toEqual([]);
});
