import { basename } from 'node:path';
import { main as renderIsolation } from './render-isolation/index.ts';
import { main as renderSync } from './render-sync/index.ts';
import { main as renderTenant } from './render-tenant/index.ts';
import { main as validateTenant } from './validate-tenant/index.ts';

const FUNCTIONS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  'render-tenant': renderTenant,
  'render-sync': renderSync,
  'render-isolation': renderIsolation,
  'validate-tenant': validateTenant,
};

/** `tenantplane-fn render-tenant`, or a link to the command that is named as the function. @returns the exit code */
export async function run([script = '', ...args]: readonly string[]): Promise<number> {
  const own = basename(script).replace(/\.mjs$/, '');
  const name = Object.hasOwn(FUNCTIONS, own) ? own : (args.shift() ?? '');
  const names = Object.keys(FUNCTIONS).join(', ');
  if (name === '--help' || name === '-h') {
    process.stdout.write(
      `tenantplane-fn FUNCTION < resourcelist.yaml: a KRM function, for kpt and kustomize.\nFunctions: ${names}. What each takes as its config: tenantplane schema RenderTenant.\n`,
    );
    return 0;
  }
  const main = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (main === undefined) {
    process.stderr.write(
      `tenantplane-fn: ${name === '' ? 'no function is named' : `${JSON.stringify(name)} is no function`}. Name one of ${names}.\n`,
    );
    return 2;
  }
  return main(args);
}
