import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './markdown.ts';

const FUNCTIONS = readdirSync(join(ROOT, 'functions')).filter((name) => existsSync(join(ROOT, 'functions', name, 'example')));

test('there are functions with examples', () => {
  expect(FUNCTIONS).toEqual(['render-isolation', 'render-sync', 'render-tenant', 'validate-tenant']);
});

// kpt reads every YAML file of a package, also below a folder with a dot, and stops at one that is no Kubernetes object.
test.each(FUNCTIONS)('kpt does not read what functions/%s/example expects of it, so that the command of the README works', (name) => {
  const ignored = readFileSync(join(ROOT, 'functions', name, 'example/.krmignore'), 'utf8').split('\n');
  expect(ignored).toContain('.expected');
});
