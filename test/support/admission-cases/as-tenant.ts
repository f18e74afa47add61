import type { Decision } from '../../../src/core/decision/decision.ts';
import { clone, type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../../src/core/kube/object.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { devPackage, planFiles, policy } from '../observe.ts';
import { type AdmissionCase, OURS, POOLED } from './case.ts';
import { namespaceName, profileText } from './evaluate.ts';

const DEDICATED = `  mode: dedicated\n  nodePool: ${JSON.stringify(POOLED)}\n`;

export interface TenantOutcome {
  readonly decision: Decision;
  /** host objects that were rendered of it */
  readonly objects: readonly KubeObject[];
}

/** The case's object in a tenant's folder, planned. */
export function asTenant(row: AdmissionCase): TenantOutcome {
  const name = row.profile ?? 'restricted';
  const [first, second] = ['tenants/dev/objects/x.yaml', row.tenantObject ?? row.object];
  const files = devPackage(
    { 'x.yaml': emitYaml(tenantForm(second)) },
    { profile: profileText(name), policy: policy(), spec: `  secrets: {render: plain}\n${name === 'pooled' ? DEDICATED : ''}` },
  );
  const tenant =
    files['tenants/dev/tenant.yaml']?.replaceAll('name: restricted', `name: ${name}`).replaceAll('team-dev', namespaceName(name)) ?? '';
  const result = planFiles({ ...files, 'tenants/dev/tenant.yaml': tenant });
  const decisions = [...result.decisions, ...result.tenants.flatMap((each) => each.decisions)];
  const decision = decisions.find(({ source }) => source?.file.path === first);
  if (decision === undefined) throw new Error(`no decision: ${JSON.stringify(result.findings)}`);
  const rendered = result.tenants.flatMap((each) => each.files).filter((file) => file.decision === decision);
  return { decision, objects: rendered.map(({ object }) => object) };
}

/** A host object as a tenant would write it: without what the render stamps. */
function tenantForm(object: KubeObject): KubeObject {
  const copy = clone(object);
  const strip = (holder: JsonObject | undefined): void => {
    for (const [key, value] of Object.entries(OURS)) if (holder?.[key] === value) delete holder[key];
  };
  const metadata = objectAt(copy, 'metadata');
  delete metadata?.['ownerReferences'];
  strip(objectAt(metadata, 'labels'));
  const template = objectAt(copy, 'spec', 'template');
  strip(objectAt(template, 'metadata', 'labels'));
  strip(objectAt(copy, 'spec', 'selector'));
  const spec = kindOf(copy) === 'Pod' ? objectAt(copy, 'spec') : objectAt(template, 'spec');
  if (spec?.['serviceAccountName'] === 'tenantplane-workload') delete spec['serviceAccountName'];
  if (spec?.['automountServiceAccountToken'] === false) delete spec['automountServiceAccountToken'];
  return copy;
}
