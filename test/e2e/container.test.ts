import { chmodSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { bytes, copyPackage, hostFiles, ok, renderedByCommand } from './workspace.ts';

const LOCKED = ['run', '--rm', '--network', 'none', '--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];

describe('the container image', () => {
  test('renders a mounted package with no network, no writable root, no capability and no root user', () => {
    const folder = copyPackage('examples/first-tenant');
    chmodSync(folder, 0o777);
    ok('podman', [...LOCKED, '--volume', `${folder}:/work`, `${inject('images')}/tenantplane`, 'render', '/work']);
    expect(hostFiles(folder)).toEqual(renderedByCommand('examples/first-tenant'));
  });

  test('reads a package that it may not write, and prints', () => {
    const folder = copyPackage('examples/first-tenant');
    const before = bytes(folder);
    const image = `${inject('images')}/tenantplane`;
    const { stdout } = ok('podman', [...LOCKED, '--volume', `${folder}:/work:ro`, image, 'render', '/work', '-o', 'stdout']);
    expect(stdout).toContain('kind: Namespace');
    expect(bytes(folder)).toEqual(before);
  });

  test('runs as user 65532', () => {
    const user = ok('podman', ['image', 'inspect', '--format', '{{.Config.User}}', `${inject('images')}/tenantplane`]).stdout;
    expect(user.trim()).toBe('65532:65532');
  });
});
