import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployment } from '../../core/review/reviews.ts';
import { devPackage, profile } from '../../support/observe.ts';
import { type Result, tenantplane } from '../harness.ts';
import { repository } from './repository.ts';

/** Tenants, and the platform's package beside them (`--platform`): a place that is told is there, whichever of the two it is of. */

const PROFILE = /[\w./:%-]*profile\.yaml/g;

test.each([
  [['diff', 'HEAD', 'shop', '--platform', 'fleet'], '.'],
  [['diff', 'HEAD', '--platform', '../fleet'], 'shop'],
  [['diff', 'HEAD', 'shop', '--platform', 'fleet', '-o', 'github'], '.'],
  [['what-if', 'shop', '--platform', 'fleet', '--host-version', '1.35'], '.'],
  [['pr-comment', 'HEAD', 'shop', '--platform', 'fleet'], '.'],
])('%j names files that are there', async (words, at) => {
  const repo = repository();
  for (const [path, text] of Object.entries(devPackage({ 'web.yaml': deployment('web') })))
    repo.write({ [`${path.startsWith('platform/') ? 'fleet' : 'shop'}/${path}`]: text });
  repo.commit({});
  const cwd = join(repo.root, at);
  const ask = (): Promise<Result> => tenantplane(words, { cwd, env: { PATH: process.env['PATH'] ?? '' } });
  for (const level of ['sandboxed', 'nonsense']) {
    repo.write({ 'fleet/platform/profile.yaml': profile('restricted', level) });
    const { out } = await ask();
    const places = out.match(PROFILE) ?? [];
    if (level === 'nonsense') expect(places).not.toEqual([]);
    for (const place of places) expect([place, existsSync(join(cwd, place)) || existsSync(join(repo.root, place))]).toEqual([place, true]);
  }
});
