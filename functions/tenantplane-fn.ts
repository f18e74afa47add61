#!/usr/bin/env node
import { basename } from 'node:path';
import { tuneForOneRun } from '../src/krm/run-tuning.ts';

/** Each function is loaded when it is named: a start pays for one. */
const FUNCTIONS: Readonly<Record<string, () => Promise<{ readonly main: (args: readonly string[]) => Promise<number> }>>> = {
  'render-tenant': () => import('./render-tenant/index.ts'),
  'render-sync': () => import('./render-sync/index.ts'),
  'render-isolation': () => import('./render-isolation/index.ts'),
  'validate-tenant': () => import('./validate-tenant/index.ts'),
};

tuneForOneRun();
// `tenantplane-fn render-tenant`, or a link to this file that is named as the function
const [, script = '', ...args] = process.argv;
const own = basename(script).replace(/\.mjs$/, '');
const linked = Object.hasOwn(FUNCTIONS, own);
const name = linked ? own : (args.shift() ?? '');
const load = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;

const names = Object.keys(FUNCTIONS).join(', ');
if (name === '--help' || name === '-h') {
  process.stdout.write(
    `tenantplane-fn FUNCTION < resourcelist.yaml: a KRM function, for kpt and kustomize.\nFunctions: ${names}. What each takes as its config: tenantplane schema RenderTenant.\n`,
  );
} else if (load === undefined) {
  process.stderr.write(
    `tenantplane-fn: ${name === '' ? 'no function is named' : `${JSON.stringify(name)} is no function`}. Name one of ${names}.\n`,
  );
  process.exitCode = 2;
} else {
  // never process.exit: what is still in a pipe would be cut
  process.exitCode = await (await load()).main(args);
}
