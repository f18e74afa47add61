import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BoundaryReport, BoundaryRow } from '../../../src/core/isolation/verify/boundary-report.ts';
import { boundaryToApply } from '../../../src/core/isolation/verify/boundary-to-apply.ts';
import { verifyBoundary } from '../../../src/core/isolation/verify/verify-boundary.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import { boundaryVerifier } from '../../../src/reconciler/boundary/boundary-verifier.ts';
import { gatherBoundary } from '../../../src/reconciler/boundary/gather.ts';
import { boundaryInputs } from '../../support/boundary.ts';
import { boundaryMatrix } from '../../support/boundary-matrix.ts';
import { EXAMPLES, type Rendered, renderPackage } from '../../support/example.ts';
import { applyPlan, type Host, must, startHost } from '../isolation/host.ts';
import { watchBoundaries } from './boundary-view.ts';

let host: Host;
beforeEach(async () => {
  host = await startHost();
});
afterEach(() => host.stop());

function expectAsPlanned(reports: readonly BoundaryReport[]): void {
  expect(reports.length).toBeGreaterThan(0);
  for (const { rows } of reports) expect(rows.length).toBeGreaterThan(30);
  expect(reports.flatMap(({ rows }) => rows.filter(({ verdict }) => verdict !== 'as-planned').map(({ sentence }) => sentence))).toEqual([]);
}

const WORK = 'team-shop';
const PLANE = 'cp-x-shop-x-team-shop';

interface Drift {
  readonly what: string;
  readonly by: readonly string[];
  readonly input?: string;
  /** what heals it; applying the object as rendered, where nothing is said */
  readonly heal?: readonly string[];
  readonly control: string;
  readonly row: Partial<BoundaryRow>;
  /** the boundary still closes all that is planned */
  readonly enforced?: true;
  readonly sentence?: RegExp;
}

const patch = (kind: string, name: string, body: object, namespace?: string): readonly string[] => [
  ...['patch', kind, name, '-p', JSON.stringify(body), '--type', Array.isArray(body) ? 'json' : 'merge'],
  ...(namespace === undefined ? [] : ['-n', namespace]),
];

const OPEN = (namespace: string): string =>
  JSON.stringify({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'open', namespace },
    spec: { podSelector: {}, egress: [{}] },
  });

const DRIFTS: readonly Drift[] = [
  {
    what: 'Pod Security is let go',
    by: ['label', 'namespace', WORK, 'pod-security.kubernetes.io/enforce=privileged', '--overwrite'],
    control: 'podSecurity',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/metadata/labels/pod-security.kubernetes.io~1enforce'] },
  },
  {
    what: 'the namespace is no longer selected',
    by: ['label', 'namespace', PLANE, 'tenantplane.io/role-'],
    control: 'podSecurity',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/metadata/labels/tenantplane.io~1role'] },
  },
  {
    what: 'the namespace says that it is another tenant’s',
    by: ['annotate', 'namespace', WORK, 'tenantplane.io/tenant-cluster=team-b/b', '--overwrite'],
    control: 'podSecurity',
    row: { verdict: 'foreign', fields: ['/metadata/annotations/tenantplane.io~1tenant-cluster'] },
  },
  {
    what: 'egress is no longer denied',
    by: patch('networkpolicy', 'tenantplane-default-deny', { spec: { policyTypes: ['Ingress'] } }, WORK),
    control: 'defaultDenyNetworkPolicy',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/spec/policyTypes'] },
  },
  {
    what: 'the control plane is no longer closed',
    by: ['delete', 'networkpolicy', '-n', PLANE, 'tenantplane-cp-default-deny'],
    control: 'controlPlane',
    row: { verdict: 'missing', way: 'weaker' },
  },
  {
    what: 'a policy opens the tenant’s pods',
    by: ['apply', '-f', '-'],
    input: OPEN(WORK),
    heal: ['delete', 'networkpolicy', '-n', WORK, 'open'],
    control: 'defaultDenyNetworkPolicy',
    row: { verdict: 'widens', object: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', namespace: WORK, name: 'open' } },
  },
  {
    what: 'a policy opens the control plane',
    by: ['apply', '-f', '-'],
    input: OPEN(PLANE),
    heal: ['delete', 'networkpolicy', '-n', PLANE, 'open'],
    control: 'controlPlane',
    row: { verdict: 'widens', object: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', namespace: PLANE, name: 'open' } },
  },
  {
    what: 'gateways may call the web server no more',
    by: ['delete', 'networkpolicy', '-n', WORK, 'tenantplane-allow-ingress-from-gateway-ingress-2toe6rmjuwas'],
    control: 'gatewayNamespaces',
    row: { verdict: 'missing', way: 'stronger' },
    enforced: true,
  },
  {
    what: 'a quota is raised',
    by: patch('resourcequota', 'tenantplane-counts', { spec: { hard: { pods: '9k' } } }, WORK),
    control: 'quota',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/spec/hard/pods'] },
  },
  {
    what: 'a quota is lowered',
    by: patch('resourcequota', 'tenantplane-counts', { spec: { hard: { pods: '7' } } }, WORK),
    control: 'quota',
    row: { verdict: 'drifted', way: 'stronger', fields: ['/spec/hard/pods'] },
    enforced: true,
  },
  {
    what: 'a quota is deleted',
    by: ['delete', 'resourcequota', '-n', WORK, 'tenantplane-no-high-priority'],
    control: 'priorityClasses',
    row: { verdict: 'missing', way: 'weaker' },
  },
  {
    what: 'containers may be larger',
    by: patch('limitrange', 'tenantplane-defaults', [{ op: 'replace', path: '/spec/limits/0/max/cpu', value: '64' }], WORK),
    control: 'requireResourceRequests',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/spec/limits/0/max/cpu'] },
  },
  {
    what: 'pods get a token of the host',
    by: patch('serviceaccount', 'tenantplane-workload', { automountServiceAccountToken: true }, WORK),
    control: 'serviceAccount',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/automountServiceAccountToken'] },
  },
  {
    what: 'somebody may read the control plane’s Secrets',
    by: ['create', 'rolebinding', '-n', PLANE, 'helpers', '--clusterrole=view', '--user=mallory@example.com'],
    heal: ['delete', 'rolebinding', '-n', PLANE, 'helpers'],
    control: 'controlPlane',
    row: { verdict: 'widens', fields: ['/subjects'] },
    sentence: /gives User mallory@example\.com ClusterRole view in cp-x-shop-x-team-shop/,
  },
  {
    what: 'the tenant’s pods get rights on the host',
    by: ['create', 'rolebinding', '-n', WORK, 'robots', '--clusterrole=edit', `--serviceaccount=${WORK}:tenantplane-workload`],
    heal: ['delete', 'rolebinding', '-n', WORK, 'robots'],
    control: 'serviceAccount',
    row: { verdict: 'widens', fields: ['/subjects'] },
  },
  {
    what: 'the tenant’s pods get rights on the whole host',
    by: ['create', 'clusterrolebinding', 'robots', '--clusterrole=edit', `--serviceaccount=${WORK}:tenantplane-workload`],
    heal: ['delete', 'clusterrolebinding', 'robots'],
    control: 'serviceAccount',
    row: {
      verdict: 'widens',
      fields: ['/subjects'],
      object: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', name: 'robots' },
    },
    sentence: /gives ServiceAccount team-shop\/tenantplane-workload ClusterRole edit on the whole host/,
  },
  {
    what: 'everybody may read the whole host',
    by: ['create', 'clusterrolebinding', 'readers', '--clusterrole=view', '--group=system:authenticated'],
    heal: ['delete', 'clusterrolebinding', 'readers'],
    control: 'serviceAccount',
    row: { verdict: 'widens', fields: ['/subjects'] },
  },
  {
    what: 'a refusal becomes a warning',
    by: patch('validatingadmissionpolicybinding', 'tenantplane-restricted-pods', { spec: { validationActions: ['Warn'] } }),
    heal: patch('validatingadmissionpolicybinding', 'tenantplane-restricted-pods', { spec: { validationActions: ['Deny', 'Audit'] } }),
    control: 'runtimeClassName',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/spec/validationActions/0', '/spec/validationActions'] },
  },
  {
    what: 'a binding is deleted',
    by: ['delete', 'validatingadmissionpolicybinding', 'tenantplane-shared-objects'],
    control: 'ownObjects',
    row: { verdict: 'missing', way: 'weaker' },
  },
  {
    what: 'a policy gives way when it fails',
    by: patch('validatingadmissionpolicy', 'tenantplane-restricted-pods', { spec: { failurePolicy: 'Ignore' } }),
    control: 'runtimeClassName',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/spec/failurePolicy'] },
  },
  {
    what: 'a policy leaves somebody alone',
    by: patch('validatingadmissionpolicy', 'tenantplane-restricted-pods', {
      spec: { matchConditions: [{ name: 'not-mallory', expression: "request.userInfo.username != 'mallory'" }] },
    }),
    heal: patch('validatingadmissionpolicy', 'tenantplane-restricted-pods', { spec: { matchConditions: null } }),
    control: 'runtimeClassName',
    row: { verdict: 'drifted', way: 'weaker', fields: ['/spec/matchConditions/0'] },
  },
  {
    what: 'the tenant’s requests are nobody’s flow',
    by: ['delete', 'flowschema', 'tenantplane-team-shop'],
    control: 'apiFairness',
    row: { verdict: 'missing', way: 'weaker' },
  },
];

describe('each drift is found by the next look, and healed ones are gone', () => {
  test('on a host with the tree of examples/shop', async () => {
    const rendered = await renderPackage(join(EXAMPLES, 'shop'));
    const [input] = boundaryInputs(rendered);
    if (input === undefined) throw new Error('the shop has a tenant');
    await applyPlan(host, rendered.plan);
    const verifier = boundaryVerifier(await watchBoundaries(host), input.facts);
    const report = (): BoundaryReport => verifier.verify(input);
    expectAsPlanned([report()]);
    for (const drift of DRIFTS) {
      await must(host, drift.by, drift.input);
      await expect.poll(() => report().asPlanned, { timeout: 10_000, message: drift.what }).toBe(false);
      const found = report();
      const rows = found.rows.filter(({ verdict }) => verdict !== 'as-planned');
      expect(rows, drift.what).toEqual([expect.objectContaining({ control: drift.control, ...drift.row })]);
      expect(found.rows[0], drift.what).toEqual(rows[0]);
      expect(found.enforced, drift.what).toBe(drift.enforced === true);
      if (drift.sentence !== undefined) expect(rows[0]?.sentence).toMatch(drift.sentence);
      await heal(host, rendered, drift, rows);
      await expect.poll(() => report().asPlanned, { timeout: 10_000, message: `healed: ${drift.what}` }).toBe(true);
    }
    // a resync: nothing is compared anew
    const { compared } = verifier.counts;
    for (let pass = 0; pass < 100; pass++) report();
    expect(verifier.counts.compared).toBe(compared);
  });
});

describe('a boundary that the reconciler delivers itself', () => {
  test('is as planned once it is applied, in that order, and gone once it is taken down', async () => {
    const rendered = boundaryMatrix();
    const input = boundaryInputs(rendered).find(({ tenantCluster }) => nameOf(tenantCluster) === 'rest-unre-none');
    if (input === undefined) throw new Error('the matrix has that tenant');
    const view = await watchBoundaries(host);
    const live = (): KubeObject[] => gatherBoundary(view, input.tenantCluster);
    const wrong = (): string[] =>
      verifyBoundary({ ...input, live: live() })
        .rows.filter(({ verdict, object: { kind } }) => verdict !== 'as-planned' && !GITS.includes(kind))
        .map(({ sentence }) => sentence);
    const { apply } = boundaryToApply({ ...input, live: live() });
    for (const object of apply) {
      const args = ['apply', '--server-side', '--validate=strict', '--field-manager=tenantplane-provision', '-f', '-'];
      await must(host, args, JSON.stringify(object));
    }
    await expect.poll(wrong, { timeout: 10_000 }).toEqual([]);
    const { apply: again, remove, teardown } = boundaryToApply({ ...input, live: live() });
    expect([again, remove]).toEqual([[], []]);
    for (const object of teardown) await must(host, ['delete', kindOf(object), nameOf(object), '-n', namespaceOf(object) ?? '']);
    await expect.poll(() => boundaryToApply({ ...input, live: live() }).teardown, { timeout: 10_000 }).toEqual([]);
    // the namespaces stay
    expect(boundaryToApply({ ...input, live: live() }).apply.length).toBe(apply.length - 2);
  });
});

/** Kinds that no reconciler writes. */
const GITS = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'FlowSchema', 'PriorityLevelConfiguration'];

async function heal(host: Host, { objects }: Rendered, { heal }: Drift, rows: readonly BoundaryRow[]): Promise<void> {
  if (heal !== undefined) {
    await must(host, heal);
    return;
  }
  const planned = objects.filter((object) => rows.some(({ object: { kind, name } }) => kindOf(object) === kind && nameOf(object) === name));
  expect(planned.length).toBe(1);
  const args = ['apply', '--server-side', '--force-conflicts', '--field-manager=argocd-controller', '-f', '-'];
  await must(host, args, JSON.stringify(planned[0]));
}
