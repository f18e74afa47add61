import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/core/decision/decision.ts';
import { type JsonObject, objectAt, stringAt } from '../../src/core/kube/json.ts';
import { kindRow } from '../../src/core/kube/kinds.ts';
import { matchesSelector } from '../../src/core/kube/labels.ts';
import { apiVersionOf, kindKey, kindOf, stringMap } from '../../src/core/kube/object.ts';
import type { HostFile, Plan } from '../../src/core/plan/plan-types.ts';
import { eachReference, POD_REFERENCES, referenceTree } from '../../src/core/translate/pod/references.ts';
import { render, tenantObject } from './tenant-objects.ts';

/** What isolation rests on, for any objects of a tenant (adversarial suite, structural invariants i to vi). */
const objects: fc.Arbitrary<JsonObject[]> = fc.array(tenantObject, { minLength: 1, maxLength: 6 });
const filesOf = (plan: Plan): readonly HostFile[] => plan.tenants.flatMap(({ files }) => files);
const TREE = referenceTree(POD_REFERENCES);

/** Runs a law over plans, and sees to it that it was asked about something. */
function law(title: string, check: (plan: Plan, input: readonly JsonObject[]) => number): void {
  it(title, () => {
    let looked = 0;
    fc.assert(
      fc.property(objects, (input) => {
        looked += check(render(input), input);
      }),
      { numRuns: 60 },
    );
    expect(looked).toBeGreaterThan(60);
  });
}

describe('invariants', () => {
  law('i: nothing lies outside the two namespaces of the tenant but those namespaces themselves, and the flow of its requests', (plan) => {
    for (const { path, object } of filesOf(plan)) {
      const namespace = stringAt(object, 'metadata', 'namespace');
      if (kindOf(object) === 'FlowSchema') {
        expect([path, namespace]).toEqual(['platform/flowschema.flowcontrol.apiserver.k8s.io_tenantplane-team-dev.yaml', undefined]);
        continue;
      }
      if (namespace === undefined) {
        expect(kindOf(object), path).toBe('Namespace');
        expect(kindRow(kindKey(apiVersionOf(object), kindOf(object)))?.scope).toBe('Cluster');
      }
      expect(['team-dev', 'cp-x-dev-x-team-dev']).toContain(namespace ?? stringAt(object, 'metadata', 'name'));
      expect(path).toMatch(/^team-dev\/[^/]+\.yaml$/);
    }
    return filesOf(plan).length;
  });

  law('ii: every object says whose it is, and a projected one of what it is the mirror', (plan) => {
    for (const { object, decision, path } of filesOf(plan)) {
      const labels = objectAt(object, 'metadata', 'labels');
      const annotations = objectAt(object, 'metadata', 'annotations');
      expect(labels, path).toMatchObject({ 'app.kubernetes.io/managed-by': 'tenantplane', 'tenantplane.io/tenant': 'dev' });
      expect(annotations).toMatchObject({ 'tenantplane.io/tenant-cluster': 'team-dev/dev', 'tenantplane.io/origin': 'git' });
      if (decision.source === undefined) continue;
      expect(annotations).toMatchObject({
        'tenantplane.io/virtual-name': decision.source.name,
        'tenantplane.io/virtual-namespace': decision.source.namespace,
      });
      expect(labels?.['tenantplane.io/virtual-namespace']).toBe(decision.source.namespace);
    }
    return filesOf(plan).length;
  });

  law('iii: a name in a pod is that of a planned object, or of one that the decision says is missing', (plan) => {
    const planned = new Set(
      filesOf(plan).map(({ object }) => `${kindKey(apiVersionOf(object), kindOf(object))}|${stringAt(object, 'metadata', 'name')}`),
    );
    let looked = 0;
    for (const { object, decision, path } of filesOf(plan)) {
      const base = kindRow(kindKey(apiVersionOf(object), kindOf(object)))?.podSpec;
      if (base === undefined || decision.source === undefined) continue;
      const missing = decision.notes.filter(({ reason }) => reason === 'ReferenceUnresolved').map(({ params }) => params['target']);
      const space = decision.source.namespace;
      eachReference(TREE, objectAt(object, ...base), base, (holder, field, kind, where) => {
        looked += 1;
        const name = String(holder[field]);
        expect(name, path).toMatch(/-x-dev$|-x-.*-[a-z0-9]{10,}$/);
        if (holder['optional'] === true || planned.has(`${kind}|${name}`)) return;
        expect(missing, `${path} ${where.join('.')}`).toContain(`${kind} ${space}/${name.replace(`-x-${space}-x-dev`, '')}`);
      });
    }
    return looked;
  });

  law('iv: default deny selects every pod', (plan) => {
    const deny = filesOf(plan).find(({ object }) => stringAt(object, 'metadata', 'name') === 'tenantplane-default-deny');
    const selector = objectAt(deny?.object, 'spec', 'podSelector');
    let pods = 0;
    for (const { object, path } of filesOf(plan)) {
      const { podMeta } = kindRow(kindKey(apiVersionOf(object), kindOf(object))) ?? {};
      if (podMeta === undefined) continue;
      pods += 1;
      const labels = stringMap(objectAt(object, ...podMeta, 'labels'));
      expect(selector !== undefined && matchesSelector(selector, labels), path).toBe(true);
      expect([labels.get('tenantplane.io/tenant'), stringAt(object, 'metadata', 'namespace')]).toEqual(['dev', 'team-dev']);
    }
    return pods;
  });

  law('v: no annotation stands on an object or a template that is neither ours nor on the list', (plan) => {
    const allowed =
      /^(tenantplane\.io\/|argocd\.argoproj\.io\/(sync-(wave|options)|compare-options)$|kustomize\.toolkit\.fluxcd\.io\/(prune|ssa|substitute|force)$|client\.lifecycle\.config\.k8s\.io\/(deletion|mutation)$|config\.kubernetes\.io\/depends-on$)/;
    for (const { object, path } of filesOf(plan)) {
      const { podMeta } = kindRow(kindKey(apiVersionOf(object), kindOf(object))) ?? {};
      const own = Object.keys(objectAt(object, 'metadata', 'annotations') ?? {});
      const template = podMeta === undefined || podMeta.length === 1 ? [] : Object.keys(objectAt(object, ...podMeta, 'annotations') ?? {});
      for (const key of own) expect(key, path).toMatch(allowed);
      for (const key of template) expect(key, path).toMatch(/^tenantplane\.io\//);
    }
    return filesOf(plan).length;
  });

  law('vi: each input has one decision, and each file is that of one', (plan, input) => {
    const decisions: readonly Decision[] = plan.tenants.flatMap((tenant) => tenant.decisions);
    const about = decisions.filter(({ source }) => source?.file.path.includes('/objects/') === true);
    const identities = new Set(
      input.map((object) => `${kindOf(object)}|${stringAt(object, 'metadata', 'namespace')}|${stringAt(object, 'metadata', 'name')}`),
    );
    // an alias is a second decision about the same Service, of a reason of its own
    const first = about.filter(({ reason }) => reason !== 'ShortNameMade');
    expect(first.map(({ source }) => `${source?.kind}|${source?.namespace}|${source?.name}`).sort()).toEqual([...identities].sort());
    for (const { decision } of filesOf(plan)) expect(decisions).toContain(decision);
    return about.length;
  });
});
