import { describe, expect, it } from 'vitest';
import { devPackage, planFiles, previousOf, treeOf } from '../../support/observe.ts';

const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true}
      containers: [{name: c, image: a:1, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
`;
const files = devPackage({ 'web.yaml': DEPLOYMENT, 's.yaml': SERVICE });

describe('render-sync', () => {
  it('renders projected objects alone', () => {
    expect([...treeOf(planFiles(files, { scope: 'sync' })).keys()]).toEqual([
      'team-dev/deployment.apps_web-x-default-x-dev.yaml',
      'team-dev/service_web-x-default-x-dev.yaml',
    ]);
  });

  it('takes nothing away that render-tenant made beside them', () => {
    const old = previousOf(planFiles(files));
    expect(planFiles(files, { scope: 'sync' }, old).removed).toEqual([]);
    const { 'tenants/dev/objects/s.yaml': _gone, ...less } = files;
    expect(planFiles(less, { scope: 'sync' }, old).removed).toEqual(['team-dev/service_web-x-default-x-dev.yaml']);
  });
});

describe('render-isolation', () => {
  const whole = planFiles(files);

  it('gives with render-sync what render-tenant gives, and nothing twice', () => {
    const parts = [treeOf(planFiles(files, { scope: 'sync' })), treeOf(planFiles(files, { scope: 'isolation' }))];
    expect(parts.map((tree) => tree.size)).not.toContain(0);
    const merged = parts.flatMap((tree) => [...tree]).sort();
    expect(merged).toEqual([...treeOf(whole)].sort());
  });

  it('takes nothing away that render-sync made, and what no input asks for any more of its own', () => {
    const old = previousOf(whole);
    expect(planFiles(files, { scope: 'isolation' }, old).removed).toEqual([]);
    const { 'tenants/dev/objects/s.yaml': _gone, ...less } = files;
    expect(planFiles(less, { scope: 'isolation' }, old).removed).toEqual(['team-dev/service_web.yaml']);
  });

  it('has one decision for each object of the tenant', () => {
    const { decisions } = planFiles(files, { scope: 'isolation' }).tenants[0] ?? { decisions: [] };
    expect(decisions.filter(({ source }) => source !== undefined).map(({ reason }) => reason)).toEqual([
      'ProjectedElsewhere',
      'ProjectedElsewhere',
    ]);
  });

  it('freezes a tenant whose objects are rejected, as render-tenant does', () => {
    const twice = { ...files, 'tenants/dev/objects/again.yaml': SERVICE };
    expect(planFiles(twice, { scope: 'isolation' }).tenants.map(({ frozen }) => frozen !== undefined)).toEqual([true]);
  });
});
