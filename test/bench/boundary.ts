/**
 * What it costs to verify boundaries: `node --expose-gc --import tsx test/bench/boundary.ts`. Milliseconds are of this process's CPU, so that
 * a busy machine says the same; bytes are of the heap after a collection.
 */
import { BOUNDARY_KINDS } from '../../src/core/isolation/verify/boundary-kinds.ts';
import { keyOf } from '../../src/core/isolation/verify/live-boundary.ts';
import { verifyBoundary } from '../../src/core/isolation/verify/verify-boundary.ts';
import { isObject } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf, namespaceOf } from '../../src/core/kube/object.ts';
import { writeJson } from '../../src/core/kube/write-json.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { parseJson } from '../../src/kube/parse-json.ts';
import { type MutableStore, objectStore } from '../../src/kube/reflector/object-store.ts';
import { boundaryVerifier } from '../../src/reconciler/boundary/boundary-verifier.ts';
import type { BoundaryView } from '../../src/reconciler/boundary/gather.ts';
import { boundaryInputs } from '../support/boundary.ts';
import { DEFAULT_CONFIG, render } from '../support/example.ts';
import { ALL_KINDS, policy, profile, tenant } from '../support/observe.ts';

/** A tenant with so many policies and Services of its own. */
function files(name: string, policies: number, services: number): Record<string, string> {
  const objects = [
    ...Array.from(
      { length: policies },
      (_, i) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: p${i}, namespace: default}
spec: {podSelector: {matchLabels: {app: a${i}}}, ingress: [{from: [{podSelector: {matchLabels: {app: a${i + 1}}}}], ports: [{port: 80}]}]}
`,
    ),
    ...Array.from(
      { length: services },
      (_, i) => `apiVersion: v1
kind: Service
metadata: {name: s${i}, namespace: default}
spec: {selector: {app: a${i}}, ports: [{port: 80}]}
`,
    ),
  ];
  return {
    [`tenants/${name}/tenant.yaml`]: tenant(name, { spec: '  networking: {egressPolicy: allow-same-tenant}\n' }),
    [`tenants/${name}/objects/app.yaml`]: objects.join('---\n'),
  };
}

function rendered(tenants: Record<string, string>): ReturnType<typeof render> {
  const all = { 'platform/policy.yaml': policy(ALL_KINDS), 'platform/profile.yaml': profile(), ...tenants };
  const inputs = Object.entries(all).flatMap(([path, text]) => readDocuments(text, path).objects);
  return render(inputs, { ...DEFAULT_CONFIG, host: { version: '1.37' } });
}

function cpu(times: number, work: () => unknown): number {
  for (let i = 0; i < 20; i++) work();
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times / 1000;
}

function heap(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

for (const policies of [0, 50]) {
  const [input] = boundaryInputs(rendered(files('dev', policies, 20)));
  if (input === undefined) throw new Error('a tenant is there');
  const { rows, asPlanned } = verifyBoundary(input);
  const milliseconds = cpu(200, () => verifyBoundary(input)).toFixed(2);
  console.log(
    `restricted, ${policies} policies of its own: ${milliseconds} ms, ${input.live.length} objects, ${rows.length} rows, as planned: ${asPlanned}`,
  );
}

const FLEET = 100;
const fleet = rendered(Object.assign({}, ...Array.from({ length: FLEET }, (_, i) => files(`t${i}`, 10, 20))));
const inputs = boundaryInputs(fleet);
const read = fleet.objects.filter((object) => BOUNDARY_KINDS.some(({ key }) => key === keyOf(object)));
const texts = read.map((object) => [keyOf(object), writeJson(object)] as const);
const empty = heap();
const stores = new Map<string, MutableStore>(BOUNDARY_KINDS.map(({ key }) => [key, objectStore()]));
for (const [key, text] of texts) {
  const object = parseJson(text);
  if (isObject(object)) stores.get(key)?.put(object);
}
const filled = heap();
const byNamespace = new Map<string, Map<string, KubeObject[]>>();
for (const { key } of BOUNDARY_KINDS) {
  const index = new Map<string, KubeObject[]>();
  for (const object of stores.get(key)?.values() ?? [])
    index.set(namespaceOf(object) ?? '', [...(index.get(namespaceOf(object) ?? '') ?? []), object]);
  byNamespace.set(key, index);
}
const view: BoundaryView = {
  store: (plural) => {
    const key = BOUNDARY_KINDS.find((kind) => kind.plural === plural)?.key ?? '';
    const store = stores.get(key) ?? objectStore();
    return {
      get: (name) => store.get(name),
      values: () => store.values(),
      inNamespace: (namespace) => byNamespace.get(key)?.get(namespace) ?? [],
    };
  },
};
const verifier = boundaryVerifier(view);
const pass = (): void => {
  for (const input of inputs) if (!verifier.verify(input).asPlanned) throw new Error(kindOf(input.tenantCluster));
};
const indexed = heap();
const first = process.cpuUsage();
pass();
const { user, system } = process.cpuUsage(first);
const known = heap();
console.log(
  `${FLEET} tenants, 10 policies and 20 Services each: ${read.length} objects, ${kib(filled - empty)} a tenant in stores, ${kib(known - indexed)} in reports`,
);
console.log(`first pass over all: ${((user + system) / 1000).toFixed(0)} ms; a pass with nothing changed: ${cpu(20, pass).toFixed(2)} ms`);

function kib(bytes: number): string {
  return `${(bytes / FLEET / 1024).toFixed(1)} KiB`;
}
