import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../workspace.ts';

/** The first example in a repository of two commits: a weaker profile, an edited object, a new one that no policy lists, and one
 * that is refused; its tree is the one of before. */
export function changedPackage(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tenantplane-changed-'));
  cpSync(join(ROOT, 'examples/first-tenant'), path, { recursive: true });
  const git = (...argv: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...argv], { cwd: path });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'before');
  edit(path, 'platform/profiles.yaml', 'level: restricted', 'level: baseline');
  edit(path, 'tenants/dev/objects/api.yaml', 'replicas: 2', 'replicas: 3');
  writeFileSync(join(path, 'tenants/dev/objects/once.yaml'), 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: web\nspec: {}\n');
  writeFileSync(join(path, 'tenants/dev/objects/probe.yaml'), PROBE);
  git('add', '-A');
  git('commit', '-qm', 'after');
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Refused for several reasons. */
const PROBE = `apiVersion: v1
kind: Pod
metadata:
  name: probe
spec:
  hostNetwork: true
  containers:
    - name: probe
      image: registry.example.com/probe:1
      securityContext:
        privileged: true
  volumes:
    - name: root
      hostPath:
        path: /
`;

function edit(root: string, file: string, before: string, after: string): void {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not say ${before}`);
  writeFileSync(join(root, file), text.replace(before, after));
}
