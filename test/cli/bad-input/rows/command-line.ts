import { configMap } from '../../harness.ts';
import type { Row } from '../row.ts';

const MANY: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`tenants/dev/objects/m${n}.yaml`, configMap(`m${n}`)]),
);
const RENDER = 'apiVersion: fn.tenantplane.io/v1alpha1\nkind: RenderTenant\n';

/** Calls that make no sense, and disks that do not let us. */
export const COMMAND_LINE: readonly Row[] = [
  { what: 'no such folder', argv: ['render', 'nowhere'] },
  { what: 'a file instead of a folder', argv: ['render', 'platform.yaml'] },
  { what: 'a command that there is not', argv: ['rendr'] },
  { what: 'a flag that there is not', argv: ['render', '--chek'] },
  { what: 'a flag that a terminal obeys', argv: ['render', '--\u001b[2J'] },
  { what: 'two paths', argv: ['render', 'tenants', 'more'] },
  { what: 'a format that there is not', argv: ['render', '-o', 'yaml'] },
  { what: 'a flag without its value', argv: ['render', '--platform'] },
  { what: 'a number that is none', argv: ['render', '--max-deletions', 'many'] },
  { what: 'a negative number of deletions', argv: ['render', '--max-deletions', '-1'] },
  { what: 'a grade that there is not', argv: ['render', '--fail-on', 'errors'] },
  { what: 'a tenant that there is not', argv: ['render', '--tenant', 'dve'] },
  { what: 'a version that is none', argv: ['render', '--host-version', 'latest'] },
  { what: '--diff without --check', argv: ['render', '--diff'] },
  { what: '--watch with --check', argv: ['render', '--watch', '--check'] },
  { what: 'the package as its own tree', argv: ['render', '-o', 'dir=.'] },
  { what: 'a tree among a tenant’s objects', argv: ['render', '-o', 'dir=tenants/dev/objects/out'] },
  { what: 'a platform that is not there', argv: ['render', '--platform', 'elsewhere'] },
  { what: '--config names nothing', argv: ['render', '--config', 'nowhere.yaml'] },
  { what: '--config names another kind', argv: ['render', '--config', 'tenants/dev/tenant.yaml'] },
  { what: '--config names two objects', argv: ['render', '--config', 'platform.yaml'] },
  { what: '--config holds broken YAML', files: { 'render.txt': `${RENDER}spec: [\n` }, argv: ['render', '--config', 'render.txt'] },
  {
    what: '--config misspells a field',
    files: { 'render.txt': `${RENDER}spec: {failsOn: never}\n` },
    argv: ['render', '--config', 'render.txt'],
  },
  { what: 'a RenderTenant with a bad value', files: { 'render.yaml': `${RENDER}spec:\n  output: {shards: 0}\n` } },
  { what: 'a misspelt function config', files: { 'render.yaml': RENDER.replace('RenderTenant', 'RenderTenent') } },
  { what: 'two RenderTenants', files: { 'render.yaml': RENDER, 'again.yaml': RENDER } },
  { what: 'a code that there is not', argv: ['explain-code', 'TP3094'] },
  { what: 'a kind that has no schema', argv: ['schema', 'TenantClustr'] },
  { what: 'a file that may not be read', unreadable: ['tenants/dev/objects/a.yaml'] },
  { what: 'a folder that may not be read', unreadable: ['tenants/dev/objects'] },
  { what: 'a rendered folder that may not be read', unreadable: ['host/team-dev'] },
  { what: 'a rendered file that may not be read', unreadable: ['host/team-dev/configmap_a-x-default-x-dev.yaml'] },
  {
    what: 'a package that may not be written to',
    files: { 'tenants/dev/objects/c.yaml': configMap('c') },
    readOnly: ['host/team-dev', 'host', '.'],
  },
  {
    what: 'a stale tree',
    files: { 'tenants/dev/objects/c.yaml': configMap('c') },
    argv: ['render', '--check'],
  },
  { what: 'a mass delete', before: MANY },
  { what: 'nothing left', remove: ['platform.yaml', 'tenants/dev', 'tenants/qa'] },
];
