import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { expect } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import type { Cluster } from '../../bed/cluster.ts';
import { type Ran, run } from '../workspace.ts';

/** What the bed's helper says of one Kustomization. */
export interface FluxReport {
  readonly name: string;
  readonly changes: Readonly<Record<string, readonly string[]>>;
  readonly error?: string;
  readonly seconds: number;
}

export interface FluxEngine {
  /** reconciles Kustomizations once, whatever comes of it */
  call(kustomizations: string): Ran;
  /** the same, and each must succeed. @returns subjects by what was done to them, unchanged ones left out */
  reconcile(kustomizations: string): Record<string, string[]>;
}

/** Flux's own engine, which remembers in `folder` what it applied of the package `root`. */
export async function fluxEngine(cluster: Cluster, root: string, folder: string): Promise<FluxEngine> {
  const flux = await buildTool('flux');
  const args = ['-kubeconfig', cluster.kubeconfig, '-source', root, '-inventory', join(folder, 'inventory')];
  const call = (input: string): Ran => run(flux, args, { input });
  return {
    call,
    reconcile(kustomizations) {
      const ran = call(kustomizations);
      const reports = reportsOf(ran);
      expect(
        reports.filter(({ error }) => error !== undefined),
        ran.stderr.slice(0, 2000),
      ).toEqual([]);
      const changed: Record<string, string[]> = {};
      for (const { changes } of reports)
        for (const [action, subjects] of Object.entries(changes))
          if (action !== 'unchanged') changed[action] = [...(changed[action] ?? []), ...subjects];
      return changed;
    },
  };
}

export function reportsOf({ stdout }: Ran): readonly FluxReport[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FluxReport);
}

/** The Kustomizations of these names, which depend on each other only. */
export function onlyOf(kustomizations: string, ...names: string[]): string {
  const documents = loadAll(kustomizations) as { metadata: { name: string }; spec: { dependsOn?: { name: string }[] } }[];
  const chosen = documents.filter(({ metadata }) => names.includes(metadata.name));
  expect(chosen).toHaveLength(names.length);
  const kept = ({ name }: { name: string }): boolean => names.includes(name);
  const alone = chosen.map(({ spec, ...rest }) => ({ ...rest, spec: { ...spec, dependsOn: spec.dependsOn?.filter(kept) ?? [] } }));
  return alone.map((document) => `---\n${JSON.stringify(document)}\n`).join('');
}
