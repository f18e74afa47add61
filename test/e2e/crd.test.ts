import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkConfig } from '../../src/schema/check-config.ts';
import { RESOURCE_SCHEMAS } from '../../src/schema/config-kinds.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { buildTool } from '../bed/build-tool.ts';
import { BAD_CONFIGS } from '../schema/bad-configs.ts';
import { PUBLIC_MANIFESTS, tenantCluster } from '../schema/manifests.ts';
import { mutations } from '../schema/mutations.ts';
import { ROOT } from './workspace.ts';

interface Answer {
  readonly errors: readonly string[];
  readonly unknown: readonly string[];
  readonly value: JsonObject;
}

let tool = '';
beforeAll(async () => {
  tool = await buildTool('crd');
});

/** What the API server's own code says of objects, under the committed CRDs. */
function ask(questions: readonly { readonly object: JsonObject; readonly previous?: JsonObject }[]): Answer[] {
  const number = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  const input = questions.map((question) => `${JSON.stringify(question, number)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(tool, [join(ROOT, 'deploy/crds')], { input, encoding: 'utf8', maxBuffer: 1e9 });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const answers = stdout.trim().split('\n');
  expect(answers.length).toBe(questions.length);
  return answers.map((line) => JSON.parse(line) as Answer);
}

const complaints = (answer: Answer | undefined): string[] => [...(answer?.errors ?? ['no answer']), ...(answer?.unknown ?? [])];

describe('the API server’s own validation', () => {
  test('takes the CRDs: structural, defaults legal, CEL rules typed and within their cost', () => {
    expect(complaints(ask([{ object: tenantCluster() }])[0])).toEqual([]);
  });

  test('takes the manifests of the public API, and fills in the defaults that we do', () => {
    const names = Object.keys(PUBLIC_MANIFESTS);
    const answers = ask(Object.values(PUBLIC_MANIFESTS).map((object) => ({ object })));
    expect(answers.flatMap((answer, index) => complaints(answer).map((text) => `${names[index]}: ${text}`))).toEqual([]);
    // what is written empty stays empty in an API server; read through our check, both are the same
    for (const [index, object] of Object.values(PUBLIC_MANIFESTS).entries()) {
      expect(checkConfig(answers[index]?.value ?? {}).value).toEqual(checkConfig(object).value);
    }
  });

  test('refuses what we refuse, but for rules that are marked as ours', () => {
    const served = BAD_CONFIGS.filter(({ object }) => Object.hasOwn(RESOURCE_SCHEMAS, String(object['kind'])));
    const answers = ask(served.map(({ object }) => ({ object })));
    const taken = served.filter((_, index) => complaints(answers[index]).length === 0);
    expect(taken.map(({ name }) => name)).toEqual(served.filter(({ ours }) => ours === true).map(({ name }) => name));
  });

  test('agrees with ours on every field set to every odd value', () => {
    const all = mutations();
    expect(all.length).toBeGreaterThan(5000);
    const answers = ask(all);
    const verdicts = all.map(({ object }, index) => [complaints(answers[index]).length === 0, checkConfig(object).problems.length === 0]);
    expect(all.filter((_, index) => verdicts[index]?.[0] !== verdicts[index]?.[1]).map(({ name }) => name)).toEqual([]);
    expect(verdicts.filter(([theirs]) => theirs).length).toBeGreaterThan(200);
  });

  test('lets the mode change only with consent, as ours does', () => {
    const previous = tenantCluster({ mode: 'shared' });
    const without = tenantCluster({ mode: 'dedicated' });
    const consent = tenantCluster({ mode: 'dedicated', migration: { allowModeChange: true } });
    const answers = ask([without, consent, tenantCluster()].map((object) => ({ object, previous })));
    expect(answers.map((answer) => complaints(answer).length)).toEqual([1, 0, 0]);
    expect(complaints(answers[0])[0]).toContain('mode may change only where migration.allowModeChange is true');
    expect([without, consent, tenantCluster()].map((object) => checkConfig(object, previous).problems.length)).toEqual([1, 0, 0]);
  });
});
