import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject, type Path } from '../../src/core/kube/json.ts';
import { dotted } from '../../src/core/kube/pointer.ts';
import { render, tenantObject } from './tenant-objects.ts';

function walk(value: Json | undefined, path: Path, visit: (value: Json, path: Path) => void): void {
  if (value === undefined) return;
  visit(value, path);
  if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index], visit);
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key], visit);
}

const SELECTORS: ReadonlySet<string | number | undefined> = new Set(['labelSelector', 'podSelector', 'selector']);

/**
 * Law "closed": every name in a reference and every selector of pods in the output is the tenant's own. Tenant objects carry names
 * that occur nowhere else (`zz0`, `zz1`, …) and stand in every place that takes a name, so a raw one that is left over is found by
 * looking at all strings of the output: this test knows no table of references.
 */
describe('closed', () => {
  it('leaves no raw name in any reference, and no selector of pods that reaches beyond the tenant', () => {
    let projected = 0;
    fc.assert(
      fc.property(fc.array(tenantObject, { minLength: 1, maxLength: 6 }), (objects) => {
        const result = render(objects);
        for (const file of result.tenants.flatMap((tenant) => tenant.files)) {
          if (!file.decision.source) continue;
          projected += 1;
          walk(file.object, [], (value, path) => {
            const where = `${file.path} ${dotted(path)}`;
            // A pod keeps its own name as its hostname: that is what applications see, and no reference.
            if (typeof value === 'string' && /^zz\d$/.test(value) && !path.includes('annotations') && path.at(-1) !== 'hostname')
              expect.fail(`${where} is still ${value}`);
            if (SELECTORS.has(path.at(-1)) && isObject(value) && path[0] === 'spec') {
              const text = JSON.stringify(value);
              expect(text, where).toContain('"tenantplane.io/tenant":"dev"');
              expect(text, where).not.toContain('"app.kubernetes.io/instance"');
              expect(text, where).not.toContain('"values":[]');
            }
          });
        }
      }),
      { numRuns: 400 },
    );
    expect(projected).toBeGreaterThan(400);
  });

  it('keeps every object in the tenant’s namespace, with identity, and no annotation beyond the allowed', () => {
    fc.assert(
      fc.property(fc.array(tenantObject, { minLength: 1, maxLength: 5 }), (objects) => {
        const result = render(objects);
        for (const file of result.tenants.flatMap((tenant) => tenant.files)) {
          if (!file.decision.source) continue;
          const metadata = file.object['metadata'] as JsonObject;
          expect(metadata['namespace']).toBe('team-dev');
          expect(metadata['labels']).toMatchObject({ 'app.kubernetes.io/managed-by': 'tenantplane', 'tenantplane.io/tenant': 'dev' });
          for (const key of Object.keys(metadata['annotations'] as JsonObject)) {
            expect(key).toMatch(
              /^(tenantplane\.io|argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|client\.lifecycle\.config\.k8s\.io)\//,
            );
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
