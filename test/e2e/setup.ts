import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildTool } from '../bed/build-tool.ts';
import { type Scope, scopeOf } from './scope.ts';

const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    /** a folder for the PATH: kpt, kustomize, tenantplane, tenantplane-fn and each function under its own name */
    readonly bin: string;
    /** prefix of the images that hold the functions */
    readonly images: string;
    readonly scope: Scope;
  }
}

/** Real tools or a loud failure: a suite that cannot run says so and is red. */
export async function setup(project: TestProject): Promise<() => void> {
  if (!existsSync(join(ROOT, 'dist/tenantplane.mjs'))) throw new Error('dist/ is not there: run `npm run test:e2e`, which builds it first');
  const bin = mkdtempSync(join(tmpdir(), 'tenantplane-bin-'));
  for (const tool of ['kpt', 'kustomize'] as const) symlinkSync(await buildTool(tool), join(bin, tool));
  for (const name of ['tenantplane', 'tenantplane-fn']) {
    chmodSync(join(ROOT, `dist/${name}.mjs`), 0o755);
    symlinkSync(join(ROOT, `dist/${name}.mjs`), join(bin, name));
  }
  for (const name of ['render-tenant', 'render-sync', 'render-isolation', 'validate-tenant'])
    symlinkSync(join(ROOT, 'dist/tenantplane-fn.mjs'), join(bin, name));

  const images = 'localhost/tenantplane';
  const built = spawnSync('bash', [join(ROOT, '.ci/image.sh'), images], { encoding: 'utf8' });
  if (built.status !== 0)
    throw new Error(`cannot build the images (podman, buildah and runc are needed): ${built.error?.message ?? built.stderr}`);

  project.provide('bin', bin);
  project.provide('images', images);
  project.provide('scope', scopeOf(project.vitest.config.tagsFilter));
  return () => rmSync(bin, { recursive: true, force: true });
}
